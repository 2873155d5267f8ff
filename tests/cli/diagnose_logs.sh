# Logs beside a recording: the cause is named, contradicted, added, or nothing.
limpid logs --help >/dev/null 2>&1 || { echo "no limpid-logs"; exit 77; }
run=$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1/recording.limpid
line() { # TIME LEVEL FUNCTION TEXT
  printf '[2026-11-16 %s +0000] %s [MSGID: 1] [a.c:1:%s] %s\n' "$1" "$2" "$3" "$4"
}
diagnose() { limpid diagnose --method cdf --logs logs --logs-model model "$@" "$run"; }
findings() { sed -n '/^One comp/p; /comp.* differ/p; /^s[0-9]/,/^$/p' | grep -vE '^    (metric|[a-z%_-]+ +[0-9])'; }
mkdir -p logs/s1 logs/s4
line 01:00:00.0 I health '0-vol-posix: all is well' | tee logs/s1/brick.log >logs/s4/brick.log
limpid logs learn -o model logs
echo "--- the logs say nothing of it"
diagnose | findings
echo "--- they say what it is"
line 02:01:00.0 E posix_readv '0-vol-posix: read failed [Input/output error]' >>logs/s1/brick.log
diagnose | findings
echo "--- they add another host, and say so"
line 02:00:30.0 W connect '0-socket: connection failed [Network is unreachable]' >>logs/s4/brick.log
diagnose | findings
diagnose --json | tr '{,' '\n' | grep -E '"(component|cause|known_by|kind)":' | sort | uniq -c
diagnose --html page.html
grep -c 'Network is unreachable' page.html
echo "--- they speak for another cause"
rm -r logs/s4
line 02:01:00.0 W connect '0-socket: connection failed [Network is unreachable]' >logs/s1/brick.log
diagnose | findings
echo "--- they cannot be read"
diagnose --logs nowhere
