# What has no end is refused at once, and so is what is too large.
# Sanitizers reserve more than that.
bash -c 'ulimit -v 4000000; limpid --version; exit $?' >/dev/null 2>&1 &&
  ulimit -v 4000000
printf 'time,host,device,await\n1,h,sda,1\n2,h,sda,2\n' >a.csv
try() {
  "$@" >out 2>message
  echo "status $?"
  cat message
}
try limpid inventory --cluster /dev/zero a.csv
try limpid diagnose --cluster /dev/zero a.csv
try limpid diagnose --thresholds /dev/zero a.csv
try limpid simulate -o sim /dev/zero
try limpid lab campaign --dry-run /dev/zero
try limpid show -f csv /dev/zero
try limpid io report /dev/zero
try limpid io model /dev/zero
try limpid io bench --sweep /dev/zero .
head -c 17000000 /dev/zero | tr '\0' '#' >large
try limpid inventory --cluster large a.csv
try limpid diagnose --thresholds large a.csv
{ printf 'time,host,device,await\n1,h,sda,'; head -c 2000000 large; } >long.csv
try limpid show long.csv
# Much CSV is read, but a word says what is faster.
head -c 101000000 /dev/zero | tr '\0' '\n' >>a.csv
try limpid inventory a.csv
try limpid diagnose a.csv
