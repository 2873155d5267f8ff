# The step follows what was recorded, not the time from the first sample to the
# last: with 15 s, a recording of 15 minutes is too short to find anybody.
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
echo "---- two recordings, ten hours apart"
awk -F, -v OFS=, 'NR > 1 { $1 += 36000 } 1' slow.csv >later.csv
limpid diagnose slow.csv later.csv | sed -n '1p;/^oss/,/When/p;/^Method/p'
echo "---- one stray line, three hours before the others"
{ head -n 1 slow.csv; sed -n 2p slow.csv |
  awk -F, -v OFS=, '{ $1 -= 10800 } 1'; tail -n +2 slow.csv; } >stray.csv
limpid diagnose stray.csv | sed -n '1p;/^oss/,/When/p;/^Method/p'
limpid inventory slow.csv later.csv | grep '^What can be'
