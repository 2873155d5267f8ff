#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# This machine is recorded and read back.
# shellcheck disable=SC1091,SC2154,SC2012 # what record.bash sets; plain names
. "$LIMPID_SOURCE/tests/e2e/record.bash"

"$LIMPID" record -o out.d -i 0.1 -n 12 --host 'a/b' 2>err || fail "status $?"
[ ! -s err ] || fail "it said something"
[ "$(ls out.d | wc -l)" = 1 ] || fail "not one file"
file=$(echo out.d/a_b-*.limpid)
"$dump" "$file" >dumped || fail "cannot be read"
[ "$(samples "$file")" = 12 ] || fail "not 12 samples"
has '^event start interval 0.1 s, limpid' dumped || fail "no start"
[ "$(tail -n 1 dumped)" = "event stop in order" ] || fail "no orderly stop"
has '^inventory [1-9]' dumped || fail "no inventory"
has ' disk:[1-9].* net:[1-9].* host:[1-9]' dumped || fail "classes are missing"

# Named after the first sample.
first=$(awk '/^sample/ { print $2; exit }' dumped)
stamp=$(date -u -d "@${first%.*}" +%Y%m%dT%H%M%SZ)
[ "$file" = "out.d/a_b-$stamp.limpid" ] || fail "$file begins at $stamp"

# Counters are the kernel's own, and later than before.
before=$(awk '$1 == "ctxt" { print $2 }' /proc/stat)
"$record" -o more -i 0.1 -n 3 --host h 2>err || fail "status $?"
after=$(awk '$1 == "ctxt" { print $2 }' /proc/stat)
"$dump" --of host - ctxt more/*.limpid |
  awk -v a="$before" -v b="$after" \
    '{ n++; if ($2 < a || $2 > b || $2 < last) bad = 1; last = $2 }
     END { exit bad || n != 3 }' || fail "ctxt is not what the kernel says"

# The next start begins another file.
"$record" -o more -i 0.1 -n 2 --host h 2>err || fail "status $?"
[ "$(ls more/*.limpid | wc -l)" = 2 ] || fail "not a second file"

# Filters.
"$record" -o few -i 0.1 -n 2 --no-tcp --exclude 'host:*' --include 'net:lo' \
  --exclude 'disk:*' --exclude 'ib:*' 2>err || fail "status $?"
"$dump" few/*.limpid | grep '^sample' >dumped
[ "$(cut -d' ' -f3- dumped | sort -u)" = "net:16" ] || fail "filters: $(cat dumped)"
exit 0
