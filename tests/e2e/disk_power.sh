#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# XFS on a virtual disk with a volatile cache: what was synced survives a power
# cut, what was only answered does not, and the file system is whole; who waits
# for a stuck disk is let go when it is unplugged; bits flip where data is.
# shellcheck disable=SC1091,SC2154,SC2034 # what disk.bash sets and uses
# shellcheck disable=SC2317,SC2015 # functions that others call; fail exits
. "$LIMPID_SOURCE/tests/e2e/disk.bash"
need_lab
for tool in mkfs.xfs xfs_repair xfs_io; do
  command -v $tool >/dev/null || skip "there is no $tool"
done
mounted=
end() {
  for i in "${!pid[@]}"; do ctl "$i" gone >/dev/null 2>&1; done
  [ -n "$mounted" ] && umount -l "$work/fs"
  clean
}
trap end EXIT
cd "$work" || exit 1

start 1 --size 400Mi --rate 1000M --seek 0 --set "cache volatile"
attach 1
[ "$(cat "/sys/block/${loop#/dev/}/queue/write_cache")" = "write back" ] ||
  fail "the loop device does not pass flushes on"
mkfs.xfs -q -f -K "$loop" || fail "mkfs.xfs"
mkdir fs
up() { mount "$loop" fs && mounted=1; }
# What was written until now is safe.
settle() {
  sync -f fs
  ctl 1 cache through >/dev/null
  ctl 1 cache volatile >/dev/null
}
down() { umount fs && mounted=; }
up || fail "cannot mount"

# 4 MiB that are synced, and as much in a file whose name is, but whose bytes
# are only answered: direct writes over what fallocate made.
head -c 4194304 /dev/urandom >data
dd if=data of=fs/synced bs=1M conv=fsync status=none || fail "cannot write"
dd if=/dev/zero of=fs/answered bs=1M count=4 conv=fsync status=none
settle
dd if=data of=fs/answered bs=512k oflag=direct conv=notrunc status=none
cmp data fs/answered || fail "not the bytes that were written"
[ "$(figure 1 unflushed_bytes)" -ge 4194304 ] ||
  fail "unflushed_bytes=$(figure 1 unflushed_bytes)"
ctl 1 power cut keep none >/dev/null || fail "no power cut"
[ "$(figure 1 lost)" -ge 8 ] || fail "lost=$(figure 1 lost)"
dd if=fs/synced of=/dev/null bs=4k iflag=direct status=none 2>/dev/null &&
  fail "a disk without power answers"
xfs_io -x -c shutdown fs 2>/dev/null
down || fail "cannot unmount"
ctl 1 power on >/dev/null
up || fail "cannot mount after the power cut"
cmp data fs/synced || fail "what was synced is lost"
cmp -s data fs/answered && fail "what was not flushed is there"
cmp -n 4194304 /dev/zero fs/answered || fail "not what was there before"
down
xfs_repair -n "$loop" >repair 2>&1 || fail "xfs_repair: $(tail -n 3 repair)"

# Some are kept: the first eight of sixteen, the last of them in part.
up
settle
dd if=data of=fs/answered bs=256k oflag=direct conv=notrunc status=none
ctl 1 power cut keep first 8 torn seed 3 >/dev/null
xfs_io -x -c shutdown fs 2>/dev/null
down
ctl 1 power on >/dev/null
up || fail "cannot mount after the second power cut"
same=$(cmp fs/answered data | sed 's/.*byte \([0-9]*\),.*/\1/')
echo "the first difference is at byte $same"
[ "$same" -gt $((7 * 262144)) ] && [ "$same" -le $((8 * 262144)) ] ||
  fail "not the first writes were kept"
[ $(((same - 1) % 512)) = 0 ] || fail "not torn at a sector"

# Who waits for a stuck disk ends when it is unplugged.
ctl 1 stuck on >/dev/null
dd if=fs/synced of=/dev/null bs=4k iflag=direct status=none 2>/dev/null &
reader=$!
waiting() { grep -q '^State:.D' "/proc/$reader/status"; }
until_true waiting || fail "nobody waits"
kill -9 $reader
sleep 0.3
waiting || fail "SIGKILL ended who waits for a disk"
ctl 1 gone >/dev/null || fail "cannot be unplugged"
begin=$(date +%s%N)
wait $reader
echo "it ended $((($(date +%s%N) - begin) / 1000000)) ms after \`gone\`"
xfs_io -x -c shutdown fs 2>/dev/null
down
ctl 1 back >/dev/null
ctl 1 stuck off >/dev/null
up || fail "cannot mount what was plugged in again"
cmp data fs/synced || fail "lost by unplugging"

# Flipped bits: as many as were asked for, in data.
down
cp --sparse=always b1 before
ctl 1 flip 5 seed 2 >flips || fail "no bits flip"
[ "$(cmp -l before b1 | wc -l)" = 5 ] || fail "not five bytes"
sed 's/.*offsets=//; s/,/\n/g' flips | while read -r at; do echo $((at + 1)); done >named
cmp -l before b1 | awk '{ print $1 }' | diff - named || fail "other bytes"
ctl 1 flip 999 region 399Mi..400Mi 2>err9 && fail "holes flip"
has "blocks hold data" err9 || fail "no reason: $(cat err9)"
exit 0
