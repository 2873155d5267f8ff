#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# PCP archives made by a real pmcd and pmlogger: every imported value is what
# pmdumplog prints; counters agree with those that limpid itself recorded at
# the same time; gaps, reboots, compressed and damaged archives. pmcd listens
# on the loopback only, with its directories below our own.
set -u

dump=$LIMPID_BUILD/tests/e2e/dump
compare=$LIMPID_SOURCE/tests/e2e/pcp_compare.py
libexec=/usr/lib/pcp/bin
agents=/var/lib/pcp/pmdas
names=/var/lib/pcp/pmns

skip() {
  echo "$1"
  exit 77
}
fail() {
  echo "FAIL: $*"
  exit 1
}
[ -x "$LIMPID_BUILD/cmd/limpid-pcp" ] || skip "limpid was built without libpcp"
[ -x $libexec/pmcd ] || skip "no pmcd (Debian: apt-get install pcp)"
for program in pmlogger pmdumplog pmlogextract pminfo python3 xz; do
  [ -n "$(type -P $program)" ] || [ -x $libexec/$program ] ||
    skip "no $program"
done
PATH=$PATH:$libexec

dir=$(mktemp -d) || exit 1
pmcd='' logger='' load='' recorder=''
cleanup() {
  for pid in $pmcd $logger $load $recorder; do
    kill "$pid" 2>/dev/null
  done
  wait
  rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir" || exit 1

# PCP's directories, so that nothing of the system's own PCP is touched.
mkdir -p run log tmp ns var/config/pmda
sed -e "s|^PCP_RUN_DIR=.*|PCP_RUN_DIR=$dir/run|" \
  -e "s|^PCP_VAR_DIR=.*|PCP_VAR_DIR=$dir/var|" \
  -e "s|^PCP_LOG_DIR=.*|PCP_LOG_DIR=$dir/log|" \
  -e "s|^PCP_TMP_DIR=.*|PCP_TMP_DIR=$dir/tmp|" \
  -e "s|^PCP_TMPFILE_DIR=.*|PCP_TMPFILE_DIR=$dir/tmp|" \
  /etc/pcp.conf >pcp.conf || skip "no /etc/pcp.conf"
export PCP_CONF=$dir/pcp.conf TZ=UTC LC_ALL=C LIMPID_LIBEXEC=$LIMPID_BUILD/cmd
# With sanitizers: what libpcp forgets is not ours.
echo 'leak:libpcp.so' >suppressions
export LSAN_OPTIONS=suppressions=$dir/suppressions:print_suppressions=0
export PMLOGGER_LOCAL=1 PMLOGGER_INTERFACE=127.0.0.1
{
  echo "pmcd 2 dso pmcd_init $agents/pmcd/pmda_pmcd.so"
  echo "linux 60 dso linux_init $agents/linux/pmda_linux.so"
  [ -f $agents/sockets/pmda_sockets.so ] && [ -n "$(type -P ss)" ] &&
    echo "sockets 154 dso sockets_init $agents/sockets/pmda_sockets.so"
  echo '[access]'
  echo 'allow "local:*" : all;'
} >pmcd.conf
{
  echo 'root { network }'
  sed -n '/^#ifndef/,$p' $agents/sockets/pmns 2>/dev/null ||
    echo 'network { persocket } network.persocket { dst 154:1:5 }'
} >ns/sockets
pmnsmerge -f $names/root_linux $names/root_pmcd ns/sockets ns/root ||
  fail "pmnsmerge"

port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')

# start_pmcd [TREE]: with the counters of the machine, or of a made tree.
start_pmcd() {
  LINUX_STATSPATH=${1-} pmcd -f -A -U "$(id -un)" -i 127.0.0.1 -p "$port" \
    -s "$dir/run/socket" -c "$dir/pmcd.conf" -n "$dir/ns/root" \
    -l "$dir/pmcd.log" -x "$dir/pmcd.fatal" &
  pmcd=$!
  for _ in $(seq 1200); do
    pminfo -h "127.0.0.1:$port" -f pmcd.pid >/dev/null 2>&1 && return
    sleep 0.1
  done
  cat pmcd.log pmcd.fatal
  fail "pmcd does not answer"
}

stop_pmcd() {
  kill "$pmcd"
  wait "$pmcd" 2>/dev/null
  pmcd=
}

# start_logger NAME CONFIG SECONDS [OPTION...]
start_logger() {
  pmlogger -h "127.0.0.1:$port" -c "$2" -l "$dir/$1.log" -T "$3sec" \
    "${@:4}" "$dir/$1" &
  logger=$!
}

wait_logger() {
  wait "$logger" || fail "pmlogger: $(tail -1 "$dir"/*.log)"
  logger=
}

# same NAME: what limpid reads of the archive is what pmdumplog prints of it.
same() {
  pmdumplog -x "$1" >"$1.pmdumplog" || fail "pmdumplog $1"
  "$dump" "$1" >"$1.dump" || fail "cannot read $1"
  python3 "$compare" exact "$1.pmdumplog" "$1.dump" || fail "$1 is not exact"
}

# refused PATTERN FILE: an error in one line that says so, no crash.
refused() {
  "$dump" "$2" pcp >refused.out 2>refused.err && fail "$2 was not refused"
  grep -q -- "$1" refused.err || fail "$2: said $(cat refused.err)"
  [ "$(wc -l <refused.err)" = 1 ] || fail "$2: more than one line"
  [ -s refused.out ] && fail "$2: half an answer"
  grep -q "$2" refused.err || fail "the line does not name $2"
}

# ---- a made tree: all counters are known, devices come and go -----------

# counters STEP [FACTOR]: times of reads wrap at 2^32 on the way.
counters() {
  local n=$1 f=${2-1}
  {
    echo "8 0 sda $((1000 * f + n)) 1 $((7000000000 * f + 9 * n)) \
$((4294967290 + 3 * n - 4294967296 * (n > 1))) 20$n 2 30$n 60 $n 7$n 11$n 5$n \
0 8$n 3 9$n 4$n"
    [ "$n" -ge 4 ] && echo "8 16 sdb $n 0 $n $n 0 0 0 0 0 $n $n 0 0 0 0 0 0"
    [ "$n" -lt 6 ] && echo "253 0 dm-0 1$n 0 $((2 * n)) 5 2$n 0 16$n 6 1 7$n \
11$n 0 0 0 0 0 0"
    echo "9 0 md0 7$n 0 56$n 0 8$n 0 64$n 0 0 0 0 0 0 0 0 0 0"
  } | while read -r major minor rest; do
    printf '%4d %7d %s\n' "$major" "$minor" "$rest"
  done >tree/diskstats.new
  mv tree/diskstats.new tree/proc/diskstats
  awk 'BEGIN { print "major minor  #blocks  name\n" }
    { printf "%4d %8d %10d %s\n", $1, $2, 1000000, $3 }' \
    tree/proc/diskstats >tree/proc/partitions
}

# booted SECONDS_AGO
booted() {
  local now
  now=$(date +%s)
  printf '%s\n' "cpu 1000 20 300 4000 50 60 70 80 0 0" \
    "cpu0 1000 20 300 4000 50 60 70 80 0 0" "intr 0" "ctxt 12345" \
    "btime $((now - $1))" "processes 99" "procs_running 1" \
    "procs_blocked 2" >tree/proc/stat
  echo "$1.00 0.00" >tree/proc/uptime
}

mkdir -p tree/proc/net tree/dev/mapper tree/sys/block
cp /proc/net/dev tree/proc/net/
cp /proc/meminfo /proc/loadavg /proc/cpuinfo /proc/version tree/proc/
mknod tree/dev/mapper/vg-data b 253 0 2>/dev/null ||
  skip "not root: no device nodes can be made"
disk() {
  local metric
  for metric in "${@:2}"; do
    printf '%s ' "$1.$metric"
  done
}
disk_metrics="read read_merge blkread read_rawactive write write_merge
  blkwrite write_rawactive inflight avactive aveq discard discard_merge
  blkdiscard discard_rawactive flush flush_rawactive"
# shellcheck disable=SC2086 # a list of words
{
  echo "log mandatory on once { hinv.map.dmname disk.dm.capacity }"
  echo "log mandatory on 200 msec {"
  disk disk.dev $disk_metrics
  disk disk.md $disk_metrics
  echo "disk.dev.read_bytes disk.dm.read disk.dm.write disk.dm.read_bytes"
  echo "network.interface.in.bytes kernel.all.cpu kernel.all.pswitch"
  echo "kernel.all.boottime kernel.all.uptime }"
} >made.conf

echo "== known counters, hot-plug and hot-unplug"
booted 5000
counters 0
start_pmcd "$dir/tree"
# -u: each sample is in the file at once.
start_logger made made.conf 3000 -u
# sampled_twice: of what there is now; the first may have been half read before
sampled_twice() {
  local size now seen=0
  size=$(stat -c %s made.0 2>/dev/null || echo 0)
  for _ in $(seq 6000); do
    now=$(stat -c %s made.0 2>/dev/null || echo 0)
    [ "$now" = "$size" ] || seen=$((seen + 1))
    size=$now
    [ $seen = 2 ] && return
    sleep 0.02
  done
  fail "pmlogger writes nothing: $(tail -1 made.log)"
}
for step in 1 2 3 4 5 6 7; do
  sampled_twice
  counters $step
done
sampled_twice
kill "$logger"
wait "$logger"
logger=
same made
# times INSTANCE, labels: of what was read.
times() {
  awk -F'\t' -v it="$1" '$1 == "value" && $5 == it { print $2 }' made.dump |
    sort -u
}
labels() {
  awk -F'\t' '$1 == "label" { print $4, $5, $6 }' made.dump
}
awk -F'\t' '$1 == "value" && $5 == "sda" && $6 == "rd_ms" {
    if ($7 != 32) exit 1
    if ($8 < last) fell = 1
    last = $8
  }
  END { exit !fell }' made.dump || fail "rd_ms did not wrap at 2^32"
