# Who said what first, and how much of what; times and kinds, not values.
limpid logs --help >/dev/null 2>&1 || { echo "no limpid-logs"; exit 77; }
mkdir -p well/s1 well/s2 well/s3 ill/s1 ill/s2 ill/s3
line() { # TIME LEVEL FUNCTION TEXT
  printf '[2026-11-18 %s +0000] %s [MSGID: 1] [a.c:1:%s] %s\n' "$1" "$2" "$3" "$4"
}
for node in s1 s2 s3; do
  line 19:00:00.000000 I health '0-vol-posix: all is well' | tee "well/$node/brick.log" >"ill/$node/1.log"
done
{
  line 20:00:00.000000 E posix_readv '0-vol-posix: read failed [Input/output error]'
  line 20:00:00.500000 E posix_readv '0-vol-posix: read failed [Input/output error]'
} >ill/s3/2.log
line 20:00:00.007000 W __socket_rwv '0-vol-client-2: readv on s3:49152 failed (No data available)' >ill/s1/2.log
line 20:00:04.250000 C ping_timer '0-vol-client-2: server s3:49152 has not responded in the last 10 seconds' >ill/s2/2.log
limpid logs learn -o model well
limpid logs show --model model ill
echo "--- json"
limpid logs show --model model --json ill
echo "--- dot"
limpid logs show --model model --dot ill
echo "--- matrix"
limpid logs show --model model --matrix ill
limpid logs show --model model --matrix --json ill
echo "--- page"
limpid logs show --model model --html page.html ill
grep -c '<circle' page.html
grep -cE 'src=|href=' page.html
echo "--- silence"
limpid logs show --model model well
limpid logs show --model model --matrix well
echo "--- what does not go together"
limpid logs show --matrix --dot ill
limpid logs show --json --dot ill
