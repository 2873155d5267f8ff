# Tables have the names and units of today's sar, or the classic ones; every name
# is taken everywhere; CSV and JSON do not change.
cat >disk.csv <<'CSV'
time,host,device,rd_ios,rd_sectors,rd_ms,wr_ios,wr_sectors,wr_ms,io_ms,weighted_ms,dc_ios,dc_sectors,dc_ms
1000,oss1,sda,100,800,50,10,80,20,60,70,0,0,0
1001,oss1,sda,110,1904,80,10,80,20,85,100,2,4096,4
1002,oss1,sda,110,1904,80,10010,40000080,20020,1085,20100,2,4096,4
CSV
cat >net.csv <<'CSV'
time,host,interface,rx_bytes,rx_packets,tx_bytes,tx_packets,rx_multicast
1000,oss1,eth0,0,0,0,0,0
1001,oss1,eth0,125000000,90000,2048,20,3
CSV
echo "---- as sar"
limpid show disk.csv net.csv
echo "---- classic"
limpid show --names classic disk.csv net.csv
echo "---- human units"
limpid show -H disk.csv net.csv
limpid show -H --names classic --class disk disk.csv
limpid show -H --summary --metric wkB/s,tps disk.csv
echo "---- a metric has the name by which it is asked for"
limpid show --metric rd_sec,wkB/s,rxkB/s,rxmcst/s disk.csv net.csv
limpid show --names sar --metric rd_sec disk.csv
limpid show --names classic --metric rkB/s disk.csv
echo "---- CSV and JSON: the classic names, whichever is asked for"
limpid show --csv --metric rkB/s,areq-sz disk.csv
limpid show --json --metric rxkB/s net.csv
limpid show --json --class disk --since 1002 disk.csv
limpid show --summary --csv --metric wkB/s disk.csv
echo "---- diagnose takes both"
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
for name in rd_sec rkB/s; do
  limpid diagnose --method cdf --json --metric $name slow.csv |
    python3 -c 'import json, sys
print(sorted({c["metric"] for c in json.load(sys.stdin)["compared"]}))'
done
limpid diagnose --metric wkb/s slow.csv
echo "---- %ifutil, where the speed of a link is known"
mkdir -p tree/sys/class/net/eth0 tree/proc/net rec
echo 1000 >tree/sys/class/net/eth0/speed
echo full >tree/sys/class/net/eth0/duplex
printf '%s\n' 'Inter-| Receive | Transmit' ' face |bytes ... |bytes ...' \
  '  eth0: 100 2 0 0 0 0 0 0 200 3 0 0 0 0 0 0' >tree/proc/net/dev
limpid record -n 2 -i 1 -o rec --host oss1 --no-tcp --root tree
limpid show --all --class net rec | sed -n '2p;$p' |
  awk '{ $1 = ""; print }'
limpid show --csv --metric %ifutil rec | sed 1d | cut -d , -f 3-
echo "---- what is refused"
limpid show --metric rkb/s disk.csv
limpid show --names modern disk.csv
limpid show --names sar --csv disk.csv
limpid show -H --json disk.csv
echo "status $?"
