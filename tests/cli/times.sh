# Times as people say them, and the zone in which they are said and shown. The
# recording is of 2026-11-14, 08:00 to 12:00 UTC; that is 09:00 to 13:00 in
# Berlin.
awk 'BEGIN {
  print "time,host,device,tps"
  for (i = 0; i <= 16; i++)
    for (h = 1; h <= 2; h++)
      printf "%d,oss%d,sda,%d\n", 1794643200 + 900 * i, h, 100 * h + i
}' >day.csv
awk -v what=slow -f "$DATA/cluster.awk" >six.csv
now() { sed 's/now, [^ ,]*,/now, NOW,/'; }
show() { limpid show --metric tps --host oss1 "$@" day.csv; }

echo "---- a clock is of the recording's day, in UTC here"
show --since 10:00 --until 10:30
echo "---- with --tz it is said and shown in that zone"
show --tz Europe/Berlin --since 10:00 --until 10:15:30
show --tz +05:45 --since '2026-11-14 14:00' --until '2026-11-14 14:15'
echo "---- CSV and JSON are UTC, whatever the zone in which it is said"
show --tz Europe/Berlin --since 12:45 --csv
show --tz Europe/Berlin --since 12:45 --json
echo "---- what is shown can be said again"
show --since '2026-11-14 12:45:00 CET' --tz Europe/Berlin
echo "---- a zone that nobody knows is UTC, rules are taken"
TZ=Bogus/Zone show --tz local --since 12:00
TZ=Bogus show --tz local --since 12:00
TZ=CET-1CEST show --tz local --since 13:00
TZ='<+03>-3' show --tz local --since 15:00
TZ=:Europe/Berlin show --tz local --since 13:00
echo "---- the end of the recording"
show --last 30min
echo "---- diagnose, why, export, inventory, train take the same"
limpid diagnose --tz Europe/Berlin --last 1h six.csv | grep Time:
limpid diagnose --json --tz Europe/Berlin --since '2026-11-15 01:10' six.csv |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["first"])'
limpid why oss1/sda --since 10:00 day.csv 2>&1 | head -1
limpid train --since 10:00 day.csv -o thresholds 2>&1
limpid export --since 11:30 --until 11:45 day.csv
limpid export --tz Europe/Berlin --since 12:45 --host oss1 day.csv
limpid inventory --tz Europe/Berlin day.csv | sed -n 2p

echo "---- a recording of the past has ended before -2h"
show --since -2h 2>&1 | now
show --since yesterday 2>&1 | now
limpid diagnose --since -30min day.csv 2>&1 | now
echo "---- several days: say which"
awk -F, -v OFS=, 'NR > 1 { $1 += 86400 } 1' day.csv >next.csv
limpid show --since 10:00 day.csv next.csv
limpid show --tz Europe/Berlin --since 10:00 day.csv next.csv
echo "---- clocks that are set"
show --tz Europe/Berlin --since '2026-10-25 02:30'
show --tz Europe/Berlin --since '2026-03-29 02:30'
echo "---- what is no time or zone, and what does not go together"
show --since noon
show --since 25:00
show --tz Europe/Berlni
show --tz Europe/Berlin --utc
show --since 10:00 --last 1h
show --since 11:00 --until 10:00
echo "status $?"