for line in "vg-data layer logical" "vg-data alias vg-data" "vg-data dev dm-0" \
  "vg-data size_bytes 1024000000" "md0 layer array"; do
  labels | grep -qx "$line" || fail "no label $line"
done
# Of sda PCP knows no more than the name, and the inventory says so.
"$LIMPID" inventory -f pcp made | grep -Eq '/sda +disk\? ' ||
  fail "sda is not guessed to be a disk"
[ "$(times sdb | head -1)" != "$(times sda | head -1)" ] || fail "no hot-plug"
[ "$(times vg-data | tail -1)" != "$(times sda | tail -1)" ] ||
  fail "no hot-unplug"
[ -n "$(times sdb)" ] || fail "sdb never came"

echo "== a gap, and a reboot"
# pmlogextract marks a gap where pmcd was another one afterwards.
stop_pmcd
start_pmcd "$dir/tree"
start_logger gap made.conf 1
wait_logger
stop_pmcd
sleep 1.1
booted 0
counters 5 0
start_pmcd "$dir/tree"
start_logger reboot made.conf 1
wait_logger
stop_pmcd
echo 'log mandatory on 1 sec { disk.dev kernel.all.cpu }' >silent.conf
events() {
  "$dump" "$1" | awk -F'\t' '$1 == "event" && $4 != "start" { print $4 }' |
    tr '\n' ' '
}
join() {
  pmlogextract "$@" >/dev/null 2>&1 || fail "pmlogextract $*"
}
sed 's/log mandatory on .*{/{/; s/{//; s/}//' silent.conf | xargs -n1 >metrics
join made gap joined
same joined
[ "$(grep -c '<mark>' joined.pmdumplog)" = 1 ] || fail "no mark"
[ "$(events joined)" = "boot lost " ] || fail "a gap is '$(events joined)'"
join made gap reboot booted
same booted
[ "$(events booted)" = "boot lost boot " ] || fail "a boot is '$(events booted)'"
join -c metrics made gap guessed
[ "$(events guessed)" = "lost " ] || fail "counters go on: '$(events guessed)'"
join -c metrics gap reboot guessed2
[ "$(events guessed2)" = "boot " ] || fail "counters fell: '$(events guessed2)'"
mkdir together
cp made.[0-9]* made.meta made.index gap.[0-9]* gap.meta gap.index together
"$dump" together >together.dump || fail "cannot read a directory"
grep -c '^value' together.dump >count
grep -c '^value' joined.dump | cmp -s - count || fail "a directory has less"

