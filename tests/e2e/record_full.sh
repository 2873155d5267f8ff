#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A full disk: said once, the newest samples are kept, and written when there
# is room again.
# shellcheck disable=SC1091,SC2154,SC2012 # what record.bash sets; plain names
. "$LIMPID_SOURCE/tests/e2e/record.bash"

[ "$(id -u)" = 0 ] || skip "needs root to mount a small file system"
mkdir mnt
mount -t tmpfs -o size=256k none mnt || skip "cannot mount"
start -o mnt -i 0.1 --host h
until_true archived mnt '^sample' || fail "no sample"
dd if=/dev/zero of=mnt/ballast bs=4k status=none 2>/dev/null
until_true has 'No space left' err || fail "the full disk was not noticed"
has 'No space left' err || fail "no reason"
sleep 11 # it tries again every 10 s, in vain
[ "$(grep -c 'No space' err)" = 1 ] || fail "said more than once"
rm mnt/ballast
until_true has 'writing to .* again' err || fail "writing was not resumed"
sleep 0.5
finish TERM || fail "status $?"
"$dump" mnt/*.limpid >dumped || fail "unreadable"
[ "$(tail -n 1 dumped)" = "event stop in order" ] || fail "no orderly stop"
# Ten minutes fit into memory: nothing may be missing.
awk '/^sample/ { if (last && $2 - last > 2) exit 1; last = $2 }' dumped ||
  fail "samples are missing though they would have fit"
exit 0
