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
