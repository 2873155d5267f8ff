# SPDX-License-Identifier: Apache-2.0
# What the lab's scripts share; sourced. Each has a lab of its own, in $lab,
# which other labs on this machine do not see.
set -u
skip() {
  echo "skipped: $*"
  exit 77
}
[ "$(id -u)" = 0 ] || skip "a lab takes root"
[ -e /dev/fuse ] || skip "there is no /dev/fuse"
[ -e /dev/loop-control ] || skip "there are no loop devices"
for tool in glusterd glusterfs mkfs.xfs ip tc ethtool iptables losetup; do
  command -v $tool >/dev/null || skip "there is no $tool"
done
[ -x "$LIMPID_BUILD/cmd/limpid-disk" ] || skip "built without libfuse3"

work=$(mktemp -d /tmp/limpid-lab-XXXXXX)
lab=$work/lab
# Of its cgroups, if the machine has any: the journal names them.
prefix=
# The command that holds the lab just now, if one runs in the background: it is
# ended first, as by Ctrl-C, or the lab could not be taken down. One that a test
# has stopped would not hear it.
running=
clean() {
  [ -n "$running" ] && kill -INT "$running" 2>/dev/null &&
    kill -CONT "$running" 2>/dev/null
  [ -n "$running" ] && wait "$running"
  "$LIMPID" lab down --dir "$lab" >/dev/null
  rm -rf --one-file-system "$work"
}
trap clean EXIT
cd "$work" || exit 1

fail() {
  echo "FAILED: $*"
  [ -s err ] && { echo "--- err:"; cat err; }
  [ -s "$lab/journal" ] && { echo "--- journal:"; tail -n 5 "$lab/journal"; }
  exit 1
}

# up OPTIONS...: its messages in err
up() { "$LIMPID" lab up --dir "$lab" "$@" >out 2>err; }
down() { "$LIMPID" lab down --dir "$lab" >out 2>err; }
status() { "$LIMPID" lab status --dir "$lab" "$@"; }
heal() { "$LIMPID" lab heal --dir "$lab" "$@"; }
on() {
  local node=$1
  shift
  "$LIMPID" lab shell --dir "$lab" "$node" -- "$@"
}

# await SECONDS WHAT COMMAND...: until it succeeds; else the test fails with WHAT
# and what the last status said, in text. A busy machine gets six times as long.
await() {
  local tries=$(($1 * 5 * 6)) what=$2
  shift 2
  until "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || fail "$what: $(cat text)"
    sleep 0.2
  done
}

# short_campaign RUNS: short.conf; little is written, so that the disks come to
# rest soon.
short_campaign() {
  cat >short.conf <<END
title = "short";
seed = 5;
phases = { healthy = 3; fault = 3; after = 0; jitter = 0; };
cluster = { servers = 1; clients = 1; layout = "sharded"; };
runs = ( { workloads = "ddw"; faults = "none"; repeats = $1; pace = 4; } );
END
}

# has_begun DIR: the processes of a run's workload open their logs when they
# begin; out is what the campaign says, for await's complaint.
has_begun() {
  cat out >text
  compgen -G "$1/work/*.csv" >/dev/null
}

learn_prefix() {
  prefix=$(sed -n 's|^+ cgroup .*/\([^/]*\)-[a-z0-9]*$|\1|p' "$lab/journal" |
    head -n 1)
}

# nothing_left WHEN: no trace of the lab on the machine
nothing_left() {
  [ -e "$lab" ] && fail "$1: $lab is still there"
  losetup -a | grep -F "$lab/" && fail "$1: loop devices are left"
  grep -F " $lab" /proc/self/mountinfo && fail "$1: mounts are left"
  # Nor in the namespaces of anyone else, who would keep devices busy.
  grep -lF " $lab" /proc/[0-9]*/mountinfo 2>/dev/null &&
    fail "$1: mounts are left in a process"
  # The pattern in a file: grep would find itself.
  echo "$lab" >pattern
  grep -alF -f pattern /proc/[0-9]*/cmdline 2>/dev/null &&
    fail "$1: processes are left"
  [ -n "$prefix" ] || return 0
  find /sys/fs/cgroup -maxdepth 2 -name "$prefix-*" 2>/dev/null | grep . &&
    fail "$1: cgroups are left"
  return 0
}
