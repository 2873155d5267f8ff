#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# sadc and limpid record the same loop devices and the same loopback interface
# at the same time, under fio, discards and network traffic. Then
#   1. limpid's counters must be sadc's (sysstat_compare.py says how exactly);
#   2. the imported file of sadc must give what sadf prints of it;
#   3. its table must have the columns of sar's, and the same numbers in them.
set -eu

skip() {
  echo "skipped: $1"
  exit 77
}

sadc=
for path in /usr/lib/sysstat/sadc /usr/lib64/sa/sadc /usr/lib/sa/sadc; do
  if [ -x $path ]; then sadc=$path; fi
done
[ -n "$sadc" ] || skip "sadc is not installed (package sysstat)"
for tool in sadf sar fio losetup python3 unshare ip; do
  command -v $tool >/dev/null || skip "$tool is not installed"
done
[ "$(id -u)" = 0 ] || skip "needs root for loop devices and a network namespace"

# Others' traffic on the loopback interface must not be in the way.
if [ -z "${LIMPID_E2E_INSIDE:-}" ]; then
  unshare --net true 2>/dev/null || skip "network namespaces are not allowed"
  LIMPID_E2E_INSIDE=1 exec unshare --net bash "$0" "$@"
fi
ip link set lo up

work=$(mktemp -d /tmp/limpid-e2e-sysstat-XXXXXX)
loops=()
jobs=()
cleanup() {
  for pid in "${jobs[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  for loop in "${loops[@]}"; do losetup -d "$loop" || true; done
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work"

make_loop() {
  truncate -s 64M "disk$1"
  loop=$(losetup -f --show --direct-io=off "disk$1") ||
    skip "no loop device can be made here"
  loops+=("$loop")
  # sadc leaves out devices that were never used.
  dd if=/dev/zero of="$loop" bs=64k count=1 oflag=direct status=none
}
make_loop 1
make_loop 2
sync "${loops[@]}"

"$sadc" -S DISK 1 sa &
sadc_pid=$!
jobs+=("$sadc_pid")
"$LIMPID" record -i 0.1 -o "$work" \
  --include 'disk:loop*' --no-tcp >record.log 2>&1 &
recorder=$!
jobs+=("$recorder")
# await COMMAND...: until it succeeds, for two minutes at most
await() {
  for _ in $(seq 600); do
    "$@" && return
    sleep 0.2
  done
  echo "FAIL: waited in vain for: $*"
  exit 1
}
# sampled: a new sample of sadc is in its file since $size; and limpid's first
# sample in one of its own
sampled() {
  [ "$(stat -c %s sa 2>/dev/null || echo 0)" -gt "$size" ] &&
    compgen -G "$work/*.limpid" >/dev/null
}
# two_samples: of sadc, from now on. limpid's are ten a second.
two_samples() {
  for _ in 1 2; do
    size=$(stat -c %s sa 2>/dev/null || echo 0)
    await sampled
  done
}

# Idle at both ends: then totals over the whole are exactly equal.
two_samples
fio --name=busy --filename="${loops[0]}" --rw=randrw --bsrange=4k-64k \
  --ioengine=libaio --iodepth=4 --direct=1 --time_based --runtime=6 \
  --rate_iops=400 --output=fio.log &
busy=$!
python3 "$LIMPID_SOURCE/tests/e2e/bursts.py" "${loops[1]}" sa 7 &
bursts=$!
jobs+=("$busy" "$bursts")
wait "$busy"
wait "$bursts"
two_samples
# Right after a sample: none is being written.
kill "$sadc_pid"
wait "$sadc_pid" || true
kill "$recorder"
wait "$recorder"

sadf -j sa -- -d -n DEV >sa.json
sadf -r -U -O debug sa -- -d -j SID >disk.raw
sadf -r -U -O debug sa -- -n DEV >net.raw
sadf -d -U sa -- -d >disk.csv
sadf -d -U sa -- -n DEV >net.csv
"$LIMPID" show --raw --csv --all -i 0 "$work"/*.limpid >recorded.csv
"$LIMPID" show --csv --all -i 0 "$work"/*.limpid >metrics.csv
"$LIMPID" import -o imported.limpid sa
"$LIMPID" import -o again.limpid sa
cmp imported.limpid again.limpid
"$LIMPID" show --csv --all -i 0 imported.limpid >imported.csv
LC_ALL=C TZ=UTC sar -d -f sa >disk.sar
LC_ALL=C TZ=UTC sar -n DEV -f sa >net.sar
for class in disk net; do
  "$LIMPID" show --all -i 0 --class $class imported.limpid >$class.table
done
python3 "$LIMPID_SOURCE/tests/e2e/sysstat_compare.py" "$work" \
  "${loops[0]#/dev/}" "${loops[1]#/dev/}"
