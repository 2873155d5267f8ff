#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kill -9 at random moments: no sample that was in a file is lost, every file can
# be read up to its unfinished end, verify finds nothing else wrong, and the next
# start goes on in a new file.
# shellcheck disable=SC1091,SC2154,SC2012,SC2317 # what record.bash sets; plain names
. "$LIMPID_SOURCE/tests/e2e/record.bash"

# Five at a time. The first sample is in the file at once; then every 3.2 s a
# tail is written, every second one is sealed.
rounds=4
[ "${LIMPID_LONG:-0}" = 1 ] && rounds=40
RANDOM=${LIMPID_SEED:-4711}

# begun HOST FILE: the newest of its files, in $file, is not FILE, and has a
# sample
begun() {
  file=$(ls d/"$1"-*.limpid 2>/dev/null | tail -n 1)
  [ -n "$file" ] && [ "$file" != "$2" ] && [ "$(samples "$file")" -ge 1 ]
}
# one HOST SECONDS: kill it that long after its file has the first sample
one() {
  local victim file before after old
  old=$(ls d/"$1"-*.limpid 2>/dev/null | tail -n 1)
  "$record" -o d -i 0.1 --host "$1" 2>/dev/null &
  victim=$!
  until_true begun "$1" "$old" || echo "$1: no sample" >>lost
  sleep "$2"
  before=$(samples "$file")
  kill -9 "$victim"
  wait "$victim"
  after=$(samples "$file")
  [ "$after" -ge "$before" ] || echo "$file: $before, then $after" >>lost
  echo "$file $before" >>killed
}

for _ in $(seq "$rounds"); do
  for host in a b c d e; do
    # Here, not in a subshell: there bash would seed RANDOM anew.
    random=$RANDOM
    seconds=$(awk -v r="$random" 'BEGIN { print r / 4500 }')
    one "$host" "$seconds" &
  done
  wait
done 2>/dev/null
[ "$(wc -l <killed)" = $((rounds * 5)) ] || fail "not all were killed"
[ ! -e lost ] || fail "samples were lost: $(cat lost)"
# Each start went on in a file of its own.
[ "$(cut -d' ' -f1 killed | sort -u | wc -l)" = $((rounds * 5)) ] ||
  fail "not a file each: $(cat killed)"
while read -r file before; do
  "$dump" "$file" >dumped 2>err || fail "$file cannot be read"
  awk '/^sample/ { if ($2 <= last) exit 1; last = $2 }' dumped ||
    fail "$file: samples out of order"
  "$LIMPID" archive verify "$file" >err 2>&1 || fail "$file is damaged"
  # What was in a file before the kill is in it at the end.
  [ "$(grep -c '^sample' dumped)" -ge "$before" ] ||
    fail "$file: fewer than $before samples"
done <killed
# Not all were killed before their first tail of 32 samples.
awk '$2 > 1 { more++ } END { exit !more }' killed ||
  fail "all had one sample only: $(cat killed)"
echo "$(samples d/*.limpid) samples"
exit 0
