#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A lab: it serves the same file to both clients, says what it is, and leaves
# nothing behind; what cannot be made is refused in one line.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
# shellcheck disable=SC2016 # the dollars are another shell's
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

# ---- refused, and nothing made ----
# one_line WORDS WHAT: so it was refused, and nothing is left
one_line() {
  [ "$(wc -l <err)" = 1 ] || fail "not one line: $2"
  grep -q -- "$1" err || fail "other words than '$1': $2"
  nothing_left "refused $2"
}
# refused WORDS OPTIONS...
refused() {
  local words=$1
  shift
  up "$@" && fail "not refused: $*"
  one_line "$words" "$*"
}
refused 'power of two' -q --servers 4
refused 'a lab has 1 to 16' -q --servers 17
refused 'at least 320Mi' -q --disk-size 1M
refused "no layout 'heap'" -q --layout heap
refused 'may need' -q --disk-size 4000000Gi
refused 'no congestion control' -q --congestion nonsense
# By who is not root, and may perhaps not look where limpid was built. (In a
# build for coverage he may not write down which lines he ran, either.)
chmod 711 "$work"
mkdir -m 755 nobody
install -m 755 -t nobody "$LIMPID" "$LIMPID_BUILD/cmd/limpid-lab" ||
  fail "no copy of limpid"
cat >short.conf <<'END'
title = "short";
runs = ( { workloads = "ddw"; } );
END
mkdir -m 777 out.d
up_words=(up --dir "$lab" -q)
campaign_words=(campaign short.conf -o out.d/runs --dir "$lab")
# no_runs WORDS WHAT: a campaign was refused, and no directory made for its runs
no_runs() {
  one_line "$1" "$2"
  [ -e out.d/runs ] && fail "a directory for runs is left: $2"
}
by_nobody() {
  GCOV_ERROR_FILE=/dev/null setpriv --reuid 65534 --regid 65534 \
    --clear-groups nobody/limpid lab "$@" >out 2>err && fail "made by nobody"
}
by_nobody "${up_words[@]}"
one_line 'a lab needs root: sudo limpid lab up$' "nobody"
by_nobody "${campaign_words[@]}"
no_runs 'a lab needs root: sudo limpid lab campaign$' "nobody's campaign"
# without DEVICE WORDS...: limpid lab in a /dev that lacks it, which nobody else
# sees. Root may use whatever is there, so nothing may be.
without() {
  unshare --mount bash -c '
    mkdir -p dev && mount --rbind /dev dev && mount -t tmpfs none /dev || exit 9
    for device in null fuse loop-control; do
      [ $device = "$1" ] && continue
      touch /dev/$device && mount --bind dev/$device /dev/$device || exit 9
    done
    shift
    exec "$LIMPID" lab "$@"' bash "$@" >out 2>err
}
for device in fuse loop-control; do
  without $device "${up_words[@]}" && fail "made without /dev/$device"
  one_line "there is no /dev/$device.*: load it" "without $device"
  without $device "${campaign_words[@]}" && fail "run without /dev/$device"
  no_runs "there is no /dev/$device.*: load it" "a campaign without $device"
done
mkdir "$lab" && touch "$lab/mine"
up -q && fail "made in a directory with files"
grep -q 'is not empty' err || fail "other words: not empty"
[ -e "$lab/mine" ] || fail "my file is gone"
down || fail "down of none"
[ -e "$lab/mine" ] || fail "my file is gone"
rm -r "$lab"
# A package that is missing; a program that fails.
PATH=/nowhere "$LIMPID" lab up --dir "$lab" -q 2>err && fail "without programs"
grep -q 'is not installed: it comes with the package' err ||
  fail "other words: no package"
nothing_left "no package"
PATH=/nowhere "$LIMPID" lab "${campaign_words[@]}" 2>err && fail "no programs"
no_runs 'is not installed: it comes with the package' "a campaign: no package"
mkdir bin && printf '#!/bin/sh\necho "the tape is torn" >&2\nexit 1\n' >bin/mkfs.xfs
chmod 755 bin/mkfs.xfs
PATH=$work/bin:$PATH "$LIMPID" lab up --dir "$lab" -q 2>err && fail "no mkfs"
grep -q 'the tape is torn' err || fail "other words: mkfs"
nothing_left "a step that fails"

# ---- up ----
up || fail "not up"
grep -q 'the lab is up: 6 servers, 2 clients' out || fail "other words: up"
learn_prefix
[ -n "$prefix" ] || fail "no prefix"
status >text || fail "no status"
grep -q '6 of 6 bricks serve' text || fail "no bricks: $(cat text)"
grep -q '^s3 .*10\.77\.0\.13.*12\.0 MB/s, seek 8\.0 ms' text ||
  fail "no s3: $(cat text)"
status --json | python3 -c '
import json, sys
s = json.load(sys.stdin)
assert s["serves"] and s["spec"]["servers"] == "6", s
assert len(s["nodes"]) == 10 and all(n["up"] for n in s["nodes"]), s
assert s["faults"] == []
' || fail "other JSON"
by_nobody status --dir "$lab"
[ -s out ] && fail "nobody sees: $(cat out)"
grep -qx "limpid lab status: the lab in $lab needs root: use sudo" err ||
  fail "other words: nobody's status"
