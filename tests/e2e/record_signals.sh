#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SIGHUP begins a new file and has the closed one compacted, SIGTERM and SIGINT
# stop in order; one recorder a host and directory; --keep removes what is old;
# a suspended recorder leaves a gap.
# shellcheck disable=SC1091,SC2154,SC2012,SC2317 # what record.bash sets; plain names
. "$LIMPID_SOURCE/tests/e2e/record.bash"

one_file_more() { [ "$(ls d/*.limpid 2>/dev/null | wc -l)" -gt "$1" ]; }

start -o d -i 0.1 --host h
until_true one_file_more 0 || fail "no file"
"$record" -o d -i 0.1 -n 1 --host h 2>err2 && fail "a second recorder runs"
[ $? = 1 ] || fail "status $?"
has 'another recorder' err2 || fail "no word of the other recorder"
"$record" -o d -i 0.1 -n 1 --host other 2>err2 || fail "another host is refused"
for verb in 'repair --in-place' compact; do
  # shellcheck disable=SC2086 # words
  "$LIMPID_BUILD/cmd/limpid" archive $verb d/h-*.limpid 2>err2 >/dev/null &&
    fail "$verb takes a file that is being recorded"
  has 'being recorded' err2 || fail "$verb: no word of the recorder"
done
until_true archived d '^sample' || fail "no sample"
kill -HUP "$pid"
until_true one_file_more 2 || fail "no new file after SIGHUP"
finish TERM || fail "SIGTERM: status $?"
cat d/h-*.limpid >/dev/null || fail "no archive"
for file in d/h-*.limpid; do "$dump" "$file"; done >dumped || fail "unreadable"
[ "$(grep -c '^event stop' dumped)" = 1 ] || fail "not one orderly stop"
[ "$(grep -c '^event start' dumped)" = 1 ] || fail "not one start"
[ "$(grep -c '^inventory' dumped)" = 2 ] || fail "not an inventory a file"
awk '/^sample/ { if ($2 <= last) exit 1; last = $2 }' dumped ||
  fail "samples are repeated or out of order"

start -o e -i 0.1 --host h
until_true archived e '^sample' || fail "no sample"
finish INT || fail "SIGINT: status $?"
archived e '^event stop' || fail "no orderly stop"

# timeout(1) sends its signal to the recorder and then to the whole group.
start -o t -i 0.1 --host h
until_true archived t '^sample' || fail "no sample"
kill -TERM "$pid"
finish TERM || fail "SIGTERM twice: status $?"
archived t '^event stop' || fail "no orderly stop after two signals"

# The closed file is compacted. The tree's devices stay: an inventory in between
# would keep blocks apart.
in_file() { # KEY FILE
  "$LIMPID" archive info --json "$2" | grep -o "\"$1\":[0-9]*" | cut -d: -f2
}
replaced() { ! [ "$1" -ef "$2" ]; }
start -o c -i 0.1 --host h --root "$LIMPID_SOURCE/tests/trees/linux-4.18"
# A block is full at 64; tails of 32 are written.
until_true recorded c 97 || fail "no two blocks"
closed=$(echo c/h-*.limpid)
ln "$closed" as-recorded
kill -HUP "$pid"
until_true replaced "$closed" as-recorded || fail "$closed is not compacted"
finish TERM || fail "status $?"
diff <("$dump" as-recorded | grep '^sample') <("$dump" "$closed" | grep '^sample') \
  >/dev/null || fail "compacting changed samples"
[ "$(in_file samples "$closed")" = "$(in_file samples as-recorded)" ] ||
  fail "compacting changed the number of samples"
[ "$(in_file blocks "$closed")" -lt "$(in_file blocks as-recorded)" ] ||
  fail "compacting joined no blocks"

# --keep: this host's old archive goes; a young one and another host's stay.
old_archive() { # HOST
  printf 'time,host,device,rd_ios\n1000,%s,sda,1\n1001,%s,sda,2\n' "$1" "$1" \
    >old.csv
  "$LIMPID" import -o "k/$1-19700101T001640Z.limpid" old.csv
}
gone() { ! [ -e "$1" ]; }
no_child() {
  local children child
  children=$(cat /proc/"$pid"/task/*/children)
  for child in $children; do
    grep -q '^State:.Z' "/proc/$child/status" || return 1
  done
}
"$record" -o k -i 0.1 -n 1 --host h 2>err || fail "status $?"
young=$(echo k/h-*.limpid)
{ old_archive h && old_archive other; } >/dev/null || fail "no old archives"
start -o k -i 0.1 --host h --keep 1
until_true gone k/h-19700101T001640Z.limpid || fail "the old archive stays"
until_true no_child || fail "it does not cease to tidy up"
finish TERM || fail "status $?"
[ -e k/other-19700101T001640Z.limpid ] || fail "another host's archive is gone"
[ -e "$young" ] || fail "a young archive is gone"

# Suspended: a gap, as long as that, and no made-up samples, then on as before.
start -o s -i 0.1 --host h
until_true recorded s 33 || fail "no samples"
kill -STOP "$pid"
from=$(date +%s.%N)
sleep 2
to=$(date +%s.%N)
before=$(samples s/*.limpid)
kill -CONT "$pid"
until_true recorded s $((before + 2)) || fail "it does not go on"
finish TERM || fail "status $?"
"$dump" s/*.limpid | awk -v from="$from" -v to="$to" '
  /^sample/ { if ($2 < from) a++; else if ($2 > to) b++; else inside++ }
  END { exit !(a >= 2 && b >= 2 && inside <= 1) }' || fail "no gap"
"$dump" --of host - ctxt s/*.limpid | awk '
  NR > 1 && $2 < last { exit 1 } { last = $2 }' || fail "counters went back"
exit 0
