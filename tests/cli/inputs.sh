# One bad file does not stop the good ones, and nothing is left out silently.
try() {
  "$@" >out 2>message
  echo "status $?"
  head -n 12 message
}
notes() { grep -A1 '^Note: ' out; }
awk -v what=none -f "$DATA/cluster.awk" >all.csv
for i in 1 2 3; do
  awk -F, -v h=oss$i 'NR == 1 || $2 == h' all.csv >$i.csv
  limpid import -o oss$i.limpid $i.csv
done
# A block of one archive is damaged.
cp oss1.limpid hurt.limpid
size=$(stat -c %s hurt.limpid)
printf 'XXXX' | dd of=hurt.limpid bs=1 seek=$((size / 2)) conv=notrunc status=none
echo "---- a missing, a foreign and a broken file among good ones"
echo "nothing of ours" >foreign.txt
sed '100s/oss1/oss1,x/' 1.csv >bad.csv
try limpid diagnose oss1.limpid missing.limpid foreign.txt bad.csv oss2.limpid oss3.limpid
notes
limpid diagnose --json oss1.limpid missing.limpid oss2.limpid oss3.limpid 2>/dev/null |
  grep -o '"notes":\[[^]]*'
limpid diagnose --html page.html oss1.limpid missing.limpid oss2.limpid oss3.limpid >/dev/null 2>&1
grep -o '<li>left out: [^<]*' page.html
try limpid diagnose --strict oss1.limpid missing.limpid oss2.limpid
for c in "show --summary" inventory "why oss1/sdb"; do
  echo "---- $c"
  # shellcheck disable=SC2086 # words
  try limpid $c oss1.limpid missing.limpid oss2.limpid oss3.limpid
done
limpid inventory oss1.limpid missing.limpid 2>/dev/null | grep '^left out'
echo "---- who copies ends with 1, and has copied the others"
try limpid import -o new.limpid 1.csv missing.csv 2.csv
limpid inventory new.limpid | head -n 1
echo "---- a damaged block"
try limpid show --summary hurt.limpid
try limpid diagnose hurt.limpid oss2.limpid oss3.limpid
notes
try limpid show --strict hurt.limpid
echo "---- an archive that is cut off"
head -c "$(($(stat -c %s oss1.limpid) - 100))" oss1.limpid >cut.limpid
try limpid diagnose cut.limpid oss2.limpid oss3.limpid
notes
try limpid show --strict cut.limpid
echo "---- nothing is left"
try limpid diagnose missing.limpid foreign.txt
try limpid diagnose foreign.txt
echo "---- directories below, links that lead back, files of others"
mkdir -p logs/oss1 logs/oss2/deep logs/oss3
cp oss1.limpid logs/oss1/
cp oss2.limpid logs/oss2/deep/
cp 3.csv logs/oss3/disks.csv
ln -s .. logs/oss1/loop
cp foreign.txt logs/notes
cp foreign.txt logs/oss3/cluster.conf
cp foreign.txt logs/broken.limpid
try limpid inventory logs
head -n 1 out
limpid inventory -v logs 2>/dev/null | sed -n '/^left out/,$p'
mkdir none
try limpid show none oss1.limpid
try limpid show none
