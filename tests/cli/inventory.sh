# Components from samples alone, and what is alike among them.
{
  echo time,host,device,rd_ios,rd_sectors,rd_ms
  for t in $(seq 0 130); do
    for h in oss1 oss2; do
      for d in sda sda1 sdb sdc; do
        echo "$((1794775514 + t)),$h,$d,$((t * 10)),$((t * 80)),$t"
      done
      echo "$((1794775514 + t)),$h,sdd,7,56,3"
    done
  done
} >disks.csv
{
  echo time,host,interface,rx_bytes,rx_packets
  for t in $(seq 0 20); do
    echo "$((1794775514 + t * 600)),mds1,eth0,$((t * 1000)),$t"
    echo "$((1794775514 + t * 600)),mds1,lo,$((t * 1000)),$t"
  done
} >interfaces.csv
limpid inventory disks.csv
echo ----
limpid inventory interfaces.csv
echo ----
limpid inventory --json interfaces.csv
echo ----
limpid inventory
echo $?
limpid inventory missing.csv
echo $?
