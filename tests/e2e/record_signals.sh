#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SIGHUP begins a new file, SIGTERM and SIGINT stop in order; one recorder a
# host and directory; a suspended recorder leaves a gap.
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
sleep 1
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

# Suspended: a gap and no made-up samples, then on as before.
start -o s -i 0.1 --host h
sleep 1
kill -STOP "$pid"
from=$(date +%s.%N)
sleep 2
to=$(date +%s.%N)
kill -CONT "$pid"
sleep 1
finish TERM || fail "status $?"
"$dump" s/*.limpid | awk -v from="$from" -v to="$to" '
  /^sample/ { if ($2 < from) a++; else if ($2 > to) b++; else inside++ }
  END { exit !(a >= 2 && b >= 2 && inside <= 1) }' || fail "no gap"
"$dump" --of host - ctxt s/*.limpid | awk '
  NR > 1 && $2 < last { exit 1 } { last = $2 }' || fail "counters went back"
exit 0
