# What only a terminal is shown: a header on every screen, bold words, and what
# was imported; none of it with NO_COLOR, or in a file.
cat >on_terminal.py <<'END'
"""on_terminal.py ROWS COMMAND...: its output as a terminal of so many rows gets it."""
import fcntl, os, pty, struct, subprocess, sys, termios
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ,
            struct.pack("HHHH", int(sys.argv[1]), 80, 0, 0))
child = subprocess.Popen(sys.argv[2:], stdout=slave, stderr=slave)
os.close(slave)
text = b""
while True:
    try:
        more = os.read(master, 65536)
    except OSError:  # the other side was closed
        break
    if not more:
        break
    text += more
sys.stdout.write(text.decode().replace("\r\n", "\n").replace("\033", "^["))
sys.exit(child.wait())
END
on_terminal() { python3 on_terminal.py "$@"; }
awk -v what=slow -f "$DATA/cluster.awk" >slow.csv
show=(limpid show slow.csv --metric await --device sdb --host oss1)

echo "---- headers on a terminal of 12 rows, of 400, and in a file"
for rows in 12 400; do on_terminal $rows "${show[@]}" | grep -c UTC; done
"${show[@]}" | grep -c UTC
echo "---- bold on a terminal, without colours, in a file"
on_terminal 24 "${show[@]}" | grep -m1 UTC
NO_COLOR=1 on_terminal 24 "${show[@]}" | grep -m1 UTC
"${show[@]}" | grep -m1 UTC
echo "---- diagnose"
on_terminal 24 limpid diagnose slow.csv | sed -n 3p
NO_COLOR=1 on_terminal 24 limpid diagnose slow.csv | sed -n 3p
echo "---- import says what it made, to whoever looks"
on_terminal 24 limpid import -o slow.limpid slow.csv
limpid import -o again.limpid slow.csv
echo "---- times: local on a terminal, UTC in a pipe, --utc and --tz choose"
export TZ=America/New_York
late=(limpid show slow.csv --metric await --device sdb --host oss1 -i 60)
on_terminal 24 "${late[@]}" --until 19:02 | cat -A | grep -A9 EST
NO_COLOR=1 on_terminal 24 "${late[@]}" --utc --until 00:01 | sed -n '1,2p;$p'
"${late[@]}" --until 00:01 | sed -n '1,2p;$p'
"${late[@]}" --tz local --until 19:01 | sed -n '1,2p;$p'
on_terminal 24 limpid diagnose slow.csv | grep -o 'Time:.*'
on_terminal 24 limpid show slow.csv --csv --last 0.5 --metric await \
  --device sdb --host oss1
NO_COLOR=1 on_terminal 24 "${late[@]}" --since 2020-01-01 --until 2020-02-01
echo "---- tables fit the terminal, and say what they left out; pipes get all"
unset TZ
export NO_COLOR=1
cat >wide.csv <<'CSV'
time,host,device,rd_ios,rd_sectors,rd_ms,wr_ios,wr_sectors,wr_ms,io_ms,weighted_ms,dc_ios,dc_sectors,dc_ms
1000,oss1,mapper-of-everything,100,800,50,10,80,20,60,70,0,0,0
1001,oss1,mapper-of-everything,110,1904,80,10,80,20,85,100,2,4096,4
CSV
for columns in 80 60 40 200; do
  COLUMNS=$columns on_terminal 24 limpid show wide.csv
done
COLUMNS=60 on_terminal 24 limpid show --summary --metric tps,rkB/s wide.csv
COLUMNS=40 limpid show wide.csv
echo "---- the header that is repeated has its units"
on_terminal 9 "${show[@]}" | sed -n '8,11p'
echo "---- inventory cuts on a terminal only"
mkdir rec
cp -r "$LIMPID_SOURCE/tests/trees/inv-multipath" tree
mkdir -p tree/proc
for disk in '8 0 sda' '253 0 dm-0'; do
  echo "$disk 100 0 800 50 10 0 80 20 0 60 70"
done >tree/proc/diskstats
limpid record -n 2 -i 0.1 -o rec --host oss1 --no-tcp --root tree
limpid inventory rec | grep -E 'COMPONENT|sda|mpath|bond'
COLUMNS=80 on_terminal 24 limpid inventory rec |
  grep -E 'COMPONENT|sda|mpath|bond|~ cut'
echo "---- so do the metrics"
COLUMNS=80 on_terminal 24 limpid metrics --columns disk | sed -n '2,6p'
