# "Cannot tell" says what is true.
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
limpid import -o rec slow.csv 2>/dev/null
echo ---- recordings of another time
limpid diagnose --since 2030-01-01 rec | sed '/^$/q'
limpid diagnose --since 2030-01-01 slow.csv | sed '/^$/q'
limpid diagnose --until 2020-01-01 \
  "$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1" |
  sed '/^$/q'
limpid diagnose --since 2030-01-01 \
  "$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1"
echo ---- a step that is longer than the recording
limpid diagnose -i 1d slow.csv | sed '/^$/q'
limpid diagnose -i 1min slow.csv | sed '/^$/q'
echo ---- a recording that is short at its own step
awk -v what=short -f "$DATA/cluster.awk" >short.csv
limpid diagnose short.csv | sed '/^$/q'
