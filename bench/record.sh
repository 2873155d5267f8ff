#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh BUILD [SECONDS [DEVICES]]
#
# CPU, memory and bytes of a sample: the floor (the kernel alone), limpid-record
# and sadc on the same devices at the same time, each at its own moment of the
# second, so that all suffer alike from whatever else the machine does. Measured
# in their steady state, after the first block was sealed, from the scheduler's
# own accounts, in five windows of SECONDS, a block sealed in each; median, least
# and most are shown. sadc has much to do that is no disk, so its ratio to limpid
# falls with the number of DEVICES; the floor's own ratio says how far it could be.
# Then, in windows of ten seconds, the recorder of TCP sockets, too, beside a floor
# that takes their dump, and every 0.1 s; all in all under ten minutes.
set -eu
build=$1
seconds=${2:-60}
devices=${3:-30}
windows=5
dir=$(mktemp -d /tmp/limpid-bench-XXXXXX)
here=$(dirname "$(readlink -f "$0")")
sadc=$(command -v sadc || echo /usr/lib/sysstat/sadc)
record=$build/cmd/limpid-record
few=(--no-tcp --exclude 'host:*' --exclude 'ib:*')
with_tcp=(--exclude 'host:*' --exclude 'ib:*')
before=$(ls /sys/block)
loops=()
load=
declare -A pids=()

clean() {
  for pid in "${pids[@]}" $load; do kill "$pid" 2>/dev/null || true; done
  wait
  for loop in "${loops[@]}"; do losetup -d "$loop" || true; done
  remove_nodes
  rm -rf "$dir"
}
trap clean EXIT

# losetup leaves the devices that it made: disks of nobody, which the next run
# would count, too.
remove_nodes() {
  sleep 1
  python3 - "$before" "${loops[@]}" <<'END'
import fcntl, os, sys
LOOP_CTL_REMOVE = 0x4C81
control = os.open("/dev/loop-control", os.O_RDWR)
for path in sys.argv[2:]:
    name = os.path.basename(path)
    if name not in sys.argv[1].split():
        fcntl.ioctl(control, LOOP_CTL_REMOVE, int(name[4:]))
END
}

# So many block devices in all, each used once: sadc leaves out those never used.
make_devices() {
  local i loop others
  others=$(awk '$3 !~ /^loop/' /proc/diskstats | wc -l)
  for i in $(seq $((devices - others))); do
    truncate -s 4M "$dir/disk$i"
    loop=$(losetup -f --show "$dir/disk$i")
    loops+=("$loop")
    dd if=/dev/urandom of="$loop" bs=64k count=1 status=none oflag=direct
  done
}

# A little I/O on three devices, as a server has it.
run_load() {
  local i=0
  while :; do
    dd if=/dev/zero of="${loops[$((i++ % 3))]}" bs=16k count=4 status=none \
      oflag=direct
    sleep 0.25
  done
}

# Wait for this fraction of a second, so that ticks do not fall together:
# limpid's are at whole ones.
at() {
  sleep "$(awk -v now="0.$(date +%N)" -v at="$1" \
    'BEGIN { d = at - now; print d < 0 ? d + 1 : d }')"
}

# begin NAME COMMAND...
begin() {
  local name=$1
  shift
  "$@" >"$dir/$name.out" 2>&1 &
  pids[$name]=$!
}

# stop NAME...; its resident memory (MiB, the most ever) into $dir/NAME.rss
stop() {
  local name pid
  for name; do
    pid=${pids[$name]}
    awk '/VmHWM/ { printf "%.1f", $2 / 1024 }' "/proc/$pid/status" \
      >"$dir/$name.rss"
    kill "$pid"
    wait "$pid" || true
    unset "pids[$name]"
  done
}

