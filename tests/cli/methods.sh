# Several methods at once: each line of evidence says whose it is.
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
limpid diagnose --method cdf,pdf --html page.html slow.csv |
  sed -n '/metric/p;/ by /p;/^Compared/p'
grep -o 'accuses <span class="soft">by [a-z]*' page.html
limpid diagnose --json --method cdf,pdf slow.csv |
  grep -o '"method":"[a-z]*","accuses":true'
limpid why --method cdf,pdf oss3/sdc slow.csv | sed -n '/metric/p;/ by /p'
echo ---- one method needs no name
limpid diagnose --method cdf slow.csv | grep -c ' by '
limpid why --method cdf oss3/sdc slow.csv | grep -c ' by '
echo ---- why and diagnose give the same numbers for the same thing
limpid diagnose --method cdf slow.csv | awk '$1 == "await" { print $2, $3, $4, $5, $6, $7 }'
limpid why --method cdf oss3/sdc slow.csv |
  awk '$1 == "await" { print $2, $3, $4, $5, $8, $9 }'
