# SPDX-License-Identifier: Apache-2.0
echo "== a scrape of node_exporter, its time by its clock"
limpid export --to jsonl "$DATA/oss1.prom"
limpid inventory -v "$DATA/oss1.prom" | sed -n '/oss1/,/^$/p'

echo "== several scrapes in a file, and in several files"
sed 's/551425e+09/552425e+09/; s/1e+06/1.0001e+06/' "$DATA/oss1.prom" >later.prom
cat "$DATA/oss1.prom" later.prom >both.prom
limpid show --class disk --metric tps both.prom
limpid show --class disk --metric tps later.prom "$DATA/oss1.prom" |
  tail -n 1

echo "== times: milliseconds of Prometheus, seconds of OpenMetrics"
cat >times.prom <<'END'
# TYPE node_disk_reads_completed_total counter
node_disk_reads_completed_total{device="sda",instance="oss1:9100",job="node"} 5 1794775514250
node_disk_reads_completed_total{device="sda",instance="oss1:9100",job="node"} 7 1794775515.250000001 # {id="x"} 1
node_disk_reads_completed_total{device="sda",instance="oss2:9100",job="node"} 5 1794775514250
node_disk_reads_completed_total{device="sda",instance="oss2:9200",job="node"} 5 1794775514250
node_disk_reads_completed_total{device="sd\"\\\nb",instance="[2001:db8::7]:9100",job="a b"} 5 1794775514250
END
limpid export times.prom
limpid inventory --json times.prom | grep -o '"job": *"[^"]*"'

echo "== two replicas, a gap in one; a series whose labels change; what is none"
{
  for t in 10 20 30 40 50 90 100; do
    echo "node_disk_io_now{device=\"sda\",instance=\"h\",replica=\"a\"} 1 $t"
  done
  for t in 15 25 35 45 55 65 75 85; do
    echo "node_disk_io_now{device=\"sda\",instance=\"h\",replica=\"b\"} 2 $t"
  done
  echo "node_disk_io_now{device=\"sdb\",instance=\"h\"} NaN 20"
  echo "node_disk_io_now{device=\"sdb\",instance=\"h\"} +Inf 30"
  echo "node_disk_io_now{device=\"sdb\",instance=\"h\",rack=\"7\"} 4 40"
  echo "node_disk_io_now{device=\"sdb\",instance=\"h\"} -1 50"
} >replicas.prom
limpid export replicas.prom

echo "== export and back: the same numbers"
cat >disk.csv <<'END'
time,host,device,rd_ios,rd_sectors,rd_ms,in_flight
10.000000001,h1,sda,18014398509481984,8,4294967295,2
11.5,h1,sda,18014398509481988,16,7,
END
cat >tcp.csv <<'END'
time,host,local,peer,sockets,rtt_ms,bytes_acked
10,h1,3493,10.0.0.7,2,0.25,77
END
limpid export --to openmetrics -o all.om disk.csv tcp.csv
cat all.om
limpid export all.om --class disk
limpid export all.om --class tcp

echo "== bad ones"
printf 'node_disk_io_now{device="sda"} 1\nnode_disk_io_now{device="sda"} 2\n' >two.prom
limpid show two.prom
printf 'node_disk_io_now{device="sda" 1 10\nnode_disk_io_now{device="sdb"} 1 10\nnode_disk_io_now{device="sdb"} x 20' >bad.prom
limpid export bad.prom
limpid export --strict bad.prom
printf '# HELP go_threads Number of OS threads.\ngo_threads 7\n' >other.prom
limpid export other.prom
