#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Files of sysstat: an old format, which its own sadf reads for limpid, a restart,
# a file that is cut off at every so many bytes, a disk known by its WWN.
set -eu

skip() {
  echo "skipped: $1"
  exit 77
}
fail() {
  echo "FAIL: $1"
  exit 1
}

sadc=
for path in /usr/lib/sysstat/sadc /usr/lib64/sa/sadc /usr/lib/sa/sadc; do
  if [ -x $path ]; then sadc=$path; fi
done
[ -n "$sadc" ] || skip "sadc is not installed (package sysstat)"
for tool in sadf python3 losetup; do
  command -v $tool >/dev/null || skip "$tool is not installed"
done
[ "$(id -u)" = 0 ] || skip "needs root for a loop device"

work=$(mktemp -d /tmp/limpid-e2e-sysstat-XXXXXX)
loop=
link=
cleanup() {
  if [ -n "$link" ]; then rm -f "$link"; fi
  # Only what mkdir -p below made is empty.
  rmdir /dev/disk/by-id /dev/disk 2>/dev/null || true
  if [ -n "$loop" ]; then losetup -d "$loop" || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work"

# --- an old format, through sadf -c, with counters and names ---------------

python3 "$LIMPID_SOURCE/tests/e2e/old_sa.py" old
"$LIMPID" show --csv -i 0 --metric tps,rd_sec,avgrq-sz,await,%util,rxbyt old \
  >old.csv
cat >expected.csv <<'EOT'
time,host,class,component,metric,value
2014-05-13T17:03:20Z,old1,disk,old1/sdb,tps,2
2014-05-13T17:03:20Z,old1,disk,old1/sdb,rd_sec,16
2014-05-13T17:03:20Z,old1,disk,old1/sdb,avgrq-sz,24
2014-05-13T17:03:20Z,old1,disk,old1/sdb,await,5
2014-05-13T17:03:20Z,old1,disk,old1/sdb,%util,1
2014-05-13T17:03:20Z,old1,net,old1/eth0,rxbyt,1024
2014-05-13T17:13:20Z,old1,disk,old1/sdb,tps,2
2014-05-13T17:13:20Z,old1,disk,old1/sdb,rd_sec,16
2014-05-13T17:13:20Z,old1,disk,old1/sdb,avgrq-sz,24
2014-05-13T17:13:20Z,old1,disk,old1/sdb,await,5
2014-05-13T17:13:20Z,old1,disk,old1/sdb,%util,1
2014-05-13T17:13:20Z,old1,net,old1/eth0,rxbyt,1024
EOT
diff expected.csv old.csv || fail "the old file is shown differently"

# --- a disk with a WWN, as udev would link it; a restart; a comment --------

truncate -s 1M disk
loop=$(losetup -f --show disk) || skip "no loop device can be made here"
dd if=/dev/zero of="$loop" bs=4k count=1 oflag=direct status=none
mkdir -p /dev/disk/by-id
link=/dev/disk/by-id/wwn-0x600508b1001c3ab4deadbeef0badcafe
ln -s "../../${loop#/dev/}" $link
"$sadc" -S DISK 1 2 sa
"$sadc" -C 'a comment; with; semicolons' sa
"$sadc" sa
sleep 1 # a first sample within 10 ms of the last would make no interval
"$sadc" -S DISK 1 3 sa
rm -f $link
"$LIMPID" import -o sa.limpid sa
"$LIMPID" inventory -v sa.limpid >inventory.txt
grep -q "wwid:naa.600508b1001c3ab4deadbeef0badcafe" inventory.txt ||
  fail "the inventory does not tell the WWN"
rows=$("$LIMPID" show --csv --all -i 0 --metric tps --device "${loop#/dev/}" \
  sa | grep -c ',tps,[0-9]')
# Two and three samples; the interval across the restart counts, since the
# host did not boot.
[ "$rows" = 4 ] || fail "$rows rates of tps instead of 4"

# --- what sadf -d makes of it: sar's names and units ------------------------

for table in -d "-n DEV"; do
  # shellcheck disable=SC2086 # two words
  sadf -d sa -- $table >sadf.csv
  "$LIMPID" show --all sadf.csv >out || fail "sadf -d -- $table"
done
sadf -d sa -- -d >sadf.csv
# "2026-11-18 09:11:47 UTC;sda;40.00;24.00", tps and rkB/s, and the same of ours
awk -F ';' -v OFS=, '!/^#/ && NF > 4 {
  print substr($3, 1, 10) "T" substr($3, 12, 8) "Z", $4, $5, $6 }' sadf.csv |
  sort >want.csv
