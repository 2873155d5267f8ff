mkdir -p c/h1 c/h2
for h in h1 h2; do
  printf 'ts,disk_id,latency\n10,d1,1.5\n11,d1,NA\n10,d2,3\n11,d2,4\n' \
    >c/$h/day.csv
done
map=time=ts,device=disk_id,await=latency
limpid import --map $map --host-from-path -o out/ c/*/*.csv
ls out
limpid import --map $map --host-from-path -o all.limpid c/*/*.csv
limpid import --map $map --host-from-path -o again.limpid c/*/*.csv
cmp all.limpid again.limpid && echo "the same bytes"
limpid import -o merged.limpid out
cmp all.limpid merged.limpid && echo "merging archives gives the same"
limpid import -f csv --as-host h1 --map $map -o pipe.limpid \
  <(cat c/h1/day.csv)
cmp pipe.limpid out/h1-* && echo "so does a pipe"
# A host's name does not lead out of the directory.
printf 'time,host,device,ios\n1,../x,a,1\n1,.y,a,1\n' >names.csv
limpid import -o names/ names.csv
ls -A names
