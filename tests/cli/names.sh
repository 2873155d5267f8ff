# Names that match nothing are refused: a typo must not accuse, excuse or be
# passed over in silence. Options that exclude each other are, too.
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
awk -v what=none -f "$DATA/cluster.awk" >none.csv
try() {
  limpid "$@" >out
  echo "status $?"
  head -1 out
}
echo ---- names of components and hosts
try diagnose --exclude nosuch slow.csv
try diagnose --exclude oss3/sdcc slow.csv
try diagnose --exclude oss3/sdc --exclude os3 slow.csv
try diagnose --exclude oss3/sdc slow.csv
try diagnose --exclude oss3 slow.csv
try train --exclude oss33 none.csv
try why --exclude oss33 oss3/sdc slow.csv
try why oss3/sdcc slow.csv
try diagnose --reset oss3/sbc@2026-11-15T00:10 slow.csv
echo ---- where nothing is compared nobody is accused, whatever the name
try diagnose --exclude oss33 --since 2027-01-01 slow.csv
echo ---- names of metrics
try diagnose --metric latency,sendd slow.csv
try diagnose --metric latency --metric tps slow.csv
try diagnose --metric '' slow.csv
try diagnose --metric latency,write slow.csv
try diagnose --metric await slow.csv
echo ---- methods and metrics that have nothing in common
try diagnose --method cwnd --metric await slow.csv
try diagnose --method pdf --metric await,cwnd slow.csv
try diagnose --method pdf --metric await slow.csv
echo ---- a sweep neither trains nor writes JSON
mkdir run
try evaluate --train run --sweep votes=2 run
try evaluate --json --sweep votes=2 run
echo ---- a full disk
try diagnose --dump /dev/full slow.csv
try diagnose --html /dev/full slow.csv