echo "== every file of an archive, compressed ones, version 3"
for file in made.0 made.meta made.index; do
  "$dump" $file | cmp -s - made.dump || fail "$file differs from made"
done
mkdir packed
cp made.0 made.meta made.index packed
xz packed/made.0 packed/made.meta
for file in packed/made packed/made.0.xz packed/made.meta.xz; do
  "$dump" $file | cmp -s - made.dump || fail "$file differs from made"
done
"$LIMPID" import -o one.limpid made.0 made.index made.meta 2>&1 ||
  fail "limpid import"
"$dump" one.limpid | grep ^value | sort >one.values
grep ^value made.dump | sort | cmp - one.values ||
  fail "limpid import makes something else of the three files"
"$LIMPID" import -f pcp -o two.limpid packed/made 2>&1 || fail "limpid import -f"
cmp one.limpid two.limpid || fail "importing twice makes two different archives"
"$LIMPID" import -f pcp --as-host oss1 -o three.limpid made ||
  fail "limpid import --as-host"
"$dump" three.limpid | awk -F'\t' '$1 == "value" && $3 != "oss1" { exit 1 }' ||
  fail "--as-host was not used"
start_pmcd
echo 'log mandatory on 200 msec { network.interface.in.bytes
  network.interface.out.bytes kernel.all.cpu kernel.all.pswitch
  network.tcp.insegs mem.util.free mem.util.dirty }' >nodisk.conf