[ -s want.csv ] || fail "sadf -d shows no disk"
"$LIMPID" show --csv --all -i 0 --metric tps,rd_sec sadf.csv |
  awk -F , -v OFS=, '{ sub(/.*\//, "", $4) }
    $5 == "tps" { tps = $6 }
    $5 == "rd_sec" { printf "%s,%s,%.2f,%.2f\n", $1, $4, tps, $6 / 2 }' |
  sort >have.csv
diff want.csv have.csv || fail "sadf -d is shown differently"

# --- cut off anywhere: the whole records, or one line and status 1 ---------

check_cut() {
  local status=0
  rm -f cut.limpid
  "$LIMPID" import -f sysstat -o cut.limpid cut.sa >out 2>&1 || status=$?
  [ "$(wc -l <out)" -le 1 ] || fail "$1 bytes: more than one line"
  if [ $status = 0 ]; then
    "$LIMPID" show --all cut.limpid >/dev/null || fail "$1 bytes: cannot be shown"
  elif [ $status != 1 ] || [ ! -s out ] || [ -e cut.limpid ]; then
    fail "$1 bytes: status $status, $(cat out)"
  fi
}
size=$(stat -c %s sa)
for ((n = 0; n < size; n += size / 40 + 1)); do
  head -c $n sa >cut.sa
  check_cut $n
done

# --- compressed, and a file that cannot be read among others ---------------

"$LIMPID" show --csv --all sa >plain.csv || fail "limpid show"
for program in gzip xz zstd bzip2; do
  $program -c sa >sa.packed
  "$LIMPID" show --csv --all sa.packed >packed.csv || fail "$program"
  cmp plain.csv packed.csv || fail "$program: other values"
done
"$LIMPID" show --csv --all - <sa >packed.csv || fail "standard input"
cmp plain.csv packed.csv || fail "standard input: other values"
mkdir -p days/h
cp sa days/h/sa15
head -c 300 sa >days/h/sa16
"$LIMPID" show --csv --all days >packed.csv 2>message || fail "a short file"
cmp plain.csv packed.csv || fail "a short file: other values"
grep -q 'left out: days/h/sa16: ' message || fail "it does not name the file"
if "$LIMPID" show --strict days >/dev/null 2>&1; then
  fail "--strict takes a short file"
fi
head -c $((size * 2 / 3)) sa >cut.sa
"$LIMPID" show --all cut.sa >/dev/null 2>message || fail "a cut file"
grep -q 'read in part: cut.sa: cut off after 20' message ||
  fail "it does not tell where the file ends"

# --- no sadf: files of today need none -------------------------------------

PATH=/nowhere "$LIMPID" show --csv --all sa >packed.csv || fail "without sadf"
cmp plain.csv packed.csv || fail "without sadf: other values"
if PATH=/nowhere "$LIMPID" show old >out 2>&1; then
  fail "an old file works without sadf"
fi
grep -q 'apt-get install sysstat' out || fail "does not name the package"

# --- the same numbers through sadf, which reads what is cut off -------------

"$LIMPID" show --csv --all --class all --raw -i 0 sa | sort >itself.csv
head -c -1 sa >cut.sa
"$LIMPID" show --csv --all --class all --raw -i 0 cut.sa 2>/dev/null |
  sort >through.csv
[ "$(wc -l <through.csv)" -gt 20 ] || fail "sadf reads nothing"
comm -13 itself.csv through.csv >other.csv
[ ! -s other.csv ] || fail "through sadf: $(head -n 1 other.csv)"

echo "old format, WWN, restart, $((size / (size / 40 + 1) + 1)) cuts: as told"
