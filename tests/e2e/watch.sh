#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# limpid watch in a real terminal (tmux): what it shows of a recording with a
# slow disk and of this machine, its keys, sizes, and how it leaves the terminal
# when it ends, is killed, or crashes.
set -u
command -v tmux >/dev/null || { echo "needs tmux"; exit 77; }
watch=$LIMPID_BUILD/cmd/limpid-watch
[ -x "$watch" ] || { echo "limpid-watch was not built"; exit 77; }
run=$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1
work=$(mktemp -d /tmp/limpid-watch-XXXXXX)
export TZ=UTC
n=0
in_tmux() { tmux -S "$work/socket$n" -f /dev/null "$@"; }
trap 'in_tmux kill-server 2>/dev/null; rm -rf "$work"' EXIT

screen() { in_tmux capture-pane -p -t w; }
fail() {
  echo "FAILED: $*"
  screen
  exit 1
}
until_true() {
  for _ in $(seq 600); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}
shows() { screen | grep -qE -- "$1"; }
hides() { ! shows "$1"; }
want() { until_true shows "$1" || fail "not shown: $1"; }
keys() { in_tmux send-keys -t w "$@"; }
# terminal WIDTH HEIGHT COMMAND: what it ends with is shown, and stty's state
terminal() {
  in_tmux kill-server 2>/dev/null
  n=$((n + 1))
  in_tmux new-session -d -x "$1" -y "$2" -s w "stty -g >$work/before
    $3; echo status \$?; stty -g >$work/after; echo \$TERM; exec cat" ||
    fail "no tmux"
}
ended() {
  want "^status $1"
  until_true test -s "$work/after" || fail "no end"
  cmp -s "$work/before" "$work/after" || fail "the terminal is not as it was"
  : >"$work/after"
}
# The process that shows the screen; its parent is the guard.
guard() { pgrep -f "^$watch $run" -o; }
shower() { pgrep -P "$(guard)"; }

# A recording: who, since when, why; every key.
terminal 80 24 "$watch $run"
want 'below is what did$'
want '^  SLOW DISK  s1/loop0  01:59:52 to 02:02:52, over$'
want '^s1/loop0 .*#{10,}$'
want '^s3/loop2 .*\.{10,}$'
keys Enter
want '^service +ms .* differs$'
want '^latency +ms .* differs$'
keys Escape
want '^6 of 6 disks, by suspicion'
keys Tab
want '^[0-9]+ of [0-9]+ data interfaces'
keys Tab Tab Tab h
want 'choose a component'
keys h s
want 'by name'
keys p
want 'PAUSED'
# Other sizes, while it runs.
for size in '20 5' '200 50' '1 1' '40 8' '80 24'; do
  # shellcheck disable=SC2086 # two words
  in_tmux resize-window -t w -x ${size% *} -y ${size#* } || fail "resize"
  keys r
done
want 'limpid watch  8 hosts, 8 not heard .* PAUSED'
keys q
ended 0

# Killed in every way, the terminal is what it was.
for how in TERM INT HUP; do
  terminal 80 24 "$watch $run"
  want 'SLOW DISK'
  kill -$how "$(guard)"
  ended 0
done
for how in SEGV KILL; do
  terminal 80 24 "$watch $run"
  want 'SLOW DISK'
  kill -$how "$(shower)"
  want '^limpid watch: ended by a signal'
  ended "(139|137)"
done
# The terminal is closed.
terminal 80 24 "$watch $run"
want 'SLOW DISK'
pid=$(guard)
in_tmux kill-server
until_true sh -c "! kill -0 $pid 2>/dev/null" || fail "it lives on"

# Terminals that are none.
terminal 80 24 "TERM= $watch $run"
want 'limpid watch: TERM is not set'
ended 1
terminal 80 24 "TERM=dumb $watch $run"
want 'limpid watch: a terminal of TERM=dumb cannot be used'
ended 1
terminal 20 5 "NO_COLOR=1 TERM=vt100 $watch $run"
want 'Nothing differs from'
keys q
ended 0

# This machine: of use from the first second on.
terminal 100 20 "$watch -i 0.5"
want 'First verdict in .*Meanwhile'
want '^disk +tps +rkB/s'
want '^[0-9]+ of [0-9]+ disks'
keys a Down Down w
want '^the last seconds'
keys q
ended 0
"$watch" --once --for 2 >"$work/out" 2>"$work/err"
status=$?
[ $status = 4 ] || fail "status $status of --once --for 2"
[ -s "$work/err" ] && fail "$(cat "$work/err")"
grep -q '^Cannot tell: ' "$work/out" || fail "$(cat "$work/out")"
echo "shown, resized, killed: the terminal is as it was"
