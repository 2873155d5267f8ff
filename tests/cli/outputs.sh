# No output replaces a recording, an input, or a file of another kind.
awk -v what=none -f "$DATA/cluster.awk" >healthy.csv
limpid import -o a.limpid healthy.csv
limpid import -o b.limpid healthy.csv
echo precious >notes
ln a.limpid hard
ln -s a.limpid soft
cp "$DATA/two_threads.iotrace" t.iotrace
cksum a.limpid b.limpid notes healthy.csv t.iotrace >sums

# try WORDS: must end with 2, one line, and all files as they were.
try() {
  limpid "$@" >out 2>message </dev/null
  status=$?
  echo "status $status, $(wc -l <message) line: $*"
  cat message >&2
  cksum a.limpid b.limpid notes healthy.csv t.iotrace | cmp - sums
}
for file in a.limpid hard soft notes healthy.csv; do
  try diagnose --html $file b.limpid
done
try diagnose --html ./*.limpid
try diagnose --dump a.limpid b.limpid
try diagnose --findings a.limpid b.limpid
try diagnose --findings notes b.limpid
try diagnose --findings - --json b.limpid
try diagnose --html page --dump page b.limpid
try diagnose --html - --json b.limpid
try train -o a.limpid b.limpid
try train -o healthy.csv b.limpid
for format in csv jsonl openmetrics; do
  try export --to $format --class disk -o a.limpid b.limpid
done
try export --class disk -o healthy.csv healthy.csv
# A recording by somebody else, with limpid's own columns.
cp healthy.csv foreign.csv
try export --class disk -o foreign.csv b.limpid
cmp healthy.csv foreign.csv
# The same with times as limpid writes them.
printf 'time,host,device,tps,await\n2026-01-01T00:00:00Z,h,sda,1,2\n' >hand.csv
cp hand.csv kept
try export --class disk -o hand.csv b.limpid
mkdir texts
limpid export -o texts/ b.limpid
try export -o texts/ b.limpid
cmp hand.csv kept
try export --replace --class disk -o hand.csv b.limpid
cmp -s hand.csv kept || echo "hand.csv was replaced"
try export --class disk -o soft a.limpid
try import -o a.limpid b.limpid
try import -o notes b.limpid
try import --replace -o a.limpid a.limpid b.limpid
mkdir all
ln a.limpid b.limpid all
try import --replace -o a.limpid all
try archive compact -o a.limpid b.limpid
try archive repair -o a.limpid b.limpid
try io run -o a.limpid -- true
try io run -o - -- true
try io run --html a.limpid -- true
try io run -o new --html notes -- true
try io report --html a.limpid t.iotrace
try io report --html t.iotrace t.iotrace
try io trace -o a.limpid t.iotrace
try io trace --csv -o t.iotrace t.iotrace
try io fit -o t.iotrace cached=t.iotrace
try io calibrate -m a.limpid .
try io calibrate -m - .
try io bench -o a.limpid --repeats 1 .
try io bench --truth a.limpid --repeats 1 .
mkdir text
echo precious >text/oss1-disk.csv
try export -o text/ healthy.csv
cat text/oss1-disk.csv
ls

echo "-- of their own kind they are replaced"
again() {
  limpid "$@" >out 2>/dev/null && limpid "$@" >out 2>/dev/null
  echo "status $?: $*"
}
again diagnose --html page.html --dump dump.csv b.limpid
again diagnose --findings findings.json b.limpid
again train -o thresholds b.limpid
again export --replace --class disk -o disks.csv b.limpid
again export --to jsonl -o disks.jsonl b.limpid
again export --to openmetrics -o disks.txt b.limpid
again import --replace -o c.limpid b.limpid
again io run -o own.iotrace --html own.html -- true
again io report --html own.html t.iotrace
again io trace -o summary t.iotrace
again io trace --csv -o trace.csv t.iotrace

echo "-- a dash is standard output"
same() {
  limpid "${@:2}" | cmp - "$1" && echo "the same: ${*:2}"
}
same dump.csv diagnose --dump - b.limpid
limpid diagnose --html - b.limpid | sed -n '1p;$p' | cut -c1-15
same thresholds train -o - b.limpid 2>/dev/null
same disks.csv export --class disk -o - b.limpid
limpid import -o - b.limpid >d.limpid && limpid archive verify d.limpid
same disks.csv export --class disk d.limpid
same own.html io report --html - t.iotrace
same trace.csv io trace --csv -o - t.iotrace
if [ -e ./- ]; then echo "a file named -"; fi

echo "-- other names of standard output, which is a file"
limpid diagnose --html - b.limpid >dash.html
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
  limpid diagnose --html $name b.limpid >out && cmp out dash.html
  limpid diagnose --dump $name b.limpid >out && cmp out dump.csv
  limpid export --class disk -o $name b.limpid >out && cmp out disks.csv
  limpid import -o $name b.limpid >e.limpid && cmp d.limpid e.limpid
  echo "status $?: $name"
done
try diagnose --html /dev/stdout --json b.limpid
try diagnose --html /dev/stdout --dump - b.limpid
