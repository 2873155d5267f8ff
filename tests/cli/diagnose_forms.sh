# JSON, the hourly list, the dump, why, train; what is refused.
make() {
  awk -v what="$1" -f "$DATA/cluster.awk" >"$1.csv"
}
make slow
make none
try() {
  limpid "$@"
  echo "status $?"
}
limpid diagnose --json slow.csv | python3 -c '
import json, sys
v = json.load(sys.stdin)
f = v["findings"][0]
e = f["evidence"][0]
print(v["version"], v["verdict"], v["method"], v["reason"])
print(sorted(v["compared"][0]))
print(f["component"], f["host"], f["cause"], f["resource"], f["since"],
      f["until"], f["score"] > 0, len(f["peers"]))
print(e["metric"], e["value"] > 5 * e["peers_median"], e["peers_low"] < e["peers_high"],
      e["threshold"], e["accuses"], e["distance"] > e["threshold"])
'
limpid diagnose --json none.csv | cut -c 1-50
limpid diagnose --hourly slow.csv
limpid diagnose --hourly \
  "$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1"
limpid diagnose --hourly --reset oss3/sdc@2026-11-15T00:10:00 slow.csv
limpid diagnose --exclude oss3/sdc slow.csv | sed -n "1p;/Note/p"
limpid diagnose --exclude oss3 slow.csv | head -1
limpid diagnose --method cdf --dump dump.csv slow.csv >exact
limpid diagnose --method cdf slow.csv | cmp - exact && echo same verdict
limpid diagnose --method cdf --exact-pairs slow.csv | cmp - exact && echo same verdict
head -1 dump.csv
grep -c await dump.csv
grep 'await,.*oss3/sdc.*,1$' dump.csv | sed -n '1p;$p' | cut -d, -f 1-3,5-
limpid diagnose --method pdf slow.csv | sed -n 3,4p
limpid diagnose --metric write slow.csv | head -1
limpid diagnose --since 2026-11-15T00:12:30 slow.csv | head -1
limpid diagnose --method cdf --window 20 -k 2 slow.csv | grep -A 1 Method
echo ---- why
limpid why --method cdf oss3/sdc slow.csv
limpid why --method cdf --at 2026-11-15T00:08 oss1/sdb slow.csv
limpid why --method cdf --at 2026-11-15T00:14:58 oss1/sdb slow.csv | grep await
echo ---- train
limpid train -o thresholds.csv none.csv
sed -n '1,4p;/,,/p' thresholds.csv
limpid diagnose --thresholds thresholds.csv slow.csv | sed -n '3,4p;/^Method/,/^Time/p'
limpid diagnose --thresholds thresholds.csv --method median slow.csv
limpid train --method median,cdf -o all.csv none.csv
limpid diagnose --thresholds all.csv --method median slow.csv | sed -n 3,4p
limpid train slow.csv | wc -l
limpid train --train-filtered none.csv | sed -n '2p;/await,,/p'
echo ---- refused
try diagnose --method cfd slow.csv
try diagnose --method thresh slow.csv
try diagnose --threshold x slow.csv
try diagnose --metric tps slow.csv
try diagnose --method cdf --window 5000 slow.csv
try diagnose --window 20 slow.csv
try diagnose --method limpid,cwnd -k 2 slow.csv
try diagnose --cwnd-threshold 0.4 slow.csv
try diagnose --reset oss3/sdc slow.csv
try diagnose --reset oss9/sdc@2026-11-15 slow.csv
try diagnose --thresholds slow.csv slow.csv
try diagnose --thresholds missing.csv slow.csv
try diagnose --cluster missing.conf slow.csv
try diagnose --since 2027-01-01 slow.csv
try diagnose --since 2026-11-16 --until 2026-11-15 slow.csv
try diagnose missing.csv
# A clock that was years off before it was set.
(sed -n 1p slow.csv; sed -n '2,4s/^1794700800/100/p' slow.csv
  sed 1d slow.csv) >off.csv
limpid diagnose -i 1s off.csv 2>&1 | sed 's/take [0-9]* GiB/take N GiB/'
limpid diagnose --since 2026-01-01 off.csv | sed -n 3,4p
try diagnose --dump /nowhere/dump.csv slow.csv
try diagnose
try why oss3/sdc
try why oss9 slow.csv
try why --at 2026-11-14T23:59 oss1/sdb slow.csv
try why --at 2026-11-15T02:00 --tz +01:00 oss1/sdb slow.csv
try why --at 2030-01-01 oss1/sdb slow.csv
try why --since 00:05 --at 00:04 oss1/sdb slow.csv
try train -o /nowhere/t.csv none.csv