start_logger third nodisk.conf 2 -V 3
wait_logger
# Times of version 3 are nanoseconds, which pmdumplog cuts to microseconds.
same third
grep -q '	disk	' third.dump && fail "disks in an archive without"

echo "== the machine itself, beside limpid record"
metrics="in out"
# shellcheck disable=SC2086 # a list of words
{
  echo "log mandatory on once { hinv.ncpu kernel.uname.release
    network.interface.hw_addr network.interface.virtual }"
  echo "log mandatory on 1 sec {"
  disk disk.dev $disk_metrics
  disk network.interface $metrics
  echo "kernel.all.cpu kernel.all.pswitch network.tcp.insegs"
  echo "network.tcp.outsegs }"
  echo "log mandatory on 500 msec { mem.util.dirty mem.util.free }"
  [ -f $agents/sockets/pmda_sockets.so ] && [ -n "$(type -P ss)" ] &&
    echo "log mandatory on 1 sec { network.persocket.dst
      network.persocket.state network.persocket.cwnd
      network.persocket.bytes_sent network.persocket.bytes_acked }"
} >real.conf
"$LIMPID" record -o own -i 0.1 --no-tcp &
recorder=$!
# recorded_since TIME: our recording has a sample that is later
recorded_since() {
  "$dump" own/*.limpid 2>/dev/null | awk -F'\t' -v since="$1" '
    $1 == "value" { last = $2 } END { exit !(last > since) }'
}
# await_sample TIME: so that ours begins before theirs, and ends after it
await_sample() {
  for _ in $(seq 600); do
    recorded_since "$1" && return
    sleep 0.2
  done
  fail "limpid record has no sample after $1"
}
await_sample 0
start_logger real real.conf 12
python3 - "$dir/load" <<'PYTHON' &
import os
import socket
import sys
import threading
import time

# Direct I/O in pieces of 64 KiB, and as much through the loopback.
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()


def drain():
    while peer.recv(1 << 16):
        pass


threading.Thread(target=drain, daemon=True).start()
flags = os.O_RDWR | os.O_CREAT
try:
    file = os.open(sys.argv[1], flags | os.O_DIRECT, 0o600)
except OSError:
    file = os.open(sys.argv[1], flags | os.O_DSYNC, 0o600)
import mmap
piece = mmap.mmap(-1, 1 << 16)
end = time.monotonic() + 10
at = 0
while time.monotonic() < end:
    os.pwrite(file, piece, at)
    os.preadv(file, [piece], at)
    client.sendall(piece)
    at = (at + len(piece)) % (64 << 20)
    time.sleep(0.002)
PYTHON
load=$!
wait_logger
wait "$load"
load=
await_sample "$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)"
kill -TERM "$recorder"
wait "$recorder" || fail "limpid record"
recorder=
same real
"$dump" own/*.limpid >own.dump || fail "cannot read our own recording"
python3 "$compare" bracket real.dump own.dump ||
  fail "PCP and limpid disagree"
disk_name=$(awk -F'\t' '$1 == "value" && $4 == "disk" && $6 == "wr_ios" {
  if (!($5 in first)) first[$5] = $8
  last[$5] = $8 }
  END { for (d in last) print last[d] - first[d], d }' real.dump |
  sort -rn | awk '{ print $2; exit }')
"$LIMPID" show -i 0 --csv --device "$disk_name" --device lo real.meta \
  >real.show || fail "limpid show"
python3 "$compare" metrics real.show real.dump own.dump ||
  fail "limpid show disagrees"
if grep -q persocket real.conf; then
  grep -q "	tcp	127.0.0.1:[0-9]*>127.0.0.1:$port	cwnd	" real.dump ||
    fail "pmlogger's own connection is missing"
fi
stop_pmcd

echo "== what cannot be read"
copy() {
  rm -rf bad
  mkdir bad
  cp made.0 made.meta made.index bad
}
copy
head -c 20000 made.0 >bad/made.0
"$LIMPID" show --all --raw -i 0 --csv made.meta >whole.show || fail "limpid show"
"$LIMPID" show --all --raw -i 0 --csv bad/made >cut.show 2>message ||
  fail "a cut archive: $(cat message)"
grep -q "read in part: bad/made: cut off after 20" message ||
  fail "a cut archive: $(cat message)"
if [ "$(wc -l <cut.show)" -lt 100 ] ||
  grep -vxFf whole.show cut.show; then
  fail "a cut archive has other values"
fi
if "$LIMPID" show --strict bad/made >/dev/null 2>&1; then
  fail "a cut archive is not refused by --strict"
fi
copy
head -c 132 made.0 >bad/made.0
refused "Empty" bad/made
copy
head -c 500 made.meta >bad/made.meta
refused "Corrupted" bad/made
copy
rm bad/made.meta
refused "Missing" bad/made
refused "Missing" bad/made.0
echo "time,host" >bad/text
refused "not a PCP archive, which is several files" bad/text
refused "cannot be read as a PCP archive" bad/nothing
echo 'log mandatory on 200 msec { pmcd.pdu_in.total }' >other.conf
start_pmcd
start_logger other other.conf 1
wait_logger
stop_pmcd
refused "none of the metrics" other
copy
# Damage anywhere is either refused or harmless. libpcp itself may crash; we
# must not.
python3 - "$dump" <<'PYTHON' || fail "damage was not refused in one line"
import random
import subprocess
import sys

random.seed(7)
for _ in range(40):
    copy = {}
    for part in ("0", "meta", "index"):
        with open("made." + part, "rb") as file:
            copy[part] = bytearray(file.read())
    part = random.choice(list(copy))
    at = random.randrange(len(copy[part]))
    copy[part][at] ^= random.randrange(1, 256)
    for name, data in copy.items():
        with open("bad/made." + name, "wb") as file:
            file.write(data)
    run = subprocess.run([sys.argv[1], "bad/made", "pcp"], timeout=300,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    lines = len(run.stderr.splitlines())
    if run.returncode not in (0, 1) or lines != run.returncode:
        print("byte %d of %s: status %d, %s" % (at, part, run.returncode,
                                                run.stderr))
        sys.exit(1)
PYTHON

[ -z "$(jobs -rp)" ] || fail "a process is left behind"
echo "all agree"
