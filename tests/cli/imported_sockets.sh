# Sockets that another tool recorded, one a row: they are compared, servers that
# talk to each other are not taken for clients, and idle sockets count for
# nothing. What has no values is not called compared.
awk -v what=none -f "$DATA/cluster.awk" |
  sed 's/,oss/,s/; 3601,$d' >disks.csv
for what in none to from bare; do
  awk -v what=$what -f "$DATA/sockets.awk" >sockets.csv
  echo "---- $what"
  limpid diagnose --json disks.csv sockets.csv >verdict.json
  grep -o '"verdict":"[a-z]*"' verdict.json
  grep -o '{"component":"[^"]*","host":"[^"]*","cause":"[^"]*"' verdict.json
  for key in compared no_values; do
    echo "$key:"
    grep -o "\"$key\":[^]]*" verdict.json |
      grep -o '"group":"[^"]*","metric":"[^"]*"'
  done
done
echo "---- in words"
limpid diagnose --method cdf,cwnd disks.csv sockets.csv | sed -n '/^Compared/,/^Method/p'
limpid diagnose --html page.html --method cdf,cwnd disks.csv sockets.csv >/dev/null
grep -o 'cwnd (no values)' page.html
echo "---- nothing but sockets without a window"
grep -E '^time|,s[1-4],' sockets.csv >alone.csv
limpid diagnose --method cdf,cwnd alone.csv | sed -n '1,/^Compared/p'
echo "---- disks and sockets of the same hosts in two files: all have values"
limpid diagnose --method cdf --metric rd_sec --dump dump.csv disks.csv sockets.csv >/dev/null
awk -F, 'NR > 1 && $4 == "" { n++ }
  END { print n + 0, "of", NR - 1, "lines without a distance" }' dump.csv
