# Names that would colour the terminal, break a table or turn the direction of
# writing are shown escaped; JSON, CSV and the page keep them as they are.
awk -v what=slow -f "$DATA/cluster.awk" |
  sed 's/oss3/"o\x1b[31ms\ns3\xe2\x80\xae"/; s/sdc/"sd\x07c"/' >evil.csv
host=$(printf 'o\x1b[31ms\ns3\xe2\x80\xae')
limpid import -o evil.limpid evil.csv

# try WORDS: no such character, and no line that begins in a name.
try() {
  limpid "$@" >out 2>&1 </dev/null
  echo "status $?: ${*//$host/HOST}"
  if grep -q -e $'\x1b' -e $'\x07' -e $'\xe2\x80\xae' -e '^s3' out; then
    echo "raw:" && cat -v out
  fi
  grep -c '\\x1b\[31ms\\ns3\\xe2\\x80\\xae' out
}
for input in evil.csv evil.limpid; do
  try diagnose $input
  try diagnose -v $input
  try diagnose --hourly $input
  try why "$host" $input
  try inventory $input
  try inventory -v $input
  try show $input
  try show --summary $input
  try show --device nobody $input
  try show --host nobody $input
done
try archive info evil.limpid
limpid diagnose evil.limpid | sed -n '/^o/p;/^  Peers/p'
limpid diagnose --nagios evil.limpid | sed 's/ since.*//'
echo "-- as they are"
limpid diagnose --json evil.limpid | grep -c '"component":.*o\\u001b\[31ms\\ns3'
limpid show --json --metric await evil.limpid | grep -c '"host":"o\\u001b\[31ms\\ns3'
limpid show --csv --metric await evil.limpid | grep -c $'^s3\xe2\x80\xae"'
limpid export --class disk evil.limpid | grep -c $'^s3\xe2\x80\xae"'
