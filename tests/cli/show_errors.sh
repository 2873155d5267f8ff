# One clear line each, and the right status.
try() {
  limpid show "$@"
  echo "status $?"
}
echo "time,host,device,rd_ios
1000,h,sda,1
1001,h,sda,2" >a.csv
echo "nothing of ours" >b.txt
mkdir empty
try
try --metric awiat a.csv
try --metric bogus-name a.csv
try --raw --metric rd_io a.csv
try --class dsk a.csv
try --csv --json a.csv
try --since 2000 --until 1000 a.csv
try -i 1y a.csv
try b.txt
try empty
try nowhere
try --format xml a.csv
try --since 2026-11-15 a.csv
try --since 1010 a.csv
try --device 'nvme*' a.csv
try --host nobody --csv a.csv
try --host nobody --json a.csv
try --class tcp a.csv
try --metric tps a.csv
limpid show --raw --metric rd_ios a.csv >/dev/full
echo "status $?"
# A recording that was cut off before its first samples.
try --summary "$LIMPID_SOURCE/tests/archives/broken/cut-between.limpid"
echo "-- a metric of a class that was left out"
printf 'time,device,tps\n1,sda,1\n' >sda.csv
limpid show --metric rkB/s --class net sda.csv
limpid show --raw --metric rd_ios --class net sda.csv
