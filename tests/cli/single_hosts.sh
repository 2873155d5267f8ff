# SPDX-License-Identifier: Apache-2.0
# Single hosts of several kinds: the disk that is slow, or an honest "cannot
# tell"; never a disk because it is another kind than the next.

# Samples are from ten minutes on: an inventory is made before, by the clock.
t0=$((($(date +%s) / 60 + 10) * 60))
since=$(date -u -d @$t0 +%FT%TZ)

# make HOST [SLOW]: both files of a host from its description.
make() {
  cat >"$1.txt"
  awk -v host="$1" -v t0=$t0 -v class=disk -v slow="${2-}" \
    -f "$DATA/host.awk" "$1.txt" >"$1.csv"
  if grep -q ^port "$1.txt"; then
    awk -v host="$1" -v t0=$t0 -v class=net -f "$DATA/host.awk" "$1.txt" \
      >"$1.net.csv"
  fi
}
# says FILE...: the first sentence, who is accused, and who was compared.
says() {
  limpid diagnose --since "$since" "$@" | awk '
    !body { print; body = /^$/; next }
    /^[a-z0-9]+\// { print }
    /^[A-Z]/ { compared = /^Compared/ }
    compared { print }'
}
# disk TREE NAME SECTORS ROTATIONAL [MODEL]: as sysfs shows it.
disk() {
  local at=$1/sys/block/$2
  mkdir -p "$at/queue" "$at/device"
  echo "$3" >"$at/size"
  echo "$4" >"$at/queue/rotational"
  if [ -n "${5-}" ]; then echo "$5" >"$at/device/model"; fi
}
# known HOST: record the tree HOST, for its inventory.
known() {
  mkdir -p "$1/proc"
  : >"$1/proc/diskstats"
  limpid record -o "$1.known" -i 1 -n 1 --no-tcp --host "$1" --root "$1"
}

echo "== a JBOD: two SSDs, five disks of 12 TB, five of 4 TB, sde is slow"
{
  printf 'own %s 800 0.3\n' sda sdb
  printf 'data %s 120 9\n' sdc sdd sde sdf sdg
  printf 'data %s 40 9\n' sdh sdi sdj sdk sdl
} | make jbod sde
echo "-- by names"
says jbod.csv
echo "-- with what sysfs knows"
for name in sda sdb; do disk jbod $name 1875385008 0 INTEL_SSDSC2KG96; done
for name in sdc sdd sde sdf sdg; do
  disk jbod $name 23437770752 1 ST12000NM0127
done
for name in sdh sdi sdj sdk sdl; do disk jbod $name 7814037168 1 ST4000NM0035; done
known jbod
says jbod.known jbod.csv

echo "== ZFS: six disks, partitions, a log device, volumes"
zfs() {
  printf 'data %s 100 9\n' sda sdb sdc sdd sde sdf
  for name in sda sdb sdc sdd sde sdf; do
    printf 'of %s1 1 %s\nof %s9 0 %s\n' $name $name $name $name
  done
  echo 'own nvme0n1 900 0.2'
  echo 'of nvme0n1p1 1 nvme0n1'
  printf 'of %s\n' 'zd0 2 sda' 'zd0p1 2 sda' 'zd16 3 sdb' 'zd32 1 sdc'
}
echo "-- healthy"
zfs | make zfs
says zfs.csv
echo "-- sdd is slow"
zfs | make zfs sdd
says zfs.csv
limpid inventory zfs.csv | sed -n '/^Compared/,/^What can be/p' | grep -v steps
echo "-- with what sysfs knows"
for name in sda sdb sdc sdd sde sdf; do
  disk zfs $name 7814037168 1 ST4000NM0035
done
disk zfs nvme0n1 781422768 0 INTEL_SSDPE21K375GA
for name in zd0 zd16 zd32; do disk zfs $name 209715200 0; done
known zfs
says zfs.known zfs.csv

echo "== a host of virtual machines: volumes, images on loop devices, taps"
vmhost() {
  printf 'own %s 300 5\n' sda sdb
  printf 'of %s\n' 'dm-0 0.4 sda' 'dm-1 0.3 sda' 'dm-2 0.5 sdb' 'dm-3 0.3 sdb'
  printf 'of %s\n' 'loop0 0.4 sda' 'loop1 0.3 sda' 'loop2 0.3 sdb'
  echo 'port eno1 1000'
  printf 'on %s\n' 'br0 1 eno1' 'vnet0 0.6 eno1' 'vnet1 0.9 eno1' \
    'virbr0 0.1 eno1' 'docker0 0.2 eno1' 'veth1a2b 0.2 eno1'
}
vmhost | make vm1
says vm1.csv vm1.net.csv
limpid inventory vm1.csv vm1.net.csv | sed -n '/^COMPONENT/,/^What can be/p' |
  grep -v steps
echo "-- three of them"
for host in vm2 vm3; do vmhost | make $host; done
limpid inventory vm?.csv vm?.net.csv | sed -n '/^Compared/,/^Left/p'

echo "== a guest: four virtual disks for four purposes"
printf 'own %s 200 2\n' vda vdb vdc vdd | make guest
says guest.csv
echo "-- sizes are known, a model is not"
for name in vda vdb vdc vdd; do disk guest $name 209715200 1; done
known guest
says guest.known guest.csv
echo "-- the owner knows that they are peers"
echo 'peers = "host";' >host.conf
limpid diagnose --cluster host.conf guest.csv | grep ^Compared

echo "== a laptop: NVMe with LUKS, a USB stick, swap in memory, wlan"
make laptop <<'END'
own nvme0n1 400 0.2
of nvme0n1p1 0.1 nvme0n1
of nvme0n1p2 0.2 nvme0n1
of nvme0n1p3 0.7 nvme0n1
of dm-0 0.7 nvme0n1
of dm-1 0.6 nvme0n1
of dm-2 0.1 nvme0n1
own sda 50 20
of sda1 1 sda
own zram0 300 0.1
own sr0 1 90
port wlp2s0 100
on docker0 0.5 wlp2s0
END
says laptop.csv laptop.net.csv
limpid inventory laptop.csv laptop.net.csv | grep -E '^laptop/'
