#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# `lab down` takes a lab down after somebody's `ip netns add`, and one that an
# older limpid made; what it cannot remove it names, removes the rest, and
# removes that, too, when it is called again.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
# In a mount namespace of its own, with an empty /run: the first `ip netns add`
# there mounts /run/netns over itself, whatever happened on the machine before.
if [ "${1-}" != inside ]; then
  exec unshare --mount --propagation private bash "$0" inside
fi
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1
mount -t tmpfs none /run || skip "cannot mount"
small=(-q --servers 1 --clients 1 --layout sharded)

# ---- somebody's namespace ----
up "${small[@]}" || fail "not up"
learn_prefix
ip netns add somebody || fail "no namespace"
on s1 true || fail "s1 is gone"
down || fail "not down after ip netns add"
nothing_left "after ip netns add"
[ "$(ip netns list | awk '{ print $1 }')" = somebody ] ||
  fail "other namespaces: $(ip netns list)"
ip netns delete somebody
umount /run/netns

# ---- a lab whose namespaces are in /run/netns, as older ones are ----
mkdir "$lab" "$lab/s1"
{
  echo "limpid-lab-journal 1 $(cat /proc/sys/kernel/random/boot_id)"
  echo "+ directory $lab/s1"
  echo "+ netns limpid-test-s1"
  echo "+ link limpid-test-s1 lo 1000000"
  echo "+ rule limpid-test-s1 FORWARD -j DROP"
} >"$lab/journal"
touch /run/netns/limpid-test-s1
unshare --net=/run/netns/limpid-test-s1 tc qdisc add dev lo root tbf \
  rate 5mbit burst 32kb latency 50ms || fail "no namespace"
setsid nsenter --net=/run/netns/limpid-test-s1 sleep 1000 &
inside=$!
ip netns add somebody || fail "no namespace"
down || fail "an older one is not down"
nothing_left "an older one"
grep -F limpid-test /proc/self/mountinfo && fail "its namespace is mounted"
[ -e /run/netns/limpid-test-s1 ] && fail "its namespace is there"
wait "$inside"
[ $? = 137 ] || fail "who was in it was not ended"
[ -e /run/netns/somebody ] || fail "somebody's is gone"

# ---- what is in use ----
up "${small[@]}" || fail "not up"
learn_prefix
node=$(sed -n 's|^+ loop-node \([0-9]*\) .*/s1/door/disk$|\1|p' "$lab/journal")
[ -n "$node" ] || fail "no loop device of its own"
(cd "$lab/s1/brick" && exec sleep 1000) &
user=$!
in_the_brick() { [ "$(readlink "/proc/$user/cwd")" = "$lab/s1/brick" ]; }
await 20 "nobody is in the brick" in_the_brick
down && fail "a disk in use was removed"
grep -qx "limpid lab down: /dev/loop$node, the disk $lab/s1/door/disk, is in \
use by process $user (sleep)" err || fail "it is not named"
grep -qx "limpid lab down: 2 things of the lab are still there; .*, run: \
limpid lab down --dir $lab" err || fail "not said what to do"
grep -F " $lab" /proc/self/mountinfo && fail "mounts are left"
[ "$(ls "$lab")" = $'journal\nlock\nstate' ] || fail "left: $(ls "$lab")"
[ -z "$prefix" ] || ! compgen -G "/sys/fs/cgroup/*/$prefix-*" ||
  fail "cgroups are left"
up "${small[@]}" && fail "another lab over it"
kill "$user"
wait "$user"
down || fail "not down when nobody uses it"
nothing_left "what was in use"
[ -e "/sys/block/loop$node" ] && fail "loop$node is left"
echo "all is well"
