#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: lab_kill.sh [OPTION OF UP]...
#
# `lab up` is killed at every step: when it has noted the n-th thing, before it
# makes it. `lab down` leaves nothing. A lab of one server has every kind of
# thing in it.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

size=(-q --servers 1 --clients 1 --layout sharded)
[ $# -gt 0 ] && size=(-q "$@")

# killed_at N: the lab dies there; false if it came up instead
killed_at() {
  LIMPID_LAB_STOP_AFTER=$1 "$LIMPID" lab up --dir "$lab" "${size[@]}" \
    >out 2>err
  local how=$?
  [ $how = 0 ] && return 1
  [ $how = 137 ] || fail "step $1: status $how"
  learn_prefix
  # Another may not be made over the rests.
  up "${size[@]}" && fail "step $1: up over the rests"
  grep -q 'limpid lab down' err || fail "step $1: other words"
  return 0
}

n=1
while killed_at $n; do
  down || fail "step $n: not down"
  nothing_left "step $n"
  n=$((n + 1))
done
[ $n -gt 20 ] || fail "only $n steps: is anything noted?"
down || fail "the last one: not down"
nothing_left "the last one"

# Ctrl-C, in the middle of it: undone by `up` itself.
"$LIMPID" lab up --dir "$lab" "${size[@]}" >out 2>err &
pid=$!
until grep -q '^+ process' "$lab/journal" 2>/dev/null; do
  kill -0 $pid || fail "not up"
  sleep 0.02
done
kill -INT $pid
wait $pid
[ $? = 1 ] || fail "Ctrl-C: another status"
grep -q 'interrupted; everything was removed again' err || fail "Ctrl-C: other words"
nothing_left "Ctrl-C"
echo "killed at each of $((n - 1)) steps"
