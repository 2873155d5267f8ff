# Disks of several hosts of which nothing but the names is known: the verdict
# says so in its first line if their load differs. A difference that was always
# there may be another model of disk.
# hosts LOADS: a host each, with as many requests per second
hosts() {
  awk -v loads="$1" -v slow="$2" 'BEGIN {
    print "time,host,device,tps,rd_sec,wr_sec,await"
    n = split(loads, load, " ")
    for (t = 0; t < 600; t++)
      for (i = 1; i <= n; i++)
        printf "%d,h%d,sda,%.1f,%.1f,%.1f,%.2f\n", 1794700800 + t, i,
          load[i] * (1 + (t * 7 + i) % 5 / 20), 8 * load[i],
          4 * load[i] * (1 + (t * 3 + i) % 7 / 20),
          (i == slow ? 20 : 3) + (t * 11 + i) % 9 / 10
  }'
}
echo "---- servers that share a load"
hosts "100 105 98 102 99 101" 4 >alike.csv
limpid diagnose alike.csv | sed -n '1p;/^h4/p;/^Compared/p'
echo "---- a database, a web server, a backup, mail"
hosts "900 40 300 8" 3 >unlike.csv
limpid diagnose unlike.csv | sed -n '1p;/^h3/p;/^Compared/,/^Method/p'
limpid diagnose --json unlike.csv | grep -o '"ground":"[^"]*"' | sort -u
limpid diagnose unlike.csv | grep -A2 'slower all the time'
echo "---- a cluster file says that they are servers"
echo 'hosts = ( { name = "h*"; role = "server"; } );' >own.conf
limpid diagnose --cluster own.conf unlike.csv | sed -n '1p'
