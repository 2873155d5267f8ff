#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A hanging file, an unreadable file, broken lines, nothing at all, a directory
# that cannot be written: one line each, and the rest goes on.
# shellcheck disable=SC1091,SC2154,SC2012 # what record.bash sets; plain names
. "$LIMPID_SOURCE/tests/e2e/record.bash"

# Open blocks on a pipe that nobody writes to.
cp -r "$LIMPID_SOURCE/tests/trees/linux-5.15" tree
mv tree/proc/diskstats diskstats
mkfifo tree/proc/diskstats
start -o hang -i 0.1 --host h --root tree
until_true has 'diskstats: no answer' err || fail "the hang was not noticed"
sleep 0.5
[ "$(grep -c diskstats err)" = 1 ] || fail "said more than once"
until_true archived hang '^sample' || fail "the others do not deliver"
cat diskstats >tree/proc/diskstats
until_true has 'diskstats: works again' err || fail "the return was not noticed"
finish TERM || fail "status $?"
"$dump" hang/*.limpid >dumped
has '^event reader diskstats: no answer' dumped || fail "no event of the hang"
has '^event reader diskstats: works again' dumped || fail "no event of its end"
! grep '^sample' dumped | grep -v 'net:[1-9].*host:[1-9]' ||
  fail "samples without the others"

# The end does not wait for a stuck reader.
start -o stuck -i 0.1 --host h --root tree
until_true has 'diskstats: no answer' err || fail "the hang was not noticed"
until_true archived stuck '^sample' || fail "the others do not deliver"
finish TERM || fail "status $?"
[ "$("$dump" stuck/*.limpid | tail -n 1)" = "event stop in order" ] ||
  fail "no orderly stop beside a stuck reader"
rm tree/proc/diskstats

# Lines that no kernel writes.
"$record" -o broken -i 0.1 -n 5 --host h \
  --root "$LIMPID_SOURCE/tests/trees/broken" 2>err || fail "status $?"
[ "$(grep -c 'line 2 not understood' err)" = 1 ] || fail "broken line not named"
archived broken ' disk:22 net:32' || fail "the good lines are not kept"

# A line that breaks while it is recorded, among texts that are held.
cat diskstats >tree/proc/diskstats
sed '2s/23557/2355x/' diskstats >bad
# In place and at once: no text in between is seen.
replace() { dd if="$1" of=tree/proc/diskstats bs=64k conv=notrunc status=none; }
start -o breaks -i 0.1 --host h --root tree
until_true archived breaks '^sample' || fail "no sample"
sleep 0.5
replace bad
until_true has 'line 2 not understood' err || fail "broken line not named"
replace diskstats
until_true has 'diskstats: works again' err || fail "its end was not noticed"
finish TERM || fail "status $?"
"$dump" breaks/*.limpid | sed -n 's/^sample .* \(disk:[0-9]*\) .*/\1/p' | uniq >kinds
[ "$(wc -l <kinds)" = 3 ] || fail "not whole, broken, whole: $(cat kinds)"
rm tree/proc/diskstats

# Nothing there.
mkdir -p void/proc
"$record" -o none -n 1 -i 0.1 --root void 2>err && fail "nothing was recorded"
[ "$(wc -l <err)" = 1 ] || fail "not one line"
has 'nothing to record' err || fail "unclear"

# A file in place of the directory, a parent that is missing.
touch plain
"$record" -o plain -n 1 2>err && fail "a file as a directory"
has 'not a directory' err || fail "unclear"
"$record" -o no/such/dir -n 1 2>err && fail "a missing parent"
[ "$(wc -l <err)" = 1 ] || fail "not one line"

[ "$(id -u)" = 0 ] || skip "the rest needs root (another user, a mount)"

# Unreadable for this user: one line, the rest goes on.
chmod 755 . tree tree/proc
cp diskstats tree/proc/diskstats
chmod 000 tree/proc/meminfo
mkdir -m 777 user profile
export GCOV_PREFIX=$work/profile # where another user may write: make coverage
setpriv --reuid 65534 --regid 65534 --clear-groups \
  "$record" -o user -i 0.1 -n 5 --host h --root tree 2>err || fail "status $?"
[ "$(grep -c 'meminfo: cannot open' err)" = 1 ] || fail "not said once"
[ "$(samples user/*.limpid)" = 5 ] || fail "not all samples"
mkdir -m 755 locked
setpriv --reuid 65534 --regid 65534 --clear-groups \
  "$record" -o locked -n 1 2>err && fail "wrote into a foreign directory"
[ "$(wc -l <err)" = 1 ] || fail "not one line"
has 'cannot write to locked: Permission denied' err || fail "unclear"
mkdir mnt
mount -t tmpfs -o ro,size=1m none mnt || skip "cannot mount"
"$record" -o mnt -n 1 2>err && fail "wrote into a read-only directory"
has 'cannot write to mnt: Read-only' err || fail "unclear"
exit 0