up -q && fail "up twice"
grep -q 'there is already a lab in' err || fail "other words: up twice"

# ---- it is what it says ----
[ "$(on s3 hostname)" = s3 ] || fail "no name"
on s3 ip -4 -o addr show eth0 | grep -q 10.77.0.13/24 || fail "no address"
on s3 cat /proc/sys/net/ipv4/tcp_congestion_control | grep -qx reno ||
  on s3 ip route | grep -q 'congctl reno' || fail "not reno"
# A client's link has twice the rate.
for link in 's3 eth0 150' 'bridge s3 150' 'c1 eth0 300' 'bridge c1 300'; do
  read -r node device rate <<<"$link"
  on "$node" tc qdisc show dev "$device" | grep -q "tbf.*rate ${rate}Mbit" ||
    fail "no tbf: $link"
done
on c1 ethtool -k eth0 | grep -q '^generic-segmentation-offload: off' ||
  fail "gso is on"
on s1 sh -c 'exit 7'
[ $? = 7 ] || fail "another exit status"
on s9 true 2>err && fail "there is an s9"
grep -q "no node 's9'; it has s1 s2" err || fail "other words: s9"
device=$(status | sed -n 's/^s3.* \(loop[0-9]*\),.*/\1/p')
[ "$(cat "/sys/block/$device/loop/dio")" = 1 ] || fail "no direct I/O"
[ "$(cat "/sys/block/$device/queue/read_ahead_kb")" = 128 ] || fail "read-ahead"

# ---- and it keeps what is written, striped over all ----
head -c 20000000 /dev/urandom >data
cp data "$lab/c1/mnt/one" || fail "cannot write"
cmp data "$lab/c2/mnt/one" || fail "c2 reads something else"
head -c 5000000 /dev/urandom >"$lab/c2/mnt/two" || fail "cannot write"
[ "$(md5sum <"$lab/c1/mnt/two")" = "$(md5sum <"$lab/c2/mnt/two")" ] ||
  fail "c1 and c2 read different files"
for s in 1 2 3 4 5 6; do
  [ "$(stat -c %s "$lab/s$s/brick/data/one")" -ge 5000000 ] ||
    fail "s$s has no quarter of it"
done

# ---- a daemon that is killed and misses a write: healed ----
# Every lab has a server at 10.77.0.14: the path of the brick is this lab's.
pid=$(pgrep -f -- "--brick-name $lab/s4/brick/data ")
kill -9 "$pid" || fail "no brick of s4"
cp data "$lab/c1/mnt/three" || fail "cannot write without s4"
s4_is_missed() { status >text && grep -q '5 of 6 bricks serve' text; }
await 20 "nobody misses s4" s4_is_missed
heal >out 2>err || fail "not healed: $(cat err)"
grep -q '^6 of 6 bricks serve, nothing is left to heal' out ||
  fail "other words: $(cat out)"
[ "$(stat -c %s "$lab/s4/brick/data/three")" -ge 5000000 ] ||
  fail "s4 has no quarter of what it missed"
cmp data "$lab/c2/mnt/three" || fail "c2 reads something else"

# ---- a client that hangs, with writers who wait for it ----
"$LIMPID" lab run ddw --dir "$lab" >out 2>err &
running=$!
somebody_writes() {
  [ -n "$(find "$lab/c1/mnt" -type f -size +1M -newer text)" ]
}
await 20 "nobody writes" somebody_writes
pid=$(pgrep -f -- "^glusterfs .*$lab/c1/mnt\$") || fail "no client c1"
kill -STOP "$pid"
sleep 1
kill -9 "$running"
running=

# ---- a server that dies: it serves on; and down still works after both ----
pid=$(status --json | python3 -c '
import json, sys
print([n["pid"] for n in json.load(sys.stdin)["nodes"] if n["name"] == "s2"][0])
')
kill -9 "$pid"
# It ends when all processes of its node have.
s2_is_gone() { status >text && grep -q '^s2 .*GONE' text; }
await 20 "s2 is not gone" s2_is_gone
on s2 true 2>err && fail "s2 is there"
grep -q 'node s2 is gone' err || fail "other words: s2"
devices=$(status --json | python3 -c '
import json, sys
print(*[n["device"] for n in json.load(sys.stdin)["nodes"] if "device" in n])')
[ "$(echo "$devices" | wc -w)" = 6 ] || fail "not six disks: $devices"
for device in $devices; do
  grep -q "^+ loop-node ${device#loop} $lab/" "$lab/journal" ||
    fail "$device was not made for this lab"
done
down || fail "not down"
nothing_left "down"
# One that somebody else made anew since is theirs.
for device in $devices; do
  [ -e "/sys/block/$device" ] && ! losetup "/dev/$device" >/dev/null 2>&1 &&
    fail "$device is left"
done
down || fail "not down twice"
grep -q 'no lab is up' out || fail "other words: down twice"
echo "all is well"
