# A server that was down before the recording began is what is found, and not
# the secondary that has its load.
cat >down.conf <<'END'
arrays = 2; servers = 8; luns = 24; old_luns = 16; attachments = 8;
first_array = 6; server_prefix = "fs"; interval = 15.0; hours = 4.0;
start = "2026-06-01";
load = { reads = 4.0; writes = 6.0; bursts_per_hour = 14.0; };
events = ( { kind = "server-down"; server = 2; at = 0.0; hours = 4.5; } );
END
findings() {
  limpid diagnose --method cdf --json --top 99 "$@" | python3 -c '
import json, sys
verdict = json.load(sys.stdin)
for f in verdict["findings"]:
    print(f["component"], f["cause"], *f["hosts"], *f["parts"])
    print("  known by:", f["known_by"])
print(verdict["verdict"], verdict["reason"] or "")
'
}
limpid simulate down.conf -o run >/dev/null
echo "---- its inventory is there"
findings run
limpid evaluate --method cdf run | grep server-down
limpid diagnose --method cdf --html page.html run >/dev/null
grep -o '<dt>Known by</dt><dd>[^<]*' page.html
echo "---- nothing of it is there: other servers know its LUNs"
rm run/fs2-*
findings run
limpid why --method cdf ddn6a.1.fs3 run | sed -n 1p
echo "---- the cluster file names it"
echo 'hosts = ( { name = [ "fs2", "fs*" ]; role = "server"; } );' >fs.conf
findings --cluster fs.conf run
limpid diagnose --method cdf --cluster fs.conf run | sed -n '3,/^  Parts/p'
limpid why --method cdf --cluster fs.conf fs2 run
limpid inventory --cluster fs.conf run | sed -n '/^Known/,/^$/p'
findings --cluster fs.conf --exclude fs2 run
echo "---- all servers of a controller"
sed 's/"server-down"; server = 2;/"controller-failed"; array = 6; controller = "a";/' \
  down.conf >controller.conf
limpid simulate controller.conf -o failed >/dev/null
rm failed/fs[1-4]-*
findings failed | sed 's/ absent.*/ absent/'
echo "---- servers without a topology"
awk -v what=none -f "$DATA/cluster.awk" >disks.csv
echo 'hosts = ( { name = [ "oss*", "oss5" ]; role = "server"; } );' >oss.conf
findings --cluster oss.conf disks.csv
limpid diagnose --method cdf --check --cluster oss.conf disks.csv | sed -n 1,7p
echo "---- who may be missing, or was left out, is not"
sed 's/; } );/; optional = true; } );/' oss.conf >optional.conf
findings --cluster optional.conf disks.csv
findings --cluster oss.conf --host 'oss[1-4]' disks.csv
