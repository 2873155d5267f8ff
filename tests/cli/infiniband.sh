# InfiniBand ports are compared by what they move (cdf), as inventory says, also where
# nothing else is recorded; a counter that stays at its largest value is no
# missing port.
awk -v what=none -f "$DATA/ports.awk" >none.csv
limpid inventory none.csv | grep -A1 '^Compared'
for what in none hog gone stuck allstuck; do
  echo "---- $what"
  awk -v what=$what -f "$DATA/ports.awk" >$what.csv
  limpid diagnose --method cdf --json $what.csv >verdict.json
  grep -o '"verdict":"[a-z]*"' verdict.json
  grep -o '{"component":"[^"]*","host":"[^"]*","cause":"[^"]*"' verdict.json
  grep -o '"compared":[^]]*' verdict.json |
    grep -o '"group":"[^"]*","metric":"[^"]*"'
  grep -o 'oss3/mlx5_0:1 has no [a-z]*' verdict.json
done
echo "---- beside disks"
awk -v what=none -f "$DATA/cluster.awk" >disks.csv
limpid diagnose --method cdf disks.csv hog.csv | sed -n 1,4p
echo "---- method limpid does not judge them yet"
limpid diagnose hog.csv
limpid diagnose disks.csv hog.csv | sed -n "1p;/^Note/,\$p"
echo "---- why, and a threshold for each"
limpid why --method cdf oss3/mlx5_0:1 hog.csv | grep -E 'accused|yes$'
limpid train -o thresholds.csv none.csv 2>/dev/null
grep -c '^cdf,ib,[rt]xbyt,oss' thresholds.csv
