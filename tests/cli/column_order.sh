# The order of a CSV file's columns is free, also where hosts differ in it.
disks() {
  awk -v host="$1" 'BEGIN {
    print "time,host,device,tps,rd_sec,wr_sec,await"
    for (t = 0; t < 600; t++) {
      load = 80 + t * 7 % 41 + host * t % 5
      printf "%d,oss%d,sda,%d,%d,%d,%.2f\n", 1793491200 + t, host,
        load, load * 200 + host, load * 300 + host, 5 + (t + host) % 7 / 7
    }
  }'
}
for host in 1 2 3 4 5; do
  disks $host >oss$host.csv
done
limpid diagnose oss*.csv | head -1
awk -F, -v OFS=, '{ print $1, $2, $3, $7, $6, $4, $5 }' oss5.csv >other
mv other oss5.csv
head -2 oss5.csv
limpid diagnose oss*.csv | head -1
