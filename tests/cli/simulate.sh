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
cat >several.conf <<'EOF'
arrays = 2; servers = 4; luns = 4; attachments = 4; first_array = 6;
server_prefix = "fs"; interval = 15.0; hours = 0.1; start = "2026-06-01";
events = (
  { kind = "controller-failed"; controllers = [ "6a", "7b" ]; seconds = 30; },
  { kind = "lun-resets"; array = 6; lun = 0; luns = 2; servers = [ 1, 2 ];
    at_s = 60; seconds = 60; },
  { kind = "luns-zero"; array = 7; controller = "a"; lun = 1;
    at_s = 60; seconds = 60; },
  { kind = "luns-missing"; array = 7; controller = "b"; lun = 3;
    servers = [ 5, 8 ]; at_s = 150; seconds = 60; },
  { kind = "service-down"; server = 3; at_s = 150; seconds = 60; }
);
EOF
limpid simulate several.conf -o several
cat several/truth.json
sed 's/1, 2 ]/1, 9 ]/' several.conf >bad.conf
try bad.conf -o new
