#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Recorded trees as the root: devices that come and go or change their names,
# and the tree of a large machine where $LIMPID_DATA has it.
# shellcheck disable=SC1091,SC2154,SC2012 # what record.bash sets; plain names
. "$LIMPID_SOURCE/tests/e2e/record.bash"

# Hot-unplug and hot-plug: missing, not zero; the others go on.
cp -r "$LIMPID_SOURCE/tests/trees/linux-4.18" tree
cp tree/proc/diskstats whole
start -o d -i 0.1 --host h --root tree
until_true archived d '^sample' || fail "no sample"
# went_and_came GONE BACK: in so many samples sdb1 was gone, and back after that
went_and_came() {
  "$dump" --of disk sdb rd_ios d/*.limpid >whole.sdb
  "$dump" --of disk sdb1 rd_ios d/*.limpid >part.sdb1
  awk -v g="$1" -v b="$2" '
    FNR == NR { has[$1] = 1; next }
    !has[$1] { gone++ }
    has[$1] && gone { back++ }
    END { exit !(gone >= g && back >= b) }' part.sdb1 whole.sdb
} 2>/dev/null
grep -v sdb1 whole >tree/proc/diskstats
until_true went_and_came 3 0 || fail "sdb1 did not go"
cat whole >tree/proc/diskstats
until_true went_and_came 3 3 || fail "sdb1 did not come back"
finish TERM || fail "status $?"
went_and_came 3 3 || fail "sdb1 did not go and come"
[ "$(cut -d' ' -f2 part.sdb1 | sort -u)" = 231 ] || fail "sdb1 is not what it was"

# A disk gets another name and a new disk the old one: the inventory is read
# again, and from the first sample with the new names on each is who it is.
# disk NAME WWID: in sysfs
disk() {
  mkdir -p renamed/sys/block/"$1"/device
  echo "naa.$2" >renamed/sys/block/"$1"/device/wwid
}
# stats NAME READS...: in diskstats
stats() {
  printf '   8  16 %s %s 0 0 0 0 0 0 0 0 0 0\n' "$@" >stats
  cat stats >renamed/proc/diskstats
}
mkdir -p renamed/proc
disk sda 1
disk sdb 2
stats sda 500 sdb 1000
start -o n -i 0.1 --host h --root renamed
# Ten seconds after an inventory there may be another.
until_true recorded n 110 || fail "no samples before the names change"
mv renamed/sys/block/sdb renamed/sys/block/sdc
disk sdb 3
stats sda 500 sdb 7000 sdc 1100
until_true archived n '^inventory 3' || fail "the inventory was not read again"
finish TERM || fail "status $?"
[ "$("$dump" n/*.limpid | grep -c '^inventory')" = 2 ] || fail "inventories"
"$LIMPID" show --raw --csv --all -i 0 --class disk --metric rd_ios n/*.limpid |
  awk -F, 'NR > 1 { sum[$4] += $6 } END { for (c in sum) print c, sum[c] }' |
  sort >reads
printf 'h/sda 0\nh/sdb 0\nh/sdc 100\n' | diff - reads ||
  fail "who read how much"

[ -n "${LIMPID_DATA:-}" ] || skip "LIMPID_DATA is not set: no recorded machine"
tar=$LIMPID_DATA/trees/proc-sys.tar.zst
[ -f "$tar" ] || skip "$tar is not there"
mkdir machine
tar -C machine --zstd -xf "$tar" || fail "cannot unpack"
root=$(dirname "$(find machine -maxdepth 3 -type d -name proc | head -n 1)")
"$record" -o m -i 0.1 -n 3 --host h --root "$root" 2>err || fail "status $?"
[ ! -s err ] || fail "it said something"
[ "$("$dump" --of disk sda rd_ios m/*.limpid | cut -d' ' -f2 | sort -u)" = 25354637 ] ||
  fail "sda"
[ "$("$dump" --of disk sdc fl_ms m/*.limpid | cut -d' ' -f2 | sort -u)" = 182 ] ||
  fail "sdc"
[ "$("$dump" --of net eth0 tx_bytes m/*.limpid | cut -d' ' -f2 | sort -u)" = 563352563 ] ||
  fail "eth0"
for port in hfi1_0:1 mlx4_0:1 mlx4_0:2 mlx5_0:1; do
  [ "$("$dump" --of ib $port rcv_data m/*.limpid | wc -l)" = 3 ] || fail "$port"
done
"$dump" m/*.limpid | grep -q '^inventory [1-9][0-9]' || fail "no inventory"
exit 0
