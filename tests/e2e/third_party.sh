#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Recordings of other people's machines, none of which holds a fault: limpid
# accuses nobody, and says why it cannot tell. Traces of Darshan with a clock of
# 0.1 ms: what is slow is named, and nothing is judged below the clock.
set -eu
data=${LIMPID_DATA:-}/third-party.tar.zst
[ -r "$data" ] || { echo "skipped: \$LIMPID_DATA has no third-party.tar.zst"; exit 77; }
[ -x "$LIMPID_BUILD/cmd/limpid-pcp" ] || { echo "skipped: built without libpcp"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-e2e.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
tar --zstd -xf "$data"
fail() {
  echo "FAILED: $*"
  cat out err
  exit 1
}
# cannot_tell REASON FILE...: status 4 of --check, and this reason
cannot_tell() {
  local reason=$1 status=0
  shift
  "$LIMPID" diagnose --check --no-cluster "$@" >out 2>err || status=$?
  [ $status = 4 ] || fail "status $status: $*"
  tr -s ' \n' ' ' <out | grep -q "^Cannot tell: .*$reason" ||
    fail "another reason than '$reason': $*"
}

# ---- layers of one stack, partitions, unlike disks of one server ----
cannot_tell 'fewer than three peers' -f pcp pcp/dm-io
cannot_tell 'nothing says that the 5 disks of bozo are peers' \
  -f pcp pcp/bozo-20170904
cannot_tell 'nothing says that the 4 disks of billing02 are peers' \
  -f pcp pcp/20130706
"$LIMPID" inventory -f pcp pcp/bozo-20170904 >out 2>err || fail "no inventory"
for what in 'sr0 *optical?' 'br0 *bridge?' 'docker0 *virtual?' 'sda *disk?' \
  'sda1 *partition?' 'lo *virtual?'; do
  grep -qE "bozo/$what" out || fail "not in the inventory: $what"
done

# ---- times that make no sense, and a sample's own time ----
"$LIMPID" show sysstat/data-ppc-11.7.2 >out 2>err && fail "read: data-ppc-11.7.2"
grep -q 'times make no sense' err || fail "other words: data-ppc-11.7.2"
"$LIMPID" show --utc sysstat/data-11.6.5 >out 2>err || fail "not read: data-11.6.5"
grep -q '09:34:34' out || fail "not the sample's own time"

# ---- Darshan's clock ----
trace=dxt/nonmpi_dxt_anonymized.txt
"$LIMPID" io report $trace >out 2>err || fail "no report of a trace"
grep -q '0\.1 ms' out || fail "the resolution of the clock is not said"
awk '!done && $3 == "read" && $6 == 1032 { $8 = $7 + 1.5; done = 1 } 1' \
  $trace >slow.txt
"$LIMPID" io report slow.txt >out 2>err || fail "no report of a slow trace"
grep -q '1\.5 s' out || fail "a read of 1.5 s is not named"
echo "all is well"
