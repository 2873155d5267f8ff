# A disk and an interface at 1 s, in one CSV file each: any step is exact.
cat >disk.csv <<'CSV'
time,host,device,rd_ios,rd_sectors,rd_ms,wr_ios,wr_sectors,wr_ms,io_ms,weighted_ms
1000,oss1,sda,100,800,50,10,80,20,60,70
1001,oss1,sda,110,880,80,10,80,20,85,100
1002,oss1,sda,110,880,80,10,80,20,85,100
1003,oss1,sda,150,1200,120,30,240,220,285,340
1004,oss1,sda,150,1200,120,30,240,220,285,340
1000,oss1,sdb,7,56,3,0,0,0,3,3
1001,oss1,sdb,7,56,3,0,0,0,3,3
1004,oss1,sdb,7,56,3,0,0,0,3,3
CSV
cat >net.csv <<'CSV'
time,host,interface,rx_bytes,rx_packets,tx_bytes,tx_packets
1000,oss1,eth0,4294967000,100,0,0
1001,oss1,eth0,704,110,512,4
1003,oss1,eth0,1704,120,1024,8
1004,oss1,eth0,1704,120,1024,8
CSV
limpid show disk.csv net.csv
echo "--- two seconds"
limpid show -i 2 --class disk --all disk.csv net.csv
echo "--- every sample"
limpid show -i 0 --class net net.csv
echo "--- raw"
limpid show --raw --metric rd_ms,wr_ms --since 1002 --until 1003 disk.csv
