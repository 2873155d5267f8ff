#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The lab with Ceph: it serves the same file to both clients, misses an OSD
# that dies and gets it back, shows a slow disk and a lossy link to limpid, and
# leaves nothing behind.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1
for tool in ceph ceph-mon ceph-mgr ceph-osd ceph-mds ceph-fuse; do
  command -v $tool >/dev/null || skip "there is no $tool"
done

up -q --driver ceph --servers 2 && fail "made of two servers"
grep -q 'Ceph needs at least 3' err || fail "other words: two servers"
up -q --driver cepf && fail "there is a cepf"
grep -q "no driver 'cepf'; there are glusterfs ceph" err || fail "cepf"
nothing_left "refused"

up --driver ceph || fail "not up"
learn_prefix
status >text || fail "no status"
grep -q 'dispersed ceph, 6 of 6 OSDs serve' text || fail "$(cat text)"
head -c 20000000 /dev/urandom >data
cp data "$lab/c1/mnt/one" || fail "cannot write"
cmp data "$lab/c2/mnt/one" || fail "c2 reads something else"

# ---- an OSD that is killed misses a write, and is brought back ----
pid=$(pgrep -f -- "^ceph-osd .*$lab/s4/brick/osd") || fail "no OSD of s4"
kill -9 "$pid"
s4_is_missed() { status >text && grep -q '5 of 6 OSDs serve' text; }
await 60 "nobody misses s4" s4_is_missed
cp data "$lab/c1/mnt/two" || fail "cannot write without s4"
heal >out 2>err || fail "not healed: $(cat err)"
grep -q '^6 of 6 OSDs serve, nothing is left to heal' out || fail "$(cat out)"
cmp data "$lab/c2/mnt/two" || fail "c2 reads something else"
down || fail "not down"
nothing_left "down"

# ---- what limpid sees of faults ----
sed 's/^title.*/title = "ceph"; cluster = { driver = "ceph"; };/' \
  "$LIMPID_SOURCE/lab/campaigns/smoke.conf" >ceph.conf
"$LIMPID" lab campaign ceph.conf -o runs --dir "$lab" || fail "no campaign"
# Healthy servers differ more than those of GlusterFS: in windows this short
# a busy disk is seen, but not accused.
python3 "$LIMPID_SOURCE/tests/e2e/lab_smoke.py" "$LIMPID" runs send-pktloss ||
  exit 1
echo "all is well"
