# A budget of false alarms, and what is known of a site.
make() {
  awk -v what="$1" -f "$DATA/cluster.awk" >"$1.csv"
}
make slow
make none
try() {
  limpid "$@"
  echo "status $?"
}
say() {
  limpid diagnose --method limpid "$@" | sed -n '/^Method/,/^Time/p'
}
say none.csv
say --false-alarms 1/month none.csv
say --false-alarms 2/week none.csv
say --threshold 5 none.csv
cat >site <<'END'
# limpid calibration 1
# measured on: oss1 oss2, 2026-11-14T00:00:00Z to 2026-11-15T00:00:00Z
# block: 10s
kind,class,from,scale,rate,excesses,hours,group
tail,disk,4,2,0.1,412,8640,
tail,net,2.5,0.5,0.1,412,8640,
later,kinds,of,lines,are,passed,over,
END
say --calibration site none.csv
say --calibration site --false-alarms 1/month none.csv
limpid diagnose --method limpid --calibration site slow.csv | head -3
echo "-- too few hours"
try calibrate -o new none.csv
test ! -e new && echo "nothing was written"
echo "-- refused"
for budget in 0/month -1/month month 1/ 1/0s 99/hour 1/9000000d nan/day; do
  try diagnose --method limpid --false-alarms "$budget" none.csv
done
try diagnose --method limpid --false-alarms 1/day --threshold 5 none.csv
try calibrate
sed s/10s/15s/ site >other
try diagnose --method limpid --calibration other none.csv
sed 's/calibration 1/calibration 2/' site >other
try diagnose --method limpid --calibration other none.csv
sed 's/8640/none/' site >other
try diagnose --method limpid --calibration other none.csv
sed 's/,412.*//' site >other
try diagnose --method limpid --calibration other none.csv
: >other
try diagnose --method limpid --calibration other none.csv
try diagnose --method limpid --calibration none.csv none.csv
try diagnose --method limpid --calibration missing none.csv
try calibrate -o none.csv slow.csv
try train --method limpid none.csv
