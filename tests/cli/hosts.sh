# --host chooses hosts in every command; --as-host gives one another name.
awk -v what=none -f "$DATA/cluster.awk" >all.csv
limpid import -o all.limpid all.csv
try() {
  limpid "$@" >out 2>message
  echo "status $?: $*"
  cat message >&2
}
hosts() {
  limpid export --to jsonl --class disk "$1" | grep -o '"host":"[^"]*"' |
    sort -u | tr '\n' ' '
  echo
}
for input in all.csv all.limpid; do
  echo "-- chosen, $input"
  limpid inventory --host 'oss[12]' --host oss4 $input | head -1
  limpid diagnose --host 'oss[12]' $input | grep '^Compared'
  limpid why oss3/sdb --host 'oss[12]' $input
  limpid train --host 'oss[12]' $input 2>/dev/null | cut -d, -f4 |
    grep -o '^oss.' | sort -u
  limpid show --host oss2 --csv --metric tps $input | cut -d, -f2 | sort -u
  limpid import --host 'oss[13]' -o some.limpid $input && hosts some.limpid
  rm -f some.limpid
  limpid export --host 'oss[24]' --class disk -o some.csv $input &&
    hosts some.csv
  rm some.csv
  echo "-- none, $input"
  for command in inventory diagnose train 'show --summary' 'show --csv' \
    'export --class disk' 'export --to jsonl' 'import -o none.limpid'; do
    # shellcheck disable=SC2086 # several words
    try $command --host oss9 $input
    [ -s out ] && cat out
  done
done
ls
echo "-- a pattern among others"
try show --host 'oss*' --host oos1 all.limpid
echo "-- another name"
for command in inventory diagnose train show 'export --to jsonl' \
  'import -o none.limpid'; do
  # shellcheck disable=SC2086 # several words
  try $command --as-host x all.limpid
  [ -s out ] && cat out
done
limpid import --host oss2 --as-host x -o x.limpid all.limpid && hosts x.limpid
printf 'time,device,ios\n1,a,1\n' >disk.csv
printf 'time,interface,rx_bytes\n1,eth0,1\n' >net.csv
limpid export --to jsonl --as-host y disk.csv net.csv
try show --host y disk.csv
echo "-- names that no host has"
for name in '' a/b $'two\nlines' "$(printf 'x%.0s' {1..256})"; do
  limpid show --as-host "$name" disk.csv
  echo "status $?"
done
for command in diagnose inventory export why train "import -o new.limpid"; do
  # shellcheck disable=SC2086 # its words
  try $command --as-host a/b disk.csv disk.csv
done
if [ -e new.limpid ]; then echo "a new archive"; fi
echo "-- a cluster file that names the others, too"
echo 'hosts = ( { name = [ "oss1", "oss2", "oss3" ]; role = "server"; } );' \
  >three.conf
limpid diagnose --cluster three.conf all.limpid | grep '^Compared'
limpid diagnose --cluster three.conf --host 'oss[12]' all.limpid |
  grep '^Compared'
cat >each.conf <<'END'
hosts = ( { name = "oss1"; role = "server"; },
          { name = "oss2"; role = "server"; } );
END
limpid diagnose --cluster each.conf --host oss1 all.limpid | grep '^Compared'
echo "-- in the order of their names"
printf 'time,host,device,tps\n' >many.csv
printf '1,%s,sda,1\n' s10 c2 s9 s1 >>many.csv
try show --host nosuch many.csv
try show --as-host x many.csv
