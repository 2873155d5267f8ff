# Compressed recordings, told by their first bytes; pipes; standard input.
for program in gzip xz zstd bzip2; do
  command -v $program >/dev/null || { echo "no $program"; exit 77; }
done
# A directory of its own: whatever is left in it was left by these commands.
mkdir own
export TMPDIR=$PWD/own
awk -v what=slow -f "$DATA/cluster.awk" >whole.csv
head -n 1000 whole.csv >plain.csv
limpid import -o plain.limpid plain.csv
want=$(limpid show --csv plain.csv | md5sum)
check() {
  local got
  got=$(limpid show --csv "${@:2}" | md5sum)
  [ "$got" = "$want" ] && echo "$1: the same" || echo "$1: $got"
}
for kind in csv limpid; do
  gzip -k plain.$kind
  xz -k plain.$kind
  zstd -q plain.$kind
  bzip2 -k plain.$kind
  for packed in gz xz zst bz2; do
    check plain.$kind.$packed plain.$kind.$packed
    cp plain.$kind.$packed nameless
    check "nameless $kind, $packed" nameless
    check "$kind, $packed, a pipe" - <nameless
  done
  check "$kind, standard input" - <plain.$kind
  check "$kind, a pipe" <(cat plain.$kind)
  check "$kind, -f" -f $kind <(cat plain.$kind)
done
cat plain.csv.gz plain.csv.gz >twice.csv.gz
limpid export twice.csv.gz | md5sum >one
cat plain.csv plain.csv | limpid export - | md5sum >two
cmp one two && echo "two files behind each other: the same"
for c in "show --csv" "export" "inventory" "why oss1/sdb"; do
  # shellcheck disable=SC2086 # words
  limpid $c plain.limpid >one 2>&1
  # shellcheck disable=SC2086
  limpid $c - <plain.limpid >two 2>&1
  cmp one two && echo "$c: the same"
done
limpid show --csv plain.csv >one
limpid import -o - - <plain.csv | limpid show --csv - | cmp - one &&
  echo "import: the same"
limpid diagnose whole.csv >one
limpid diagnose - <whole.csv | cmp - one && head -n 3 one
echo "---- cut off, damaged, empty, of others"
try() {
  limpid "$@" >out 2>message
  echo "status $?"
  sed 's/after [0-9]* bytes/after N bytes/' message
}
head -c 3000 plain.csv.gz >cut.csv.gz
try show --summary cut.csv.gz
try show --strict --summary cut.csv.gz
{ head -c 5000 plain.csv.gz; head -c 5000 plain.csv; } >damaged.csv.gz
try show --summary damaged.csv.gz
try show - - <plain.csv
try show - </dev/null
try show -f pcp - <plain.csv
echo hello | gzip >hello.gz
try show hello.gz
printf '<?xml version="1.0"?>\n<sysstat>\n' >sa.xml
printf '{"sysstat": {' >sa.json
printf 'Linux 6.1.0 (h)\t01/01/26\t_x86_64_\t(4 CPU)\n\navg-cpu: %%user\n\nDevice  r/s\n' >iostat
printf 'Linux 6.1.0 (h)\t01/01/26\t_x86_64_\t(4 CPU)\n\n10:00:00  tps\n' >sar01
printf '3.41\0\0\0\0\x37\x35\x64\0\0\0\0\0' >app.darshan
printf '\x89HDF\r\n\x1a\n' >a.h5lmt
printf '####\n# Collectl:   V4.3.1\n' >collectl.raw
tar cf a.tar plain.csv
for f in sa.xml sa.json iostat sar01 app.darshan a.h5lmt collectl.raw a.tar; do
  try show $f
done
ls own
