# Traces and models from others: control characters in names are shown, never
# sent to the terminal; what is no text, or a line without an end, is refused
# before memory is gone. Traces come from pipes, too.
# Sanitizers reserve more than that.
bash -c 'ulimit -v 4000000; limpid --version; exit $?' >/dev/null 2>&1 &&
  ulimit -v 4000000
esc=$(printf '\033')
dxt() {
  printf '# darshan log version: 3.41\n# exe: ./a%s[31m\n# start_time: 1700000000\n' "$esc"
  printf '# DXT, file_id: 1, file_name: /scratch/%s[2Jx\tq\377\342\200\256\n' "$esc"
  printf '# DXT, rank: 0, hostname: n%s]0;title\a1\n' "$esc"
  for ((i = 0; i < 60; i++)); do
    printf ' X_POSIX 0 read %d %d 4096 %d.0010 %d.0%d20\n' $i $((4096 * i)) $i $i $((i / 59))
  done
}
dxt >trace.txt
limpid io trace trace.txt
limpid io trace - <trace.txt | tail -n 1
limpid io report <(cat trace.txt) | tail -n 4
limpid io classify trace.txt
cp trace.txt "x${esc}[31m"
limpid io classify "x${esc}[31m" | head -n 1
limpid io fit -o model.json cached=trace.txt >/dev/null
sed -i 's/"host": "[^"]*"/"host": "h\\u001b[31m\\u202e"/' model.json
limpid io model model.json | grep host
limpid io report -m model.json trace.txt | grep -A1 ^note
limpid io classify -m model.json trace.txt >/dev/null
limpid io trace "no${esc}[31m"

for command in trace report classify; do
  limpid io $command /dev/zero
  echo "status $?"
  limpid io $command /dev/urandom 2>/dev/null
  echo "status $?"
done
limpid io model /dev/zero
echo "status $?"
limpid io report -m /dev/zero trace.txt
echo "status $?"
limpid io run -m /dev/zero -- true
echo "status $?"
limpid io fit cached=/dev/zero
echo "status $?"
limpid io bench --sweep /dev/zero .
echo "status $?"
head -c 17000000 /dev/zero | tr '\0' ' ' >large
limpid io model large
echo "status $?"
cat trace.txt large | limpid io trace -
echo "status $?"
cat trace.txt /dev/zero | limpid io trace -
echo "status $?"
limpid io trace .
echo "status $?"
