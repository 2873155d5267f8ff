# Where nothing can be told, a clear word and no verdict invented.
make() {
  awk -v what="$1" -f "$DATA/cluster.awk"
}
try() {
  echo "---- $1"
  shift
  limpid diagnose --check "$@" >out
  status=$?
  sed '/^$/,$d' out
  grep '^Note: ' out
  echo "status $status"
}
make none >healthy.csv
# Each host at its own time.
awk -F, -v OFS=, 'NR > 1 { $1 += 86400 * substr($2, 4) } { print }' \
  healthy.csv >apart.csv
try "hosts that do not overlap in time" apart.csv
awk -F, 'NR == 1 || $2 == "oss1" && $3 != "sdd"' healthy.csv >two.csv
try "two peers" two.csv
awk -F, 'NR == 1 || $2 != "oss2" || $1 % 10 == 0' healthy.csv >slower.csv
try "one host at another interval" slower.csv
awk -F, -v OFS=, 'NR > 1 { $4 = $5 = $6 = $7 = $8 = $9 = 0 } { print }' \
  healthy.csv >idle.csv
try "all idle" idle.csv
awk -F, -v OFS=, 'NR > 1 { $4 = $5 = $6 = $7 = $8 = $9 = "" } { print }' \
  healthy.csv >missing.csv
try "all missing" missing.csv
make majority >majority.csv
try "a majority that differs" majority.csv
echo "---- a cluster file that contradicts the data"
echo 'hosts = ( { name = "oss9"; role = "server"; } );' >wrong.conf
limpid diagnose --check --cluster wrong.conf healthy.csv
echo "status $?"
