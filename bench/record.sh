#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh BUILD [SECONDS]
#
# CPU, memory and bytes of a sample: the floor (the kernel alone), limpid-record
# and sadc side by side on the same devices, at the same time, in their steady
# state: after the first block was sealed, from the scheduler's own accounts.
set -eu
build=$1
seconds=${2:-60}
settle=66
dir=$(mktemp -d /tmp/limpid-bench-XXXXXX)
sadc=$(command -v sadc || echo /usr/lib/sysstat/sadc)
record=$build/cmd/limpid-record
loops=() pids=() names=()
load=

clean() {
  for pid in "${pids[@]}" $load; do kill "$pid" 2>/dev/null || true; done
  wait
  for loop in "${loops[@]}"; do losetup -d "$loop" || true; done
  rm -rf "$dir"
}
trap clean EXIT

# Block devices, each used once: sadc leaves out those never used.
make_devices() {
  local i loop
  for i in $(seq 34); do
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
  pids+=($!)
  names+=("$name")
}

# CPU nanoseconds of all threads of a process
cpu() { cat "/proc/$1"/task/*/schedstat | awk '{ s += $1 } END { print s }'; }

# Let what was begun settle, then measure for so many seconds. Into
# $dir/NAME: CPU ms a second of it, most resident MiB.
measure() {
  local i before=()
  sleep "$settle"
  for i in "${!pids[@]}"; do before+=("$(cpu "${pids[$i]}")"); done
  sleep "$seconds"
  for i in "${!pids[@]}"; do
    awk -v a="${before[$i]}" -v b="$(cpu "${pids[$i]}")" -v s="$seconds" \
      -v kib="$(awk '/VmHWM/ { print $2 }' "/proc/${pids[$i]}/status")" \
      'BEGIN { printf "%.4f %.1f\n", (b - a) / s / 1e6, kib / 1024 }' \
      >"$dir/${names[$i]}"
  done
  for i in "${!pids[@]}"; do kill "${pids[$i]}"; done
  for i in "${!pids[@]}"; do wait "${pids[$i]}" || true; done
  pids=() names=()
}

# ms NAME SAMPLES_PER_SECOND
ms() { awk -v f="$2" '{ printf "%.4f", $1 / f }' "$dir/$1"; }
row() {
  printf '  %-26s %8s ms %6s MiB\n' "$1" "$(ms "$2" "$3")" \
    "$(cut -d' ' -f2 "$dir/$2")"
}
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

make_devices
run_load &
load=$!
few=(--no-tcp --exclude 'host:*' --exclude 'ib:*')

begin limpid "$record" -o "$dir/a" "${few[@]}"
at 0.33
begin floor "$build/bench/floor" 1000 1000000
at 0.66
[ -x "$sadc" ] && begin sadc "$sadc" -S DISK 1 1000000 "$dir/sa"
measure
live=$(cat "$dir"/a/*.limpid | wc -c)
samples=$((seconds + settle))

begin all "$record" -o "$dir/b"
at 0.5
[ -x "$sadc" ] && begin nodisk "$sadc" 1 1000000 "$dir/sb"
measure

settle=12
begin fast "$record" -o "$dir/c" -i 0.1 "${few[@]}"
at 0.55
begin fastfloor "$build/bench/floor" 100 1000000
measure

date -u +%Y-%m-%d
uname -srm
grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'
echo "a sample of $(wc -l </proc/diskstats) block devices, every second:"
row "floor (pread alone)" floor 1
row "limpid, disk and net" limpid 1
row "limpid, all classes" all 1
if [ -x "$sadc" ]; then
  row "sadc -S DISK" sadc 1
  row "sadc without disks" nodisk 1
fi
echo "every 0.1 s:"
row "floor (pread alone)" fastfloor 10
row "limpid, disk and net" fast 10
echo "limpid / floor: $(ratio "$(ms limpid 1)" "$(ms floor 1)")," \
  "every 0.1 s $(ratio "$(ms fast 1)" "$(ms fastfloor 1)") (at most 2)"
echo "bytes a sample, disk and net, inventory and all: $((live / samples))"
"$build/cmd/limpid" archive compact "$dir"/a/*.limpid >/dev/null 2>&1 &&
  live=$(cat "$dir"/a/*.limpid | wc -c) &&
  echo "compacted: $((live / samples))"
[ -x "$sadc" ] || exit 0
echo "sadc -S DISK / limpid: $(ratio "$(ms sadc 1)" "$(ms limpid 1)")" \
  "(at least 8); sadc's extra for disks / limpid:" \
  "$(ratio "($(ms sadc 1) - $(ms nodisk 1))" "$(ms limpid 1)")"
packed=$(zstd -1 -c "$dir/sa" | wc -c)
echo "sadc's bytes: $(($(wc -c <"$dir/sa") / samples))," \
  "after zstd -1: $((packed / samples));" \
  "limpid / that: $(ratio "$live" "$packed") (at most 0.4)"
