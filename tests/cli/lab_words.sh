# What can be said of faults and workloads without a lab.
limpid lab fault --list
limpid lab run --list

try() {
  "$@"
  echo "status $?"
}
none="--dir $PWD/none"
try limpid lab fault
try limpid lab fault disk-bussy --server s3
try limpid lab fault disk-busy
try limpid lab fault disk-busy --server s3 --strength much
try limpid lab fault send-pktloss --server s3 --strength 101
try limpid lab fault disk-busy --server s3 --strength 0.5
# shellcheck disable=SC2086 # two words
try limpid lab fault disk-busy --server s3 $none 2>&1 | sed "s|$PWD|DIR|g"
try limpid lab run
try limpid lab run ddx
try limpid lab run ddr --pace fast
try limpid lab run ddr --processes 0
# shellcheck disable=SC2086
try limpid lab run ddr $none 2>&1 | sed "s|$PWD|DIR|g"
# shellcheck disable=SC2086
try limpid lab heal $none 2>&1 | sed "s|$PWD|DIR|g"
try limpid lab heal --for ever
try limpid lab campaign nothing -o runs
