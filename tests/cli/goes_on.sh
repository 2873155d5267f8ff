# A fault that goes on while more of the group become slow: a rebuild makes one
# LUN slow from 02:00 on and from 04:00 to 08:00 all 12 of its controller, of 48.
# A quarter of a group blinds method cdf, and the finding says so.
cat >rebuild.conf <<'END'
arrays = 2; servers = 4; luns = 24; attachments = 1; first_array = 1;
server_prefix = "fs"; interval = 15.0; hours = 10.0; start = "2026-06-01";
load = { reads = 40.0; writes = 60.0; bursts_per_hour = 14.0;
         idle_share = 0.0; };
events = ( { kind = "rebuild"; array = 1; lun = 3; at = 2.0; hours = 6.0; } );
END
limpid simulate rebuild.conf -o rebuild >/dev/null
limpid diagnose --method cdf --cluster rebuild/cluster.conf --html page.html rebuild |
  sed -n '1p;/^d.*)$/,/Part:/p;/^Note:/,$p'
limpid why --method cdf --cluster rebuild/cluster.conf ddn1b.3.fs4 rebuild | head -5
limpid diagnose --method cdf --cluster rebuild/cluster.conf --json rebuild | python3 -c '
import json, sys
for f in json.load(sys.stdin)["findings"]:
    print(f["component"], f["until"], f["may_go_on"], f["unjudged_since"],
          f["unjudged_until"])
'
grep -o 'It may go on. From [^,]*,' page.html
grep -o '[0-9]* h or longer' page.html | sort | uniq -c
grep -o '([0-9 h]*), or later' page.html
