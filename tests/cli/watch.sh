# Wrong usage of watch; no terminal; the verdict of archives for scripts.
try() {
  limpid watch "$@"
  echo "status $?"
}
run=$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1
try -i 0.01
try -i 2h
try --for 0
try --root / "$run"
try no-such-directory
mkdir empty
try empty </dev/null
# Empty directories may fill: the end of the time is the end.
try --once --for 1 empty
try --once "$run" | sed -n '1,/What:/p; /^status/p'
limpid watch --once --json "$run" |
  python3 -c 'import json, sys
for line in sys.stdin:
    v = json.loads(line)
    print(v["verdict"], v["method"], [f["component"] for f in v["findings"]])'
