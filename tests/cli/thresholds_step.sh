# Thresholds are of the step that they were trained at, and of no other.
awk -v what=none -f "$DATA/cluster.awk" >none.csv
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
try() {
  limpid "$@" >out
  echo "status $?"
  sed -n '1p;/^Note/,$p' out
}
limpid train -i 5s --window 12 -o coarse.csv none.csv 2>/dev/null
limpid train -o fine.csv none.csv 2>/dev/null
sed -n '1,3p' coarse.csv
try diagnose --thresholds coarse.csv none.csv
try why --thresholds coarse.csv oss3/sdc none.csv
try diagnose --thresholds coarse.csv -i 5s --window 12 none.csv
try diagnose --thresholds fine.csv none.csv
try diagnose --thresholds fine.csv -i 5s --window 12 none.csv
echo ---- a file that does not say its step
grep -v '^# step' fine.csv >old.csv
try diagnose --thresholds old.csv slow.csv
limpid diagnose --json --thresholds old.csv slow.csv | grep -c 'does not say'
limpid why --thresholds old.csv oss3/sdc slow.csv | tail -4
echo ---- a step that is none
sed 's/^# step.*/# step: 0s/' fine.csv >zero.csv
try diagnose --thresholds zero.csv slow.csv
sed 's/^# step.*/# step: often/' fine.csv >often.csv
try diagnose --thresholds often.csv slow.csv
echo ---- a file for other components, without a row for all
sed -n 1,4p fine.csv >head.csv
echo 'cdf,disk,await,mds1/sdz,3' >>head.csv
try diagnose --thresholds head.csv slow.csv
echo ---- training runs of two steps
mkdir -p runs/a healthy/fine healthy/coarse
cp none.csv runs/a && cp none.csv healthy/fine
awk -v what=tenmin -f "$DATA/cluster.awk" >healthy/coarse/ten.csv
echo '{"workload":"x","fault":"none"}' >runs/a/truth.json
try evaluate --train healthy/fine --train healthy/coarse runs
try evaluate --train healthy/coarse runs
