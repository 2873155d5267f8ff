# Times, order, missing values and quoting in CSV, JSON and the summary.
cat >gauges.csv <<'CSV'
time,host,device,await,throughput
2026-11-15T20:00:00Z,b,"x,y",1.5,100
2026-11-15T20:00:00Z,a,sd10,2,200
2026-11-15T20:00:00Z,a,sd9,3,300
2026-11-15T20:00:15Z,a,sd9,,310
2026-11-15T20:00:15Z,b,"x,y",2.5,110
2026-11-15T20:00:30Z,a,sd9,5,320
2026-11-15T20:00:30Z,a,sd10,4,220
CSV
limpid show --csv --metric await gauges.csv
limpid show --json --metric await,throughput --host a gauges.csv
limpid show --summary --metric await gauges.csv
limpid show --summary --csv --metric await --device 'sd*' gauges.csv
limpid show --metric await -i 30 gauges.csv
limpid show --metric await -i 20 --host b gauges.csv
printf "ts,disk,latency\n100,d1,5\n115,d1,6\n" >foreign.csv
limpid show --metric await --map time=ts,device=disk,await=latency foreign.csv
