# A dash is standard input where a file of settings is named; an archive must
# be a file.
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
awk -v what=none -f "$DATA/cluster.awk" >healthy.csv
try() {
  limpid "$@" >out
  echo "status $?: $*"
}
cat >cluster.conf <<'EOT'
hosts = ( { name = "oss*"; role = "server"; } );
EOT
echo "---- as by name"
# same NAME WORDS: @ in the words is the file, and then a dash.
same() {
  local file=$1
  shift
  limpid "${@/@/$file}" 2>&1 | sed "s,$file,-,g" >by_name
  limpid "${@/@/-}" <"$file" >by_dash 2>&1
  echo "status $?: $*"
  limpid "${@/@/-}" < <(cat "$file") 2>&1 | cmp - by_dash
  cmp by_name by_dash
}
same cluster.conf diagnose --cluster @ slow.csv
limpid train -o thresholds healthy.csv
same thresholds diagnose --thresholds @ slow.csv
same "$LIMPID_SOURCE/lab/campaigns/smoke.conf" lab campaign --dry-run @
limpid simulate --print healthy | sed 's/hours = 1.0/hours = 0.05/' >script
limpid simulate -o one script >/dev/null
limpid simulate -o two - <script >/dev/null
cmp <(limpid show --csv one) <(limpid show --csv two) && echo the same values
limpid simulate -o two - </dev/null
rm -rf one two
echo "---- only once"
try diagnose --cluster - slow.csv - <cluster.conf
try diagnose --cluster - --thresholds - slow.csv <cluster.conf
try diagnose --cluster - - <slow.csv
try diagnose --cluster - slow.csv <&-
echo "---- archives"
limpid import -o a.limpid slow.csv
for word in info verify "repair -o b.limpid" "repair --in-place" compact \
  "compact -o b.limpid"; do
  # shellcheck disable=SC2086 # its words
  try archive $word - <a.limpid
done
mkfifo pipe
try archive verify pipe
try archive repair -o - a.limpid
try archive repair -o /dev/stdout a.limpid
try archive compact -o - a.limpid
ls
