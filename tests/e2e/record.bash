# SPDX-License-Identifier: Apache-2.0
# What the recorder's scripts share; sourced.
set -u
record=$LIMPID_BUILD/cmd/limpid-record
dump=$LIMPID_BUILD/tests/e2e/outline
work=$(mktemp -d /tmp/limpid-record-XXXXXX)
pid=

clean() {
  [ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
  mountpoint -q "$work/mnt" && umount "$work/mnt"
  rm -rf "$work"
}
trap clean EXIT
cd "$work" || exit 1

fail() {
  echo "FAILED: $*"
  for file in err err2; do
    [ -s $file ] && { echo "--- $file:"; cat $file; }
  done
  exit 1
}
skip() {
  echo "$*"
  exit 77
}

# start OPTIONS...: in the background; $pid, messages in err
start() {
  "$record" "$@" >out 2>err &
  pid=$!
}

# finish [SIGNAL]: stop it; its status
finish() {
  kill -"${1:-TERM}" "$pid"
  wait "$pid"
  local status=$?
  pid=
  return $status
}

# until_true COMMAND...: wait, at most two minutes: long for a busy machine
until_true() {
  local i
  for i in $(seq 1200); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}
has() { grep -q -- "$1" "$2" 2>/dev/null; }
samples() { "$dump" "$@" 2>/dev/null | grep -c '^sample'; }
# recorded DIR N: that many samples are in its archives
recorded() { [ "$(samples "$1"/*.limpid)" -ge "$2" ]; }
# The archive says so (a tail may be half-written while we look).
archived() { "$dump" "$1"/*.limpid 2>/dev/null | grep -q -- "$2"; }
