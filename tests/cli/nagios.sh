# diagnose as a plugin of Nagios: one line on standard output, 0, 2 or 3.
make() {
  awk -v what="$1" -f "$DATA/cluster.awk" >"$1.csv"
}
try() {
  limpid diagnose "$@"
  echo "status $?"
}
for what in none slow two slowhost; do
  make $what
  try --nagios $what.csv
done
echo ---- what was left out is counted
try --nagios none.csv nosuch
try --nagios none.csv nosuch nosuch2
try --nagios slow.csv nosuch
try --nagios two.csv nosuch
printf '2026-11-15T00:59:59Z,oss1,sdb,1' >end
cat none.csv end >cut.csv
try --nagios cut.csv
echo ---- errors are unknown, and no warning or fault
try --nagios missing.csv
try --nagios --since nowhen slow.csv
try --nagios --nosuch slow.csv
try --nagios
try --nagios --exclude oss9 slow.csv
try --nagios --check slow.csv
try --nagios --json slow.csv
try --nagios --html - slow.csv
limpid diagnose --nagios slow.csv >/dev/full
echo "status $?"
echo ---- a name does not end the text
sed 's/oss3,sdc/oss3,s|c/' slow.csv >bar.csv
try --nagios bar.csv
echo ---- --check is as it was
for what in none slow two; do
  limpid diagnose --check $what.csv >/dev/null
  echo "status $?"
done
limpid diagnose --help --nagios | head -1
