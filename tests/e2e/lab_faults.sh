#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Each published fault is seen in a recording of a real cluster, on the victim
# only; each other one sets what it says, on its victim only. All that a fault
# makes is gone after it, also when its command was killed.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
# shellcheck disable=SC2016 # the dollars are sed's and awk's
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

servers=(s1 s2 s3 s4 s5 s6)
declare -A device=() # of each server: loop9

disk_says() {
  "$LIMPID_BUILD/cmd/limpid-disk" ctl "$lab/$1/control" status | tr ' ' '\n'
}

# hogs: the processes of limpid in the lab, "4711 s3"; none but those of faults
# while no workload runs
hogs() {
  local pid node
  for pid in $(pgrep -x limpid-lab); do
    for node in "${servers[@]}" c1 c2 x1 bridge; do
      [ "/proc/$pid/ns/net" -ef "$lab/$node/netns" ] && echo "$pid $node"
    done
  done
}
# in_net NODE COMMAND...: in the network of that node of this lab
in_net() {
  local node=$1
  shift
  nsenter --net="$lab/$node/netns" "$@"
}

# settings: all that a fault may set or start on any node, a line each
settings() {
  local node
  for node in "${servers[@]}"; do
    # Behind the last setting are counters.
    disk_says "$node" | sed "s/^/$node /; / bus=/q"
    echo "$node reads ahead" \
      "$(cat "/sys/block/${device[$node]}/queue/read_ahead_kb")"
  done
  for node in "${servers[@]}" c1 c2 x1 bridge; do
    in_net "$node" tc qdisc show |
      sed -n "s/.* dev \([^ ]*\) .* rate \([^ ]*\) .*/$node \1 \2/p"
  done
  in_net bridge ip -br link show up | sed 's/[@ ].*/ port is up/'
  in_net bridge iptables -S FORWARD |
    sed -n 's/.*--physdev-\(in\|out\) \([^ ]*\) .*-j DROP.*/\2 drops \1/p'
  hogs | sed 's/.* //; s/$/ hog/'
}
# is_as FILE: the settings are those; what is not, in text
is_as() {
  settings | sort >now
  diff "$1" now >text
}
no_fault() { status >text && grep -qx 'no fault is active' text; }

# put_on SCRIPT FAULT OPTIONS...: until the settings are those of before as the
# sed script changes them, and nothing else has changed
put_on() {
  local script=$1
  shift
  sed "$script" before | sort >wanted
  cmp -s before wanted && fail "$*: nothing would change"
  echo "$1" >>tried
  "$LIMPID" lab fault "$@" --dir "$lab" >said 2>err &
  running=$!
  await 30 "$*" is_as wanted
}
# Its first line is what it is, the next what it does.
has_looked() {
  cat said >text
  [ "$(wc -l <said)" -ge 2 ]
}
# end_it: as by Ctrl-C; its status
end_it() {
  local how
  kill -INT "$running"
  wait "$running"
  how=$?
  running=
  [ "$(tail -n 1 said)" = "the fault was removed" ] || fail "not undone: $(cat said)"
  is_as before || fail "$(head -n 1 said): afterwards: $(cat text)"
  return $how
}
# take_off: when it has bitten
take_off() {
  await 20 "it does not say what it does" has_looked
  end_it || fail "it did not bite: $(cat said)"
}
# killed SCRIPT FAULT OPTIONS...: that process alone, and all is as before
killed() {
  put_on "$@"
  kill -9 "$running"
  wait "$running" 2>/dev/null
  running=
  await 30 "$2 is on though its command was killed" is_as before
}

up -q || fail "no lab"
learn_prefix
status >text || fail "no status"
for node in "${servers[@]}"; do
  device[$node]=$(sed -n "s/^$node .* \(loop[0-9]*\),.*/\1/p" text)
  [ -n "${device[$node]}" ] || fail "$node has no device: $(cat text)"
done
settings | sort >before
# What is changed below is there to be changed.
for line in 's3 rate=12000000' 's3 jitter_us=0' 's3 reads ahead 128' \
  's3 eth0 150Mbit' 'bridge s3 150Mbit' 's3 port is up' 'c1 eth0 300Mbit' \
  'bridge c1 300Mbit'; do
  grep -qx -- "$line" before || fail "there is no '$line': $(cat before)"
done
grep -E ' (hog|drops .*)$' before && fail "a fault is on at the beginning"

# ---- seen in a recording ----
"$LIMPID_SOURCE/tools/lab-faults" --dir "$lab" --json --workload ddr \
  --seconds 5 --settle 2 >seen.json || fail "no recording"
python3 "$LIMPID_SOURCE/tests/e2e/lab_faults.py" seen.json ||
  fail "a fault is not seen as it should be"
