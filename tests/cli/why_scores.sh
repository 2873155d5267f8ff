# Why limpid's own detector accuses a component, or why not.
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
echo ---- accused
limpid why --method limpid oss3/sdc slow.csv
echo ---- at a time when it is not
limpid why --method limpid --at 2026-11-15T00:04:55 oss3/sdc slow.csv |
  sed '/^Columns/,$d'
echo ---- behind the last block
limpid why --method limpid --at 2026-11-15T00:14:58 oss3/sdc slow.csv |
  sed -n '/Why/,/At/p'
echo ---- innocent
limpid why --method limpid oss1/sdb slow.csv | sed '/quantity/,$d'
echo ---- too little effect, too little distance
limpid why --method limpid --threshold 0.5 oss1/sdb slow.csv |
  sed -n '/Why/,/At/p'
limpid why --method limpid --threshold 60 oss3/sdc slow.csv |
  sed -n '/Why/,/At/p'
echo ---- left out by an option
limpid why --method limpid --exclude oss3/sdc oss3/sdc slow.csv |
  sed '/At:/,$d'
echo ---- all components of a host
limpid why --method limpid oss3 slow.csv | grep accused:
limpid why --method limpid oss3 slow.csv | grep -c '^Columns'
echo ---- JSON
limpid why --method limpid --json oss3/sdc slow.csv | sed 's/,"values.*//'
limpid why --method limpid --json oss3/sdc slow.csv |
  grep -o '"quantity":"[a-z]*","kind":"[a-z]*","window_s":[0-9]*' | head -3
limpid why --method limpid --json oss3/sdc slow.csv |
  grep -o '"lacks":[^}]*' | sort | uniq -c
echo ---- with another method
limpid why --method limpid,cdf oss3/sdc slow.csv |
  grep -e '^  latency' -e ' by ' -e '^Columns'
limpid why --method cdf --json oss3/sdc slow.csv |
  grep -o '"metric":"await","method":"cdf","value":[^}]*'
echo ---- too short
awk -v what=short -f "$DATA/cluster.awk" >short.csv
limpid why --method limpid --until 2026-11-15T00:00:40 oss3/sdc short.csv
echo ---- long steps
awk -v what=tenmin -f "$DATA/cluster.awk" >tenmin.csv
limpid why --method limpid oss5/sdb tenmin.csv | sed '/distance is in/,$d'
echo ---- too many at once
awk -v what=majority -f "$DATA/cluster.awk" >majority.csv
limpid why --method limpid oss1/sdb majority.csv | sed '/quantity/,$d'
echo ---- absent
awk -v what=absent -f "$DATA/cluster.awk" >absent.csv
limpid why --method limpid oss2/sdc absent.csv | sed '/At:/,$d'
echo ---- errors
limpid why --method limpid oss9 slow.csv
echo "status $?"
limpid why --method limpid --json oss9 slow.csv
echo "status $?"
limpid why --method limpid --at 2030-01-01 oss3/sdc slow.csv
echo "status $?"
