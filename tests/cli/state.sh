# Two halves of a day, one after the other with a state, are counted as if they
# were one: faults across the middle, disks and a server that are gone in it,
# and one that stays away to the end.
cat >day.conf <<'END'
arrays = 1; servers = 8; luns = 16; attachments = 1; local = true;
server_prefix = "s"; interval = 15.0; hours = 24.0; start = "2026-06-01";
load = { reads = 60.0; writes = 80.0; bursts_per_hour = 30.0; };
disturbances = { transients = 20.0; };
events = ( { kind = "disk-busy"; server = 3; at = 9.0; hours = 6.0; },
  { kind = "lost-missing"; array = 1; lun = 4; at = 8.0; hours = 9.0; },
  { kind = "lost-zero"; array = 1; lun = 7; luns = 2; at = 8.0; hours = 8.0; },
  { kind = "server-down"; server = 2; at = 7.0; hours = 30.0; } );
END
limpid simulate day.conf -o day >/dev/null
limpid export --class disk --until 2026-06-01T12:00:00Z -o am/ day
limpid export --class disk --since 2026-06-01T12:00:01Z -o pm/ day
hours() {
  python3 -c '
import json, sys
for row in json.load(sys.stdin)["hourly"]:
    if row["time"] > "2026-06-01T12:00:00Z":
        print(row["time"], row["component"], row["value"])
'
}
judge() {
  limpid diagnose --top 1000 --json "$@"
}
for method in cdf pdf; do
  rm -f state.limpid
  judge --method $method am pm | hours >whole
  judge --method $method --state state.limpid am >first.json
  judge --method $method --state state.limpid pm | hours >halves
  cmp whole halves && wc -l <halves
done
grep -c s2/ halves
tail -3 halves

# The same half again counts nothing twice.
judge --method pdf --state state.limpid pm | hours | wc -l

# What was repaired, or is to be passed over, need not be said again.
rm state.limpid
limpid diagnose --method cdf --state state.limpid --exclude s3 \
  --reset s5/sdb@2026-06-01T14:00Z am | sed -n '/^Note/,$p'
judge --method cdf --state state.limpid pm >second.json
hours <second.json | grep -c s3/
hours <second.json | grep s5/sdb | head -3
python3 -c 'import json; print(json.load(open("second.json"))["notes"])'
limpid diagnose --method cdf --include s3 --state state.limpid pm | sed -n 1,4p

try() {
  limpid diagnose --method cdf "$@"
  echo "status $?"
}
cp state.limpid kept
try --state day/s1-20260601T000000Z.limpid pm
try --state am/s1-disk.csv pm
try --state - pm
try --state state.limpid -i 30 pm
try --include s3 pm
try --include s4 --state state.limpid pm
head -c 3000 state.limpid >cut.limpid
try --state cut.limpid pm
try --state missing/state.limpid pm | tail -1
cmp state.limpid kept && limpid archive verify state.limpid | tail -1 |
  sed "s/[0-9]* sound blocks, //"
