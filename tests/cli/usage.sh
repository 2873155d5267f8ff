# A wrong command line ends with status 2 and one line that names the option.
awk -v what=none -f "$DATA/cluster.awk" >healthy.csv
try() {
  limpid "$@" >out 2>message </dev/null
  echo "status $?: $*"
  head -n 3 message >&2
}
echo "-- values that would mean the default"
for command in diagnose 'why oss1/sdb' train evaluate; do
  for option in '--window 0' '--shift 0' '--smooth 0' '-k 0' '-i 0' \
    '--last 0'; do
    # shellcheck disable=SC2086 # several words
    try $command $option healthy.csv
  done
done
try diagnose --top 0 healthy.csv
try archive compact --block 0 healthy.csv
try simulate -o s --interval 0 small
try simulate -o s --seed 0 small
try io run --limit 0 -- true
try lab campaign --dry-run --limit 0 smoke
try lab campaign --dry-run --block 0 smoke
try lab campaign --dry-run --for 0 smoke
try record -o d --keep 0
echo "-- values that are too large"
try diagnose --window 999999999 healthy.csv
try diagnose --smooth 100000 healthy.csv
try diagnose --method cdf --shift 4000 healthy.csv
try diagnose --shift 20 --window 10 healthy.csv
try diagnose -k 33 healthy.csv
echo "-- other wrong values"
try simulate -o s --hours -1 small
try simulate -o s --hours x small
try simulate -o s --scale 0 small
try simulate -o s --scale 2x0 small
try simulate -o s --scale 99 small
try diagnose --metric tps healthy.csv
try evaluate --sweep window=0..3 .
for command in diagnose train 'why x' show inventory 'import -o a' export; do
  # shellcheck disable=SC2086 # several words
  try $command --map foo healthy.csv
  # shellcheck disable=SC2086 # several words
  try $command -f xml healthy.csv
done
try io bench --size x .
try io bench --file-size x .
try io bench --repeats 0 .
try io bench --rounds 0 .
try io bench --threads 0 .
try io calibrate --file-size x .
try lab up --servers 0
try lab up --driver x
echo "-- options and words"
try diagnose --ho x healthy.csv
try diagnose --htlm page healthy.csv
try diagnose --nonsense healthy.csv
try diagnoze healthy.csv
try frobnicate
try io rum
try archive verfy
try frobnicate -h
try io frobnicate -h
echo "-- not wrong"
limpid -V | sed 's/ .*//'
try diagnose --method cdf --smooth 1 --window 10 --shift 10 -k 1 -i 1 --top 1 healthy.csv
try show -i 0 healthy.csv
ls
echo "-- only what is near is meant"
for words in foo diagnos dianose shwo "diagnose --foo x" "diagnose --class x" \
  "diagnose --metrc x" "show --lats 1h x" "lab fo" $'\e[31m' $'archive \e[31m'; do
  # shellcheck disable=SC2086 # its words
  limpid $words 2>&1 | head -1
done
