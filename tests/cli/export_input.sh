# Of export, -f is the format of the inputs and --to that of the output.
mkdir h1
printf 'ts,disk_id,ios\n1,a,5\n' >h1/foreign.csv
limpid export --to jsonl --map time=ts,device=disk_id --host-from-path \
  h1/foreign.csv
limpid export -f csv --to jsonl --map time=ts,device=disk_id --as-host h2 \
  h1/foreign.csv
echo "-- as it was once said"
printf 'time,device,ios\n1,a,5\n' >a.csv
for format in csv json jsonl openmetrics; do
  limpid export -f $format a.csv
done
echo "-- wrong"
limpid export -f xml a.csv
echo "status $?"
limpid export --to xml a.csv
echo "status $?"
limpid export -f pcp --to csv a.csv 2>/dev/null
echo "status $?"
