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
  sed '/^$/,$!d' out | sed -n '/^oss/p'
  sed '/^$/,$d' out
  echo "status $status"
done
echo "---- one day every ten minutes, a disk slow for six hours"
make tenmin
limpid diagnose tenmin.csv
