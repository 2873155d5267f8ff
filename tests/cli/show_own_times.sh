# Where a step covers one sample, its row bears the time of that sample, so that
# a line of a log finds its row; coarser steps bear their own end.
cat >minutes.csv <<'CSV'
time,host,device,rd_ios,wr_ios,rd_ms,wr_ms
2026-11-15T13:10:11.590Z,oss1,sda,100,0,50,0
2026-11-15T13:11:11.590Z,oss1,sda,700,0,350,0
2026-11-15T13:12:11.600Z,oss1,sda,760,0,410,0
2026-11-15T13:13:11.590Z,oss1,sda,820,0,470,0
2026-11-15T13:10:48Z,oss2,sdb,0,5,0,5
2026-11-15T13:11:48Z,oss2,sdb,0,65,0,125
2026-11-15T13:12:48Z,oss2,sdb,0,125,0,245
CSV
limpid show --metric tps,await minutes.csv
echo "--- csv and json"
limpid show --csv --metric await --host oss1 minutes.csv
limpid show --json --metric await --host oss2 minutes.csv
echo "--- the times asked for are those shown"
limpid show --metric await --host oss1 --since 2026-11-15T13:11:05Z \
  --until 2026-11-15T13:12:15Z minutes.csv
echo "--- two minutes: the end of the step"
limpid show --metric await -i 120 --host oss1 minutes.csv
echo "--- a recorder that is 2 ms late shows whole seconds"
cat >seconds.csv <<'CSV'
time,host,device,rd_ios,rd_ms
2026-11-15T13:10:00.002Z,oss1,sda,1,1
2026-11-15T13:10:00.999Z,oss1,sda,2,2
2026-11-15T13:10:02.002Z,oss1,sda,3,3
CSV
limpid show --metric r_await seconds.csv
