#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kill -9 at random moments: no sample that was in a file is lost, every file can
# be read up to its unfinished end, verify finds nothing else wrong, and the next
# start goes on in a new file.
# shellcheck disable=SC1091,SC2154,SC2012 # what record.bash sets; plain names
. "$LIMPID_SOURCE/tests/e2e/record.bash"

# Five at a time; every 3.2 s a tail is written, every second one is sealed.
rounds=4
[ "${LIMPID_LONG:-0}" = 1 ] && rounds=40
RANDOM=${LIMPID_SEED:-4711}

# one HOST SECONDS
one() {
  "$record" -o d -i 0.1 --host "$1" 2>/dev/null &
  local victim=$! file before after
  sleep "$2"
  file=$(ls d/"$1"-*.limpid | tail -n 1)
  before=$(samples "$file")
  kill -9 "$victim"
  wait "$victim"
  after=$(samples "$file")
  [ "$after" -ge "$before" ] || echo "$file: $before, then $after" >>lost
  echo "$1 $before" >>killed
}

for _ in $(seq "$rounds"); do
  for host in a b c d e; do
    # Here, not in a subshell: there bash would seed RANDOM anew.
    random=$RANDOM
    seconds=$(awk -v r="$random" 'BEGIN { print 0.2 + r / 4500 }')
    one "$host" "$seconds" &
  done
  wait
done 2>/dev/null
[ "$(wc -l <killed)" = $((rounds * 5)) ] || fail "not all were killed"
[ ! -e lost ] || fail "samples were lost: $(cat lost)"
awk '$2 > 0 { n++ } END { exit !(n >= NR / 2) }' killed ||
  fail "hardly a file had samples before its kill"
[ "$(ls d/*.limpid | wc -l)" -ge $((rounds * 3)) ] || fail "hardly a file"
for file in d/*.limpid; do
  "$dump" "$file" >dumped 2>err || fail "$file cannot be read"
  awk '/^sample/ { if ($2 <= last) exit 1; last = $2 }' dumped ||
    fail "$file: samples out of order"
  "$LIMPID" archive verify "$file" >err 2>&1 || fail "$file is damaged"
done
# What was written stays: one sample at once, then 32 every 3.2 s. With this seed
# that is 24 to 33 a kill; a busy machine begins late and misses ticks.
samples=$(samples d/*.limpid)
[ "$samples" -ge $((rounds * 5 * 20)) ] || fail "only $samples samples"
echo "$samples samples"
exit 0
