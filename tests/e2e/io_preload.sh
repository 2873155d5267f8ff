#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limpid io run with a program that says itself what it did: the trace has just
# that, and the program the same results; also when it is killed.
set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-preload.XXXXXX") || exit 1
mounted=
trap '[ -n "$mounted" ] && umount "$mounted"; rm -rf "$work"' EXIT
app=$LIMPID_BUILD/tests/e2e/io_app
bad=0

fail() {
  echo "FAILED: $*"
  bad=1
}

# The trace's operations on files in the directory: kind, offset, size, result.
traced() {
  "$LIMPID" io trace --csv "$1" | grep ",$work/d/" | cut -d, -f3-6 | sort
}

# same WHAT ARGUMENT...: run it without and with, compare what it said with
# what was traced.
same() {
  local what=$1
  shift
  rm -rf "$work/d"
  mkdir "$work/d"
  "$app" "$@" "$work/d" | sort >"$work/without" || fail "$what without"
  rm -rf "$work/d"
  mkdir "$work/d"
  "$LIMPID" io run -o "$work/trace" -- "$app" "$@" "$work/d" 2>"$work/err" |
    sort >"$work/with"
  [ "${PIPESTATUS[0]}" = 0 ] || fail "$what: $(cat "$work/err")"
  diff "$work/without" "$work/with" || fail "$what: not the same results"
  traced "$work/trace" >"$work/traced"
  diff "$work/with" "$work/traced" || fail "$what: not what the trace says"
  [ -s "$work/traced" ] || fail "$what: nothing was traced"
}

same "every way" ways
same "threads" threads
same "forks" forks

same "a program that locked itself in" locked

# Killed: all that it did is there, and the status is the shell's.
for signal in 11 9; do
  mkdir -p "$work/d"
  "$LIMPID" io run -o "$work/trace" -- "$app" kill $signal 5000 "$work/d" \
    >/dev/null 2>&1
  status=$?
  [ $status = $((128 + signal)) ] || fail "signal $signal: status $status"
  n=$("$LIMPID" io trace --csv "$work/trace" | grep -c ",write,.*/d/many")
  [ "$n" = 5000 ] || fail "signal $signal: $n of 5000 operations"
done

# limpid itself killed as well: the trace that is being written can be read.
"$LIMPID" io run -o "$work/trace" -- sh -c \
  "'$app' many 3000 '$work/d'; kill -9 \$PPID" >/dev/null 2>&1
n=$("$LIMPID" io trace --csv "$work/trace" | grep -c ",write,.*/d/many")
[ "$n" = 3000 ] || fail "limpid killed: $n of 3000 operations"

# Who ends limpid means the program: it is ended, and the report comes; what
# was only for the report goes.
before=$(ls -d /dev/shm/limpid-io-* "${TMPDIR:-/tmp}"/limpid-io-* 2>/dev/null)
"$LIMPID" io run -- sh -c "'$app' many 300 '$work/d'; touch '$work/ready'; \
  exec sleep 60" >/dev/null 2>"$work/err" &
run=$!
until [ -e "$work/ready" ]; do sleep 0.1; done
kill $run
wait $run
status=$?
[ $status = 143 ] || fail "limpid ended: status $status"
grep -q '^limpid io run: [0-9]* operations on' "$work/err" ||
  fail "limpid ended: no report: $(cat "$work/err")"
after=$(ls -d /dev/shm/limpid-io-* "${TMPDIR:-/tmp}"/limpid-io-* 2>/dev/null)
[ "$before" = "$after" ] || fail "limpid ended: left $after"

# No room: what is lost is counted, the program does not notice.
"$LIMPID" io run --limit 1 -o "$work/trace" -- "$app" many 1000000 "$work/d" \
  >/dev/null 2>"$work/err" || fail "limit: $(cat "$work/err")"
"$LIMPID" io trace "$work/trace" >"$work/summary" 2>/dev/null
kept=$(awk '/^operations:/ { print $2 }' "$work/summary")
lost=$(awk '/^lost:/ { print $2 }' "$work/summary")
total=$((kept + lost))
if [ "$kept" -lt 10000 ] || [ $total -lt 1000001 ] || [ $total -gt 1000100 ]; then
  fail "limit: kept $kept, lost $lost"
fi

# A full disk costs operations, not the program.
if [ "$(id -u)" = 0 ] && mkdir "$work/small" &&
  mount -t tmpfs -o size=1m none "$work/small" 2>/dev/null; then
  mounted=$work/small
  "$LIMPID" io run -o "$work/small/trace" -- "$app" many 1000000 "$work/d" \
    >/dev/null 2>"$work/err"
  status=$?
  [ $status = 0 ] || [ $status = 125 ] ||
    fail "full disk: status $status: $(cat "$work/err")"
else
  echo "no full disk: cannot mount here"
fi
exit $bad