# CPU nanoseconds of all threads of a process
cpu() { cat "/proc/$1"/task/*/schedstat | awk '{ s += $1 } END { print s }'; }

# window SECONDS SAMPLES NAME...: CPU ms a sample, a line more in $dir/NAME
window() {
  local s=$1 samples=$2 name
  local -A before=()
  shift 2
  for name; do before[$name]=$(cpu "${pids[$name]}"); done
  sleep "$s"
  for name; do
    awk -v a="${before[$name]}" -v b="$(cpu "${pids[$name]}")" -v n="$samples" \
      'BEGIN { printf "%.4f\n", (b - a) / n / 1e6 }' >>"$dir/$name"
  done
}

# "MEDIAN LEAST MOST" of a column of numbers
spread() {
  sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[1], v[NR] }'
}

row() { # TITLE NAME
  local mid low high
  [ -f "$dir/$2" ] || return 0
  read -r mid low high < <(spread <"$dir/$2")
  printf '  %-28s %.4f ms (%.4f to %.4f) %5s MiB\n' "$1" "$mid" "$low" "$high" \
    "$(cat "$dir/$2.rss")"
}

# goal TEXT FIGURE atmost|atleast LIMIT [RANGE]
goal() {
  printf '%-52s %6s, goal %s %s: %s%s\n' "$1" "$2" "$3" "$4" \
    "$(awk -v v="$2" -v how="$3" -v g="$4" 'BEGIN {
      print (how == "at most" ? v <= g : v >= g) ? "met" : "MISSED" }')" \
    "${5:+ ($5)}"
}

# Window by window, so that both sides saw the same machine.
ratios() { paste "$dir/$1" "$dir/$2" | awk '{ printf "%.2f\n", $1 / $2 }'; }

ratio_goal() { # TEXT NAME NAME HOW LIMIT
  local mid low high
  [ -f "$dir/$2" ] && [ -f "$dir/$3" ] || return 0
  read -r mid low high < <(ratios "$2" "$3" | spread)
  goal "$1" "$mid" "$4" "$5" "$low to $high"
}

ratio_row() { # TEXT NAME NAME
  local mid low high
  [ -f "$dir/$2" ] && [ -f "$dir/$3" ] || return 0
  read -r mid low high < <(ratios "$2" "$3" | spread)
  printf '%-52s %6s (%s to %s)\n' "$1" "$mid" "$low" "$high"
}

measure_steady() {
  local i names=(floor limpid)
  begin limpid "$record" -o "$dir/a" "${few[@]}"
  at 0.25
  begin floor "$build/bench/floor" 1000 1000000
  if [ -x "$sadc" ]; then
    at 0.5
    begin sadc "$sadc" -S DISK 1 1000000 "$dir/sa"
    at 0.75
    begin nodisk "$sadc" 1 1000000 "$dir/sb"
    names+=(sadc nodisk)
  fi
  sleep 62
  for i in $(seq "$windows"); do
    window "$seconds" "$seconds" "${names[@]}"
  done
  stop "${names[@]}"
}

hold_sockets() { # COUNT
  rm -f "$dir/sockets.out"
  begin sockets python3 "$here/hold_sockets.py" "$1" 16
  until grep -qs ready "$dir/sockets.out"; do
    kill -0 "${pids[sockets]}"
    sleep 0.1
  done
}

# So many sockets: the recorder beside the floor with a dump a tick. A tail is
# written in each window, a block sealed near the end of the last.
measure_tcp() { # SOCKETS
  local i
  hold_sockets "$1"
  at 0.8
  begin "tcp$1" "$record" -o "$dir/tcp-$1" "${with_tcp[@]}"
  at 0.5
  begin "tcpfloor$1" "$build/bench/floor" 1000 1000000 tcp
  sleep 11.25 # so that windows end between the ticks
  for i in $(seq "$windows"); do window 10 10 "tcp$1" "tcpfloor$1"; done
  stop "tcp$1" "tcpfloor$1" sockets
}

# Every 0.1 s while the recorder of all classes fills its first block; then
# that one alone until it has sealed it, for its memory.
measure_rest() {
  local i
  hold_sockets 1000
  begin all "$record" -o "$dir/b"
  begin fast "$record" -o "$dir/c" -i 0.1 "${few[@]}"
  at 0.55
  begin fastfloor "$build/bench/floor" 100 1000000
  sleep 9
  for i in $(seq "$windows"); do window 8 80 fast fastfloor; done
  stop fast fastfloor
  for i in 1 2 3; do window 10 10 all; done
  stop all sockets
}

print_bytes() {
  local live compacted packed samples
  samples=$("$build/cmd/limpid" archive info --json "$dir"/a/*.limpid |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["samples"])' \
    2>/dev/null || echo $((62 + windows * seconds)))
  live=$(cat "$dir"/a/*.limpid | wc -c)
  echo "bytes a sample, disk and net, inventory and all: $((live / samples))"
  "$build/cmd/limpid" archive compact "$dir"/a/*.limpid >/dev/null 2>&1
  compacted=$(cat "$dir"/a/*.limpid | wc -c)
  echo "  after archive compact: $((compacted / samples))"
  [ -f "$dir/sa" ] || return 0
  packed=$(zstd -1 -c "$dir/sa" | wc -c)
  echo "  sadc -S DISK: $(($(wc -c <"$dir/sa") / samples))," \
    "after zstd -1: $((packed / samples))"
  goal "bytes, limpid compacted / sadc after zstd -1" \
    "$(awk "BEGIN { printf \"%.2f\", $compacted / $packed }")" "at most" 0.4
  printf '%-52s %6s\n' "  the same before it is compacted" \
    "$(awk "BEGIN { printf \"%.2f\", $live / $packed }")"
}

make_devices
run_load &
load=$!
measure_steady
measure_tcp 100
measure_tcp 1000
measure_rest

date -u '+%Y-%m-%d %H:%M'
uname -srm
grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'
echo "load average $(cut -d' ' -f1-3 /proc/loadavg) on $(nproc) cores"
echo "CPU a sample of $(wc -l </proc/diskstats) block devices, every second," \
  "median of $windows windows of $seconds s (least to most):"
row "floor (pread alone)" floor
row "limpid, disk and net" limpid
row "sadc -S DISK" sadc
row "sadc without disks" nodisk
echo "every second, TCP sockets as well, windows of 10 s:"
row "floor, 100 sockets" tcpfloor100
row "limpid, 100 sockets" tcp100
row "floor, 1,000 sockets" tcpfloor1000
row "limpid, 1,000 sockets" tcp1000
row "limpid, all, 1,000 sockets" all
echo "every 0.1 s, windows of 8 s:"
row "floor (pread alone)" fastfloor
row "limpid, disk and net" fast
ratio_goal "CPU, limpid / floor" limpid floor "at most" 2
ratio_goal "CPU every 0.1 s, limpid / floor" fast fastfloor "at most" 2
ratio_goal "CPU, limpid / floor, 100 sockets" tcp100 tcpfloor100 "at most" 2
ratio_goal "CPU, limpid / floor, 1,000 sockets" tcp1000 tcpfloor1000 "at most" 2
ratio_goal "CPU, sadc -S DISK / limpid" sadc limpid "at least" 8
ratio_row "  the same of the floor" sadc floor
goal "MiB resident, disk and net" "$(cat "$dir/limpid.rss")" "at most" 4
goal "MiB resident, every 0.1 s" "$(cat "$dir/fast.rss")" "at most" 4
goal "MiB resident, all classes, 1,000 sockets" "$(cat "$dir/all.rss")" \
  "at most" 4
print_bytes
if [ -f "$dir/nodisk" ]; then
  echo "sadc's extra for disks / limpid, window by window:" \
    "$(paste "$dir/sadc" "$dir/nodisk" "$dir/limpid" |
      awk '{ printf " %.2f", ($1 - $2) / $3 }')"
fi
