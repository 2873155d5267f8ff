# Each illness by its word, each refusal by its reason, and the exit status.
make() {
  awk -v what="$1" -f "$DATA/cluster.awk" >"$1.csv"
}
make slow
limpid diagnose slow.csv
for what in none hog zero absent hostgone slowhost idle majority two short; do
  make $what
  echo "---- $what"
  limpid diagnose --check $what.csv >out
  status=$?
  sed '/^$/,$!d' out | sed -n '/^oss/,/When/p'
  sed '/^$/,$d' out
  echo "status $status"
done
echo "---- what is part of a finding is not its peer"
limpid diagnose hostgone.csv | sed -n '/Parts/,/Next/p'
echo "---- one day every ten minutes, a disk slow for six hours"
make tenmin
limpid diagnose tenmin.csv
echo "---- a single sample, and none at all, in text and in JSON"
head -13 slow.csv >one.csv
limpid diagnose --check one.csv
echo "status $?"
limpid diagnose --check --json --since 2027-01-01 slow.csv | cut -d, -f 1-2,6
limpid diagnose --check --html page.html --since 2027-01-01 slow.csv
echo "status $?"
grep -o 'no host has two samples' page.html | head -1