no_fault || fail "a fault is still on: $(cat text)"
is_as before || fail "something is left of them: $(cat text)"
grep -o '"fault": "[a-z-]*"' seen.json | cut -d '"' -f 4 >tried

# ---- what is set ----
slow_disk='s/^s3 rate=12000000$/s3 rate=3000000/'
read_ahead='s/^s3 reads ahead 128$/s3 reads ahead 2560/'
slow_link='s/^\(s3 eth0\|bridge s3\) 150Mbit$/\1 15Mbit/'
slow_client='s/^\(c1 eth0\|bridge c1\) 300Mbit$/\1 20Mbit/'
hog='$a s3 hog'
put_on "$slow_disk" slow-disk --server s3
take_off
put_on 's/^s3 jitter_us=0$/s3 jitter_us=100000/' jittery-disk --server s3
take_off
put_on "$read_ahead" stale-readahead --server s3
take_off
put_on "$slow_link" slow-link --server s3
take_off
put_on "$slow_client" slow-client --client c1
take_off
"$LIMPID" lab fault slow-client --client c1 --for 1s --dir "$lab" >said 2>err ||
  fail "slow-client for a second"
is_as before || fail "after its second: $(cat text)"

# ---- a port that is down, and up again, and is up when the fault ends ----
flaps='/^s3 port is up$/d; $a bridge hog'
put_on "$flaps" flapping-link --server s3 --strength 3
sed '$a bridge hog' before | sort >wanted
await 30 "the port stays down" is_as wanted
take_off
# In its nine seconds down; whether it has bitten then is another question.
put_on "$flaps" flapping-link --server s3 --strength 9
end_it

# ---- processes: where they are, and what they use ----
put_on "$hog" cpu-hog --server s3
pid=$(hogs | sed -n 's/ s3$//p')
strange=$(find /sys/fs/cgroup -maxdepth 2 -name "$prefix-s3" \
  -exec grep -Lx -- "$pid" '{}/cgroup.procs' \;)
[ -z "$strange" ] || fail "the hog is not in a group of s3: $strange"
take_off

# moved: of each server, sectors read through its device, bytes read beneath it
moved() {
  local node
  for node in "${servers[@]}"; do
    echo "$node $(awk '{ print $3 }' "/sys/block/${device[$node]}/stat")" \
      "$(disk_says "$node" | sed -n 's/^under_bytes=//p')"
  done
}
# moves AWK: it finds the differences, "s3 8192 0" a line, as they should be
moves() {
  moved | join at_first - | awk '{ print $1, $4 - $2, $5 - $3 }' >text
  awk "$1" text
}
moved >at_first
put_on "$hog" rebuild --server s3
await 30 "rebuild reads something else" moves '
  $1 == "s3" { mine = $2 }
  $1 != "s3" && $2 > peers { peers = $2 }
  { beneath += $3 }
  END { exit !(NR == 6 && mine >= 2048 && mine > 4 * peers && beneath == 0) }'
take_off
moved >at_first
put_on '$a s3 hog
$a s4 hog' two-victims --server s3
await 30 "two-victims reads something else" moves '
  ($1 == "s3" || $1 == "s4") != ($3 > 0) { bad = 1 }
  END { exit bad || NR != 6 }'
take_off

# Those of all servers: no server is named.
all_hogs=$(printf '$a %s hog\n' "${servers[@]}")
moved >at_first
put_on "$all_hogs" backup
await 30 "backup does not read all disks" moves '
  $2 < 1024 || $3 > 0 { bad = 1 }
  END { exit bad || NR != 6 }'
take_off
put_on "$all_hogs" log-rotation --strength 1
await 30 "no log is compressed" test -s "$lab/s1/brick/rotated.log.gz"
take_off
compgen -G "$lab/s*/brick/rotated.log*" && fail "logs are left"

# ---- killed: a rule, a disk, a setting, a link, a port, a process ----
killed '$a s3 drops in' send-pktloss --server s3
killed "$slow_disk" slow-disk --server s3
killed "$read_ahead" stale-readahead --server s3
killed "$slow_link" slow-link --server s3
killed "$flaps" flapping-link --server s3 --strength 9
killed "$hog" cpu-hog --server s3
await 30 "a fault is still on" no_fault

# ---- none is forgotten, and nothing is left ----
# Those of software: lab_software.sh.
sed -n 's/^bites \([a-z-]*\) .*/\1/p' \
  "$LIMPID_SOURCE/tests/e2e/lab_software.sh" >>tried
"$LIMPID" lab fault --list | sed 's/ .*//' | sort >listed
sort -u tried | comm -13 - listed | grep . && fail "these were never on"
down || fail "not down"
nothing_left "down"
echo "all faults seen, all undone"
