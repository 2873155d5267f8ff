# Stored findings are told as diagnose tells them, without the recordings.
run=$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1
awk -v what=none -f "$DATA/cluster.awk" >healthy.csv
awk -v what=slow -f "$DATA/cluster.awk" | head -40 >short.csv
mkdir kept
cp -r "$run" kept/slow
# both NAME FILES: every form of both commands
both() {
  local name=$1
  shift
  limpid diagnose --findings "$name.json" --html "$name.html" "$@" >"$name.txt"
  limpid diagnose --json "$@" >"$name.v1"
  limpid diagnose --hourly --top 3 "$@" >"$name.hourly"
  limpid diagnose -v --tz +01:00 "$@" >"$name.long"
}
same() {
  limpid report --html again.html --findings again.json "$1.json" | cmp - "$1.txt"
  cmp again.html "$1.html"
  cmp again.json "$1.json"
  limpid report --json - <"$1.json" | cmp - "$1.v1"
  limpid report --hourly --top 3 "$1.json" | cmp - "$1.hourly"
  limpid report -v --tz +01:00 "$1.json" | cmp - "$1.long"
  limpid report --check "$1.json" | sed -n 1p
  echo "status ${PIPESTATUS[0]}: $1"
}
both slow kept/slow
both healthy healthy.csv
both short short.csv
rm -r kept healthy.csv short.csv
for name in slow healthy short; do same $name; done
limpid report --html - slow.json | cmp - slow.html
limpid report --findings - slow.json | cmp - slow.json
head -c 60 slow.json; echo

echo "-- a kind that this limpid does not know"
python3 - <<'END'
import json
d = json.load(open("slow.json"))
d["findings"][0]["evidence"].append({
    "kind": "log-lines", "component": "s1/loop0", "accuses": False,
    "since": d["first"], "until": d["last"], "strength": None,
    "text": "the kernel logged 3 errors of this disk",
    "data": {"lines": ["I/O error"], "n": 3}})
json.dump(d, open("newer.json", "w"))
END
limpid report -v newer.json | grep 'kernel logged'
limpid report --html - newer.json | grep -c '>the kernel logged 3 errors'
limpid report --findings - newer.json | grep -o '"data":{[^}]*}'

echo "-- what is refused"
try() {
  limpid report "$@" >out
  echo "status $?, $(wc -c <out) bytes: $*"
}
try slow.txt
try slow.v1
try missing.json
try .
try
try slow.json healthy.json
try --json --hourly slow.json
try --json --html - slow.json
try --html slow.json healthy.json
try --findings slow.json slow.json
try --findings slow.html slow.json
try --tz Nowhere/At_all slow.json
head -c 3000 slow.json >cut.json
try cut.json
sed 's/"since":"/"since":"x/' slow.json >wrong.json
try wrong.json
sed 's/"version":2/"version":3/' slow.json >wrong.json
try wrong.json

echo "-- what holds no findings"
: >empty
limpid report empty
limpid report "$run/recording.limpid" 2>&1 | sed "s|$LIMPID_SOURCE/||" >&2
