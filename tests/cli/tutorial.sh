# The commands of docs/tutorial.md, sections 1 to 4 and 6, in its order.
awk 'BEGIN {
  print "time,host,device,rd_ios,rd_sectors,rd_ms,wr_ios,wr_sectors,wr_ms,io_ms"
  for (t = 0; t <= 300; t += 10)
    for (s = 1; s <= 3; s++) {
      ms = s == 2 && t > 150 ? 23 : 4
      ios[s] += 1000
      took[s] += 1000 * ms
      busy[s] += 1000 * (ms < 10 ? ms : 10)
      print 1794700800 + t ",oss" s ",sdb,0,0,0," ios[s] "," ios[s] * 128 "," \
        took[s] "," busy[s]
    }
}' >disks.csv
limpid import -o oss.limpid disks.csv
limpid show oss.limpid -i 60 --metric tps,wr_sec,await,%util
limpid show oss.limpid --host oss2 --since 2026-11-15T00:02:10Z \
  --until 2026-11-15T00:03:00Z --metric await,wr_sec
limpid show oss.limpid --summary --metric await
limpid inventory oss.limpid
limpid export oss.limpid | head -n 3
limpid archive verify oss.limpid
cp oss.limpid bad.limpid
printf x | dd of=bad.limpid bs=1 seek=400 conv=notrunc 2>dd.log
limpid archive verify bad.limpid
limpid archive repair -o saved.limpid bad.limpid
limpid archive verify saved.limpid
limpid metrics disk | grep -A 1 ' await'
