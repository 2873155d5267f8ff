# Four servers with four LUNs, each LUN attached to all four of them, one
# attachment of each priority a server: oss2 has a workload of its own on all
# that it is attached to, and one attachment of oss3 is slow. The filter takes the
# former away, since that is the same on all of oss2, and leaves the latter.
awk 'function uniform() { seed = (seed * 16807) % 2147483647
                          return seed / 2147483647 }
BEGIN {
  seed = 42
  print "time,host,device,rd_ios,rd_sectors,rd_ms,wr_ios,wr_sectors,wr_ms"
  for (t = 0; t < 900; t++) {
    load = 60 + 80 * uniform()
    for (h = 1; h <= 4; h++)
      for (d = 1; d <= 4; d++) {
        k = h "," d
        ios = int(load * (0.9 + 0.2 * uniform()))
        if (h == 2 && t >= 300 && t < 700) ios += 400
        latency = 8 + 2 * uniform()
        if (h == 3 && d == 2 && t >= 300 && t < 700) latency *= 8
        n[k] += ios; ms[k] += int(ios * latency)
        printf "%d,oss%d,lun%d,%d,%d,%d,0,0,0\n", 1794700800 + t, h, d, n[k],
          n[k] * 256, ms[k]
      }
  }
}' >shared.csv
{
  echo 'devices = ('
  for h in 1 2 3 4; do
    for d in 1 2 3 4; do
      printf '%s { host = "oss%d"; name = "lun%d"; controller = "ddn"; lun = "%d"; priority = "p%d"; }\n' \
        "$([ $h$d = 11 ] || echo ,)" $h $d $d $(((h + d) % 4))
    done
  done
  echo ');'
} >cluster.conf
said() {
  limpid diagnose --method cdf --cluster cluster.conf "$@" >out
  sed -n '1p;/^[a-z].*  [A-Z]/p;/^Note/,$p' out
}
echo ---- without the filter
said shared.csv
echo ---- with it
said --filter-server-workloads shared.csv
echo ---- where each server has a single disk there is nothing to filter
grep 'time\|lun1' shared.csv >single.csv
limpid diagnose --method cdf --filter-server-workloads single.csv |
  sed -n '1p;/^[a-z].*  [A-Z]/p;/^Note/,$p'
