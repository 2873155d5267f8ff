#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/preload.sh LIMPID IO_CALLS
#
# What liblimpid-io.so costs: CPU time of a call with and without it, the least
# of several rounds of each, in turns; and the CPU time of a real program (dd)
# that reads 64 KiB at a time from the page cache, in pairs, long enough that
# loading the library (about 1 ms) is no part of it. Goals: at most 150 ns a
# call, at most 2 %.
set -u
limpid=$1 calls=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-preload.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
head -c 4G /dev/urandom >"$work/file"
cat "$work/file" >/dev/null

for _ in 1 2 3; do
  "$calls" "$work/file" >>"$work/without"
  "$limpid" io run -- "$calls" "$work/file" >>"$work/with" 2>"$work/said"
done
echo "date: $(date -u +%F), $(uname -sr), $(grep -m1 'model name' /proc/cpuinfo |
  cut -d: -f2- | xargs), $(nproc) cores"
echo "CPU time of a call in ns, the least of 45 rounds:"
awk -F, 'FILENAME == ARGV[1] { if (!($1 in a) || $2 < a[$1]) a[$1] = $2; next }
  { if (!($1 in b)) order[++n] = $1
    if (!($1 in b) || $2 < b[$1]) b[$1] = $2 }
  END { printf "  %-16s %10s %10s %8s\n", "", "without", "with", "more"
        for (i = 1; i <= n; i++) { k = order[i]
          printf "  %-16s %10.1f %10.1f %8.1f\n", k, a[k], b[k], b[k] - a[k] } }' \
  "$work/without" "$work/with"
sed 's/^limpid io run/  it says itself/' "$work/said" | head -n 1

TIMEFORMAT='%U %S'
seconds() {
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}
job=(dd "if=$work/file" of=/dev/null bs=64k)
export LIMPID_IO_TRACE=$work/live
for _ in $(seq 40); do
  seconds "${job[@]}" >>"$work/dd-without"
  # The trace as limpid io run makes it; only dd itself is timed.
  "$limpid" io run -o "$work/live" -- sh -c "cp '$work/live' '$work/empty'" \
    2>/dev/null
  cp --sparse=always "$work/empty" "$work/live"
  LD_PRELOAD=$(dirname "$limpid")/../io/preload/liblimpid-io.so \
    seconds "${job[@]}" >>"$work/dd-with"
done
n=$("$limpid" io trace "$work/live" | awk '/^operations:/ { print $2 }')
echo "dd of 4 GiB by 64 KiB, $n operations traced, user and system seconds:"
paste "$work/dd-without" "$work/dd-with" | awk '
  function put(what, v, n, form,    i, j, t) {
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
        t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
      }
    mid = (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
    # Order statistics: 95 % of such intervals hold the true median.
    low = v[int(n / 2 - sqrt(n))]
    high = v[int(n / 2 + 1 + sqrt(n))]
    printf "  %-8s median " form " (95 %%: " form " to " form "), least " form "\n",
      what, mid, low, high, v[1]
  }
  { a[NR] = $1; b[NR] = $2; more[NR] = ($2 / $1 - 1) * 100 }
  END {
    put("without", a, NR, "%.3f")
    put("with", b, NR, "%.3f")
    put("more, %", more, NR, "%.2f")
    printf "goal at most 2 %%: %s\n", mid <= 2 ? "met" : "MISSED"
  }'
