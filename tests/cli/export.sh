cat >disk.csv <<'END'
time,host,device,rd_ios,rd_ms,await
10,h1,sda,18446744073709551615,,0.1
10,h1,"s,db",2,3,
11.5,h1,sda,1,7,
11.5,h2,sda,1,,1e-300
END
cat >net.csv <<'END'
time,host,interface,rx_bytes
10,h1,eth0,5
END
limpid export disk.csv
limpid export --to jsonl disk.csv net.csv
limpid export --to openmetrics disk.csv net.csv
limpid export --to openmetrics disk.csv net.csv |
  python3 "$DATA/openmetrics.py"
limpid export --host 'h?' --device 'sd*' --since 11 --until 11.5 disk.csv
limpid export -o out/ disk.csv net.csv
grep -r . out | sort
limpid export disk.csv net.csv
echo "status $?"
limpid export --host none disk.csv
echo "status $?"
limpid export --to xml disk.csv
echo "status $?"
limpid export --class disc disk.csv
echo "status $?"
limpid export --to jsonl -o out disk.csv
echo "status $?"
limpid export disk.csv >/dev/full
echo "status $?"
limpid export -o disk.csv disk.csv
echo "status $?"
limpid export -o new/ missing.csv
echo "status $?"
ls
