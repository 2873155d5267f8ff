#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The disk that a campaign's runs are kept on runs full in the midst of one: it
# ends with one line that says so, leaves nothing half made and no lab; with
# room again, the same command makes the run.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

short_campaign 1
run=1-01-ddw-none
campaign=("$LIMPID" lab campaign short.conf -o small/runs --dir "$lab")

mkdir small
mount -t tmpfs -o size=1m none small || skip "cannot mount"
trap 'umount small; clean' EXIT

"${campaign[@]}" >out 2>err &
running=$!
await 100 "the run does not begin" has_begun "small/runs/.$run"
# It does not end before the disk is full.
kill -STOP "$running"
[ -d "small/runs/.$run" ] || fail "too late: the run is over"
learn_prefix
dd if=/dev/zero of=small/ballast bs=4k status=none 2>/dev/null
kill -CONT "$running"
wait "$running"
status=$?
running=
[ $status = 1 ] || fail "a full disk: status $status: $(cat out)"
[ "$(wc -l <err)" = 1 ] || fail "a full disk: not one line"
grep -q "$run.*No space left on device" err || fail "other words"
cat err
nothing_left "a full disk"
[ "$(ls -A small/runs)" = campaign.conf ] ||
  fail "something half made is left: $(ls -A small/runs)"

rm small/ballast
"${campaign[@]}" >out 2>err || fail "not made with room again: $(cat out)"
"$LIMPID" archive verify "small/runs/$run/recording.limpid" >text ||
  fail "not whole: $(cat text)"
nothing_left "the campaign"
echo "all is well"
