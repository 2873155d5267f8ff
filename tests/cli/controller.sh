# A failed controller is one finding; servers that are down are not its fault;
# load that moved to secondaries is enough.
cat >controller.conf <<'END'
arrays = 4; servers = 8; luns = 24; old_luns = 16; attachments = 8;
first_array = 6; server_prefix = "fs"; interval = 15.0; hours = 4.0;
start = "2026-06-01";
load = { reads = 4.0; writes = 6.0; bursts_per_hour = 14.0; };
events = ( { kind = "controller-failed"; array = 6; controller = "a";
             at = 1.0; hours = 2.0; } );
END
findings() {
  limpid diagnose --method "${method-cdf}" --json --top 99 "$@" | python3 -c '
import json, sys
for f in json.load(sys.stdin)["findings"]:
    print(f["component"], f["cause"], *f["hosts"], len(f["parts"]))
'
}
limpid simulate controller.conf -o failed >/dev/null
limpid diagnose --method cdf failed | sed -n 1,5p
findings failed
# The servers that took over carry more over their networks, too.
method=limpid findings failed
limpid evaluate --method cdf failed | grep controller-failed
limpid evaluate --method cdf --json failed | grep -o '"indicted":[^]]*]'
echo "---- its four servers are down instead"
sed 's/"controller-failed"; array = 6; controller = "a";/"server-down"; server = 1;/
  s/} );/},/' controller.conf >down.conf
for server in 2 3 4; do
  echo "{ kind = \"server-down\"; server = $server; at = 1.0; hours = 2.0; },"
done | sed '$s/},/} );/' >>down.conf
limpid simulate down.conf -o down >/dev/null
findings down
echo "---- both controllers"
sed '/events/d;/at = 1/d' controller.conf >both.conf
cat >>both.conf <<'END'
events = ( { kind = "controller-failed"; array = 6; controller = "a";
             at = 1.0; hours = 2.0; },
           { kind = "controller-failed"; array = 6; controller = "b";
             at = 1.0; hours = 2.0; } );
END
limpid simulate both.conf -o both >/dev/null
findings both
echo "---- one server loses its LUNs"
sed '/events/d;/at = 1/d' controller.conf >lost.conf
cat >>lost.conf <<'END'
events = ( { kind = "lost-zero"; array = 6; lun = 1; luns = 3; at = 1.0;
             hours = 2.5; } );
END
limpid simulate lost.conf -o lost >/dev/null
findings lost
echo "---- it failed before the recording: only the moved load is left to see"
sed 's/at = 1.0; hours = 2.0/at = 0.0; hours = 4.5/' controller.conf >early.conf
limpid simulate early.conf -o early >/dev/null
findings early
limpid diagnose --method cdf early | grep -A 1 What
