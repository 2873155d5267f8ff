# The list of formats grows, and the directory is another each time.
try() {
  limpid import "$@" 2>message
  echo "status $?"
  sed -E "s/limpid, .*csv/FORMATS/; s|$PWD/||" message >&2
  rm message
}
printf 'time,device,ios\n1,a,1\n2,a,x\n' >bad.csv
printf 'time,device,rd_io\n1,a,1\n' >unknown.csv
printf 'time,device,ios\n' >empty.csv
printf 'time,device,ios\n1,a,1\n' >good.csv
try good.csv
try -o out.limpid
for f in bad.csv unknown.csv empty.csv missing.csv /dev/null; do
  try -o out.limpid "$f"
done
try -f xml -o out.limpid good.csv
# Nothing was written, not even the directory.
try -o new/ bad.csv
# A file that is no archive is not replaced.
try -o good.csv empty.csv good.csv
# Two hosts whose names make one file name: neither replaces the other.
printf 'time,host,device,ios\n1,a/b,sda,1\n1,a_b,sda,1\n' >two.csv
try -o two/ two.csv
ls
cat good.csv
