# Every score of limpid's own detector, and the sums that it is made of.
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
limpid diagnose --method limpid --dump scores.csv slow.csv | head -1
head -1 scores.csv
echo ---- one component at the end of one block
grep '^2026-11-15T00:06:00Z.*,oss3/sdc,' scores.csv |
  grep -e ,sum, -e ,latency, | awk -F, -v OFS=, '
    { for (i = 7; i < NF; i++) if ($i != "") $i = sprintf("%.4g", $i); print }'
echo ---- who is accused
awk -F, '$NF == 1 { print $(NF - 14) }' scores.csv | sort -u
echo ---- to standard output
limpid diagnose --method limpid --dump - slow.csv | cmp - scores.csv && echo same
echo ---- an earlier file of either kind is replaced
limpid diagnose --method cdf --dump scores.csv slow.csv | head -1
head -1 scores.csv
limpid diagnose --method limpid --dump scores.csv slow.csv | head -1
head -1 scores.csv
echo ---- methods that have other columns
limpid diagnose --method limpid,cdf --dump both.csv slow.csv
echo "status $?"
[ -e both.csv ] || echo not written
