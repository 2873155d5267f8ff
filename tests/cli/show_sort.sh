# The highest first, and only so many of them: of each step, or of a summary.
cat >disk.csv <<'CSV'
time,host,device,await,tps
1000,oss1,sda,5,10
1000,oss1,sdb,50,1
1000,oss2,sda,7,30
1000,oss2,sdb,,20
1010,oss1,sda,90,10
1010,oss1,sdb,50,1
1010,oss2,sda,7,30
1010,oss2,sdb,50,20
1020,oss1,sda,5,10
1020,oss1,sdb,50,1
1020,oss2,sda,7,30
1020,oss2,sdb,40,20
CSV
cat >net.csv <<'CSV'
time,host,interface,rx_bytes,rx_packets,tx_bytes,tx_packets
1000,oss1,eth0,0,0,0,0
1010,oss1,eth0,1000,10,2048,20
CSV
echo "---- of each step; classes without the metric are left out"
limpid show --sort await disk.csv net.csv --metric await
limpid show --sort await --top 2 --metric tps disk.csv
limpid show --sort tps --top 1 --csv --metric await disk.csv
echo "---- of a summary, by mean or another figure"
limpid show --summary --sort await --metric await disk.csv
limpid show --summary --sort await:median --top 2 --metric await,tps disk.csv
limpid show --summary --sort await:max --top 1 --metric await --json disk.csv
echo "---- what is refused"
limpid show --top 3 disk.csv
limpid show --sort await --top 0 disk.csv
limpid show --sort awiat disk.csv
limpid show --sort await:max disk.csv
limpid show --summary --sort await:mode disk.csv
echo "status $?"
