#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Two network namespaces, real connections between them, limpid recording one
# of them: what it counts is what was sent, and what `ss -ti` shows, of all
# connections of a peer and (--sockets) of each.
set -eu
here=$LIMPID_SOURCE/tests/e2e
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "network namespaces take root"
for tool in ip ss python3; do
  command -v $tool >/dev/null || skip "there is no $tool"
done

work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-tcp.XXXXXX")
client=lp-tcp-c$$ server=lp-tcp-s$$
pids=()
finish() {
  local pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  ip netns del $client 2>/dev/null || true
  ip netns del $server 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

ip netns add $client 2>"$work/why" || skip "no namespaces: $(cat "$work/why")"
ip netns add $server
ip -n $client link add veth0 type veth peer name veth0 netns $server \
  2>"$work/why" || skip "no veth: $(cat "$work/why")"
for side in $client $server; do
  ip -n "$side" link set lo up
  ip -n "$side" link set veth0 up
done
ip -n $client addr add 10.99.1.1/24 dev veth0
ip -n $server addr add 10.99.1.2/24 dev veth0

ip netns exec $server python3 "$here/tcp_peer.py" serve 5001 >"$work/serve" &
pids+=($!)
until grep -q ready "$work/serve"; do
  kill -0 "${pids[0]}" || { echo "the server does not start"; exit 1; }
  sleep 0.1
done
mkfifo "$work/orders"
ip netns exec $client python3 "$here/tcp_peer.py" send 10.99.1.2 5001 \
  <"$work/orders" >"$work/answers" &
pids+=($!)
exec 7>"$work/orders"

orders=0
order() {
  echo "$*" >&7
  orders=$((orders + 1))
  local tries=0
  until [ "$(wc -l <"$work/answers")" -ge $orders ]; do
    tries=$((tries + 1))
    [ $tries -lt 1200 ] || { echo "no answer to: $*"; exit 1; }
    sleep 0.1
  done
}

# One connection is there before the recording: its past must not count.
order keep first 1000
"$LIMPID" record -o "$work/rec" -i 0.2 --host server --netns $server \
  --include 'tcp:5001*' --exclude 'disk:*' --exclude 'host:*' &
recorder=$!
"$LIMPID" record -o "$work/each" -i 0.2 --host server --netns $server \
  --sockets --include 'tcp:*:5001>*' --exclude 'disk:*' --exclude 'host:*' &
each=$!
pids+=("$recorder" "$each")
until ls "$work"/rec/*.limpid "$work"/each/*.limpid >"$work/files" 2>&1; do
  kill -0 "$recorder" "$each" || { echo "a recorder does not start"; exit 1; }
  sleep 0.1
done
order keep first 100000
order brief 10 50000
order keep second 200000
order keep third 300000
order brief 7 30000
# No more traffic: two looks at the same sockets, ours and that of ss.
sleep 1
ip netns exec $server ss -tinH state established sport = :5001 >"$work/ss"
sleep 0.5
kill "$recorder" "$each"
wait "$recorder" || { echo "the recorder failed"; exit 1; }
wait "$each" || { echo "the recorder of each socket failed"; exit 1; }

"$LIMPID" show --raw --csv --all --class tcp -i 0 "$work/rec" >"$work/csv"
python3 - "$work/csv" "$work/ss" "$LIMPID_BUILD/tests/e2e/outline" \
  "$work"/each/*.limpid <<'EOF'
import csv
import re
import struct
import subprocess
import sys

rows = [r for r in csv.DictReader(open(sys.argv[1]))
        if r["component"].endswith("5001>10.99.1.1")]
ss = open(sys.argv[2]).read()


def ours(metric):
    return [float(r["value"]) for r in rows
            if r["metric"] == metric and r["value"]]


def theirs(pattern):
    return [float(v) for v in re.findall(pattern, ss)]


failed = 0


def same(what, a, b, tolerance=0):
    global failed
    good = abs(a - b) <= tolerance
    failed += not good
    print("ok" if good else "WRONG", what, a, b)


kept, brief = 100000 + 200000 + 300000, 10 * 50000 + 7 * 30000
received = sum(ours("bytes_received"))
# A connection that ended is counted with its FIN, as the kernel does.
same("bytes that were sent", received, kept + brief, 17)
same("bytes in ss", received - brief,
     sum(theirs(r"bytes_received:(\d+)")) - 1000, 17)
same("sockets", ours("sockets")[-1], len(theirs(r"cwnd:(\d+)")))
same("three sockets", ours("sockets")[-1], 3)
same("cwnd", ours("cwnd")[-1],
     sum(theirs(r"cwnd:(\d+)")) / len(theirs(r"cwnd:(\d+)")), 1e-9)
same("rtt", ours("rtt_ms")[-1],
     sum(theirs(r"\brtt:([\d.]+)")) / len(theirs(r"\brtt:([\d.]+)")), 0.001)


def of_socket(port, column):
    """The bits of the last value of one connection: the kernel's own."""
    lines = subprocess.run(
        [sys.argv[3], "--of", "tcp", f"10.99.1.2:5001>10.99.1.1:{port}",
         column, *sys.argv[4:]], capture_output=True, text=True, check=True)
    return int(lines.stdout.splitlines()[-1].split()[1])


sockets = re.findall(r"10\.99\.1\.2:5001\s+10\.99\.1\.1:(\d+)"
                     r".*?\bcwnd:(\d+).*?\bbytes_received:(\d+)", ss, re.S)
same("sockets told apart", len(sockets), 3)
same("bytes of the first", min(int(b) for _, _, b in sockets), 101000)
for port, cwnd, received in sockets:
    same(f"bytes of {port}", of_socket(port, "bytes_received"), int(received))
    mean = struct.pack("<Q", of_socket(port, "cwnd"))
    same(f"cwnd of {port}", struct.unpack("<d", mean)[0], int(cwnd))
sys.exit(failed > 0)
EOF
