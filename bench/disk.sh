#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: disk.sh BUILD [SECONDS]
#
# The virtual disk beside its own arithmetic: its rate as fio sees it, its
# queueing as fio and /proc/diskstats see it, seeks, load beneath, a shared bus;
# and what it costs. Each figure is of one load of SECONDS. Takes root.
# shellcheck disable=SC1091,SC2154,SC2034 # what disk.bash sets and uses
LIMPID_BUILD=$(readlink -f "$1")
seconds=${2:-8}
. "$(dirname "$(readlink -f "$0")")/../tests/e2e/disk.bash"
need_lab
trap clean EXIT
cd "$work" || exit 1

missed=0
# goal TEXT FIGURE EXPECTED PERCENT
goal() {
  local how=met
  near "$2" "$3" "$4" || { how=MISSED; missed=$((missed + 1)); }
  printf '%-44s %10s of %10s, %+5.1f %%, goal %s %%: %s\n' "$1" "$2" "$3" \
    "$(awk "BEGIN { print ($2 / $3 - 1) * 100 }")" "$4" "$how"
}

# expected await in ms: QUEUE requests of BYTES at RATE, each with a seek of MS
expected() {
  awk -v q="$1" -v b="$2" -v r="$3" -v s="${4:-0}" \
    'BEGIN { printf "%.2f", q * (b / r * 1000 + s) }'
}

# CPU nanoseconds of a process, to now
cpu() { cut -d' ' -f1 "/proc/$1/schedstat"; }
# share BEFORE AFTER: per cent of one core
share() {
  awk "BEGIN { printf \"%.2f\", ($2 - $1) / ($seconds * 1e9) * 100 }"
}

rates() {
  local how r
  echo "rate, 128 KiB requests, queue 4, by fio (bytes a second):"
  for r in 6000000 12000000 50000000; do
    ctl 1 rate $r >/dev/null
    for how in read write; do
      load "$loop" $how 4 131072 "${seconds}s"
      goal "  $how at $r" "$rate" $r 5
    done
  done
  ctl 1 reset >/dev/null
}

queues() {
  local how q
  echo "await in /proc/diskstats at 12 MB/s, 128 KiB requests (ms), and fio's:"
  for q in 1 2 4 16; do
    for how in read write; do
      load "$loop" $how $q 131072 "${seconds}s"
      goal "  $how, queue $q" "$await" "$(expected $q 131072 12000000)" 5
      goal "    by fio" "$clat" "$(expected $q 131072 12000000)" 5
    done
  done
  echo "small requests, 4 KiB, random, a seek of 8 ms each (ms):"
  for q in 1 4; do
    load "$loop" randread $q 4096 "${seconds}s"
    goal "  random read, queue $q" "$await" \
      "$(expected $q 4096 12000000 8)" 5
  done
}

# Another reader of half the disk beneath: each of the loop device's requests
# finds the spindle busy or its head elsewhere.
beneath() {
  local alone reader
  load "$loop" read 1 131072 "${seconds}s" --rate=3000k
  alone=$await
  fio --name=under --thread --filename=m1/under --rw=read --bs=128k --direct=1 \
    --offset=300M --size=200M --rate=4000k --time_based \
    --runtime="$((seconds + 2))s" >/dev/null 2>fio.err &
  reader=$!
  sleep 1
  load "$loop" read 1 131072 "${seconds}s" --rate=3000k
  wait $reader
  echo "3 MB/s through the loop device: await $alone ms alone, $await ms with" \
    "4 MB/s beneath; $(awk "BEGIN { printf \"%.2f\", $sectors * 512 / $seconds / 1e6 }") MB/s counted"
}

# CPU at the full rate of 12 MB/s.
cost() {
  local how before requests
  echo "CPU of the disk's process at 12 MB/s, per cent of one core:"
  for how in read write; do
    before=$(cpu "${pid[1]}")
    requests=$(figure 1 answered)
    load "$loop" $how 4 131072 "${seconds}s"
    echo "  $how: $(share "$before" "$(cpu "${pid[1]}")") %," \
      "$((($(cpu "${pid[1]}") - before) / ($(figure 1 answered) - requests) /
        1000)) us a request"
  done
  echo "  resident: $(awk '/VmHWM/ { printf "%.1f MiB", $2 / 1024 }' \
    "/proc/${pid[1]}/status")"
  echo "answers were late by $(($(figure 1 late_us) / $(figure 1 answered))) us" \
    "in the mean"
}

# Six disks at once, as the lab has them: the busiest and the idlest.
six() {
  local i args=() before=0 after=0
  for i in 2 3 4 5 6; do start $i --size 512Mi --rate 12M --seek 8; done
  for i in 1 2 3 4 5 6; do
    args+=("--name=d$i" "--filename=m$i/under")
    before=$((before + $(cpu "${pid[$i]}")))
  done
  fio --thread --rw=read --bs=128k --direct=1 --size=200M --time_based \
    --runtime="${seconds}s" --iodepth=4 --ioengine=libaio \
    --output-format=terse --terse-version=3 "${args[@]}" 2>fio.err |
    awk -F';' 'NF > 60 { print $7 * 1024 }' | sort -n >six
  for i in 1 2 3 4 5 6; do after=$((after + $(cpu "${pid[$i]}"))); done
  echo "six disks of 12 MB/s at once, bytes a second:"
  goal "  the slowest" "$(head -n 1 six)" 12000000 5
  goal "  the fastest" "$(tail -n 1 six)" 12000000 5
  echo "  CPU of all six: $(share $before $after) % of one core"
}

# Two of them on a bus for one and a half.
bus() {
  ctl 1 bus "$work/bus" 18M >/dev/null
  ctl 2 bus "$work/bus" >/dev/null
  fio --thread --rw=read --bs=128k --direct=1 --size=200M --time_based \
    --runtime="${seconds}s" --iodepth=4 --ioengine=libaio \
    --output-format=terse --terse-version=3 --name=one --filename=m1/under \
    --name=two --filename=m2/under 2>fio.err |
    awk -F';' 'NF > 60 { r += $7 * 1024 } END { print r }' >both
  goal "two disks of 12 MB/s on a bus of 18" "$(cat both)" 18000000 5
}

date -u '+%Y-%m-%d %H:%M'
uname -srm
grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'
echo "load average $(cut -d' ' -f1-3 /proc/loadavg) on $(nproc) cores," \
  "$seconds s a figure"
start 1 --size 1Gi --rate 12M --seek 8
attach 1
rates
queues
beneath
cost
six
bus
echo "$missed missed"
