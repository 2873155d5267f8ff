# Counters, truth and what others make of them; a script; mistakes.
limpid simulate small -o run
cat run/truth.json
limpid show --metric await -i 5m --device sdb run
limpid simulate intrepid --scale 2x8 --hours 0.1 --interval 15 -o day
find day -type f | wc -l
limpid inventory day | head -5
limpid simulate --print healthy | sed -n 1,2p
limpid simulate --print healthy | sed 's/hours = 1.0/hours = 0.05/' >mine.conf
limpid simulate mine.conf -o mine
limpid simulate mine.conf -o same >/dev/null
cmp mine/s1-*.limpid same/s1-*.limpid && echo same bytes
try() {
  limpid simulate "$@"
  echo "status $?"
}
try small
try small -o run
try missing.conf -o new
try small -o new --hours x
try small -o new --scale 4y
try small -o new --scale 4
try small -o new --interval 1ms
sed 's/arrays/array/' mine.conf >bad.conf
try bad.conf -o new
try --print other
ls
