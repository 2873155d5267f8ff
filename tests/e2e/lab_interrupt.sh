#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A campaign that is interrupted in the midst of its second run keeps the first,
# drops the second and takes its lab down; the same command goes on there. Nor
# does Ctrl-C wait for a file system that is waited for.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

short_campaign 2
first=1-01-ddw-none
second=1-02-ddw-none

campaign=("$LIMPID" lab campaign short.conf -o runs --dir "$lab")
first_truth() { stat -c '%i %y' "runs/$first/truth.json"; }

# ---- interrupted ----
"${campaign[@]}" >out 2>err &
running=$!
await 150 "the second run does not begin" has_begun "runs/.$second"
# It does not end before Ctrl-C.
kill -STOP "$running"
learn_prefix
[ -n "$prefix" ] || fail "no prefix"
kill -INT "$running"
kill -CONT "$running"
wait "$running"
status=$?
running=
[ $status = 1 ] || fail "Ctrl-C: status $status: $(cat out)"
[ "$(wc -l <err)" = 1 ] || fail "Ctrl-C: not one line"
grep -q 'interrupted; finished runs are kept; run the same command again' err ||
  fail "Ctrl-C: other words"
nothing_left "Ctrl-C"
kept=$(first_truth) || fail "the first run is not kept: $(cat out)"
[ -e "runs/$second" ] && fail "the second run was not interrupted"
[ -e "runs/.$second" ] && fail "something half made is left"
[ -e runs/failed ] && fail "it counts as failed"

# ---- and it goes on ----
"${campaign[@]}" >out 2>err || fail "not resumed: $(cat out)"
grep -qx '2 of 2 runs are in runs; made 1 now\.' out ||
  fail "other words: $(cat out)"
[ -s "runs/$second/truth.json" ] || fail "the second run was not made"
[ "$(first_truth)" = "$kept" ] || fail "the first run was made again"
nothing_left "the campaign"

# ---- while the file system is waited for ----
# A gluster that never says what is in $work/never: then a volume is waited for,
# 90 s until it serves, 3 min until it is healed.
real=$(command -v gluster)
mkdir bin
cat >bin/gluster <<END
#!/bin/sh
case "\$*" in
*"\$(cat '$work/never')"*) touch '$work/asked'; exit 1 ;;
esac
exec '$real' "\$@"
END
chmod 755 bin/gluster
asked() {
  cat out err >text
  [ -e asked ]
}
has_ended() { ! kill -0 "$running" 2>/dev/null; }
# stuck NEVER WORDS...: Ctrl-C ends limpid lab WORDS long before the wait does
stuck() {
  echo "$1" >never
  rm -f asked
  shift
  PATH=$work/bin:$PATH "$LIMPID" lab "$@" --dir "$lab" >out 2>err &
  running=$!
  await 100 "nobody asks gluster for $(cat never)" asked
  learn_prefix
  kill -INT "$running"
  await 40 "Ctrl-C is not heard: $*" has_ended
  wait "$running" && fail "no failure: $*"
  running=
  [ "$(wc -l <err)" = 1 ] || fail "not one line: $*"
  grep -q interrupted err || fail "other words: $*"
  nothing_left "Ctrl-C of $1"
}
stuck 'volume status' up -q --servers 1 --clients 1 --layout sharded
sed 's/servers = 1/servers = 3/; s/sharded/dispersed/' short.conf >healed.conf
stuck 'heal lab info' campaign healed.conf -o healed
echo "all is well"
