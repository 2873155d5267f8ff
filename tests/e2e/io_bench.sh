#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What limpid io bench leaves behind: nothing, also when it is interrupted or
# the disk is full.
set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-bench.XXXXXX") || exit 1
mounted=
trap '[ -n "$mounted" ] && umount "$mounted"; rm -rf "$work"' EXIT
bad=0
fail() {
  echo "FAILED: $*"
  bad=1
}

# interrupt SIGNAL WORDS...: once its files are there.
interrupt() {
  local signal=$1 pid
  shift
  rm -rf "$work/d"
  mkdir "$work/d"
  "$LIMPID" io "$@" "$work/d" >/dev/null 2>"$work/err" &
  pid=$!
  until ls "$work"/d/limpid-io-bench-*/file0 >/dev/null 2>&1; do
    kill -0 $pid 2>/dev/null || { fail "$*: ended: $(cat "$work/err")"; return; }
    sleep 0.05
  done
  kill -"$signal" $pid
  wait $pid && fail "$signal $*: status 0"
  grep -q interrupted "$work/err" || fail "$signal $*: $(cat "$work/err")"
  [ -z "$(ls "$work/d")" ] || fail "$signal $*: left $(ls -R "$work/d")"
}

interrupt INT bench --size 4K --repeats 100000000 --file-size 16M
interrupt TERM bench --size 4K --repeats 1000000 --think 10ms --file-size 4M
interrupt TERM bench --size 4K --processes 3 --repeats 1000000 --think 1ms \
  --file-size 4M
interrupt HUP bench --size 1M --file-size 8G

# Calibration keeps the parts that were finished, and goes on from there.
interrupt INT calibrate --quick --file-size 16M --buffer 16M -m "$work/model"
parts=$(find "$work/model.parts" -name '*.iotrace' | wc -l)
[ "$parts" -gt 9 ] || fail "calibrate kept $parts parts"
[ -e "$work/model" ] && fail "calibrate made a model of too little"

if [ "$(id -u)" = 0 ] && mkdir "$work/small" &&
  mount -t tmpfs -o size=4m none "$work/small" 2>/dev/null; then
  mounted=$work/small
  for words in "--operation read" "--operation write --repeats 1000 --size 64K"; do
    # shellcheck disable=SC2086 # words
    "$LIMPID" io bench $words --file-size 64M "$work/small" >/dev/null \
      2>"$work/err" && fail "a full disk is no error: $words"
    grep -qE 'No space left|is full' "$work/err" ||
      fail "full disk: $(cat "$work/err")"
    [ -z "$(ls "$work/small")" ] || fail "full disk: left files"
  done
else
  echo "no full disk: cannot mount here"
fi
exit $bad
