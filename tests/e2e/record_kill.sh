#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kill -9 at random moments: every file can be read up to its unfinished end,
# and the next start goes on in a new file.
# shellcheck disable=SC1091,SC2154,SC2012 # what record.bash sets; plain names
. "$LIMPID_SOURCE/tests/e2e/record.bash"

times=20
[ "${LIMPID_LONG:-0}" = 1 ] && times=200
RANDOM=${LIMPID_SEED:-4711}
for _ in $(seq "$times"); do
  start -o d -i 0.1 --host h
  sleep "$(awk -v r="$RANDOM" 'BEGIN { print 0.15 + r / 32768 * 0.9 }')"
  finish KILL
done 2>/dev/null
[ "$(ls d/*.limpid | wc -l)" -ge $((times / 2)) ] || fail "hardly a file"
for file in d/*.limpid; do
  "$dump" "$file" >dumped 2>err || fail "$file cannot be read"
  awk '/^sample/ { n++; if ($2 <= last) exit 1; last = $2 }' dumped ||
    fail "$file: samples out of order"
  if "$LIMPID" help | grep -q '^  archive'; then
    "$LIMPID" archive verify "$file" >err 2>&1
    status=$?
    [ $status = 0 ] || grep -qi 'tail\|unfinished' err || fail "$file: $status"
  fi
done
# The first sample is written at once: a file without one was just begun.
[ "$(samples d/*.limpid)" -ge $((times / 2)) ] || fail "samples were lost"
exit 0
