# A rebuild that was announced is noted, and is no finding.
run=$LIMPID_SOURCE/examples/campaign/benign/1-03-ddr-rebuild-s4
judge() {
  limpid diagnose --method limpid --check "$@" "$run" >verdict
  echo "status $?"
  sed -n '1p;/^Note/,$p' verdict | sed '/TCP/,$d'
}
judge
judge --expect s4=rebuild
judge --expect s4/loop11=rebuild
judge --expect s5=rebuild
judge --expect s4=rebuild@2026-11-16T12:00Z..2026-11-16T13:00Z
judge --expect s4=rebuild@2026-11-16T11:00Z..2026-11-16T11:10Z
echo "-- another cause is reported as ever"
limpid diagnose --method limpid --expect s1=rebuild \
  "$LIMPID_SOURCE/examples/campaign/one/1-29-ddr-send-pktloss-s1" | sed -n 3p
echo "-- refused"
for text in s4 s4= =rebuild s4=backup s4=rebuild@10:00 s4=rebuild@10:00..x \
  s4=rebuild@2026-11-16T13:00Z..2026-11-16T12:00Z s9=rebuild; do
  judge --expect "$text"
done
