# SPDX-License-Identifier: Apache-2.0
# What the virtual disk's scripts share; sourced. Works in $work; disks are
# numbered, each with its mount m1, control socket c1 and backing file b1.
set -u
limpid_disk=$LIMPID_BUILD/cmd/limpid-disk
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-disk-XXXXXX")
declare -A pid=() # of each disk, by number
loops=()          # devices that are attached
nodes=" $(echo /dev/loop[0-9]*) " # that were there before

fail() {
  echo "FAILED: $*"
  head -n 5 "$work"/err* "$work"/fio.err 2>/dev/null
  exit 1
}
skip() {
  echo "$*"
  exit 77
}

# Detach a loop device; one that came with us goes with us.
detach() {
  losetup -d "$1" 2>/dev/null
  case $nodes in *" $1 "*) return ;; esac
  until_true detached "$1"
  python3 -c 'import fcntl, sys
with open("/dev/loop-control") as control:
    fcntl.ioctl(control, 0x4C81, int(sys.argv[1]))' "${1#/dev/loop}" \
    2>/dev/null
}
detached() { [ ! -e "/sys/block/${1#/dev/}/loop/backing_file" ]; }

# Disks first: what is stuck ends with them.
clean() {
  local i
  for i in "${!pid[@]}"; do kill "${pid[$i]}" 2>/dev/null; done
  wait
  for i in "${loops[@]}"; do detach "$i"; done
  for i in "$work"/m*; do
    mountpoint -q "$i" 2>/dev/null && umount -l "$i"
  done
  rm -rf "$work"
}

# until_true COMMAND...: wait, at most 20 s
until_true() {
  local i
  for i in $(seq 400); do
    "$@" && return 0
    sleep 0.05
  done
  return 1
}
has() { grep -q -- "$1" "$2" 2>/dev/null; }

need_lab() {
  [ "$(id -u)" = 0 ] || skip "loop devices take root"
  [ -x "$limpid_disk" ] || skip "limpid-disk is not built: no libfuse3"
  [ -c /dev/fuse ] || skip "there is no /dev/fuse"
  [ -c /dev/loop-control ] || skip "there are no loop devices"
  for tool in fio losetup python3; do
    command -v $tool >/dev/null || skip "there is no $tool"
  done
}

# start NUMBER OPTIONS...: a disk, mounted when this returns
start() {
  local i=$1
  shift
  mkdir -p "m$i"
  : >"out$i"
  setsid "$limpid_disk" --backing "b$i" --mount "m$i" --control "c$i" "$@" \
    >"out$i" 2>"err$i" </dev/null &
  pid[$i]=$!
  until_true has_begun "$i"
  has ready "out$i" || fail "disk $i does not begin"
}
has_begun() { has ready "out$1" || ! kill -0 "${pid[$1]}" 2>/dev/null; }

# ended NUMBER: wait for the disk's end; its status
ended() {
  local status
  wait "${pid[$1]}"
  status=$?
  unset "pid[$1]"
  return $status
}

# attach NUMBER: $loop, a loop device on disk NUMBER, with direct I/O; what the
# device's former user set is put back
attach() {
  local queue
  loop=$(losetup -f --show --direct-io=on "m$1/disk") || fail "no loop device"
  loops+=("$loop")
  queue=/sys/block/${loop#/dev/}/queue
  echo none >"$queue/scheduler"
  echo 128 >"$queue/read_ahead_kb"
  echo 1280 >"$queue/max_sectors_kb"
  [ "$(cat "/sys/block/${loop#/dev/}/loop/dio")" = 1 ] || fail "no direct I/O"
}

# ctl NUMBER COMMAND...
ctl() {
  local i=$1
  shift
  "$limpid_disk" ctl "c$i" "$@"
}
# figure NUMBER KEY: of its status
figure() { ctl "$1" status | tr ' ' '\n' | sed -n "s/^$2=//p"; }

# stat_of DEVICE FIELD: of /proc/diskstats, as the kernel numbers them
stat_of() {
  awk -v name="${1#/dev/}" -v n="$2" '$3 == name { print $(n + 3) }' \
    /proc/diskstats
}

# load DEVICE read|write|randread QUEUE BYTES SECONDS [FIO OPTION]...
# Into $rate (bytes a second) and $clat (ms) what fio says, into $await (ms) and
# $sectors what diskstats says.
load() {
  local device=$1 how=$2 queue=$3 size=$4 seconds=$5 a b n=1 t=4 s=3
  shift 5
  [ "$how" = write ] && n=5 t=8 s=7
  a="$(stat_of "$device" $n) $(stat_of "$device" $t) $(stat_of "$device" $s)"
  read -r rate clat < <(fio --name=load --thread --filename="$device" --rw="$how" \
    --bs="$size" --iodepth="$queue" --ioengine=libaio --direct=1 \
    --time_based --runtime="$seconds" --size=200M --output-format=terse \
    --terse-version=3 "$@" 2>fio.err |
    awk -F';' -v f="$([ "$how" = write ] && echo 48 || echo 7)" \
      'NF > 60 { printf("%d %.2f\n", $f * 1024, $(f + 9) / 1000) }')
  b="$(stat_of "$device" $n) $(stat_of "$device" $t) $(stat_of "$device" $s)"
  read -r await sectors < <(echo "$a $b" | awk '{
    printf("%.2f %d\n", $4 > $1 ? ($5 - $2) / ($4 - $1) : 0, $6 - $3) }')
}

# near FIGURE EXPECTED PERCENT
near() {
  awk -v a="$1" -v b="$2" -v p="$3" \
    'BEGIN { exit !(a > 0 && a >= b * (1 - p / 100) && a <= b * (1 + p / 100)) }'
}
above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; }
