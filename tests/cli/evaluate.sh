# Right, wrong and missed on simulated runs; training; a sweep; mistakes.
mkdir runs healthy
for fault in disk-busy read-network-hog; do
  limpid simulate --print small | sed "s/disk-busy/$fault/" >"$fault.conf"
  limpid simulate "$fault.conf" -o "runs/$fault" >/dev/null
done
limpid simulate small --no-events -o runs/none >/dev/null
limpid simulate small --no-events --seed 7 -o healthy/one >/dev/null
# A label that is wrong: s3 was ill, and s5 is said to be.
cp -r runs/disk-busy runs/mislabelled
sed -i '1s/"s3"/"s5"/' runs/mislabelled/truth.json
limpid evaluate --train healthy runs
limpid evaluate --train runs/none runs/none | grep training
limpid evaluate --method median --train healthy --trained-only runs
limpid evaluate --method median --train healthy --trained-only --json runs/none
limpid evaluate --sweep votes=2..3,threshold=6 runs/disk-busy
limpid evaluate --json runs/disk-busy runs/none
try() {
  limpid evaluate "$@"
  echo "status $?"
}
try missing
try healthy.conf
try --trained-only runs
try --sweep windows=3 runs
try --sweep window=9..3 runs
try --method cfd runs
try --window 200000 runs
try --host nosuch runs/none
mkdir empty half
try empty
echo '{"fault":"none"}' >half/truth.json
try half
# Other rules on the same runs; of some the limit can be trained.
limpid evaluate --baseline plain runs
limpid evaluate --baseline busiest runs/disk-busy runs/none
limpid evaluate --baseline mad --train healthy --json runs/disk-busy |
  grep -o '"baseline":"mad"\|"findings":\[{[^]]*'
limpid evaluate --baseline mad --threshold 1e9 runs/disk-busy | grep aggregate
try --baseline nosuch runs
try --baseline iaso runs
try --baseline plain --train healthy runs
try --baseline mad --method cdf runs
