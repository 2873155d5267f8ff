# Wrong usage of record: one line each, status 2, nothing made.
try() {
  limpid record "$@"
  echo "status $?"
}
try
try -o d -i 0.05
try -o d -i 2h
try -o d -n 0
try -o d --include disk
try -o d --exclude 'disks:sd*'
try -o d --host ''
try -o d --host $'two\nlines'
try -o d --keep 99999
try -o d --root / --netns blue
try -o d extra
try -o d -n 1 --exclude 'disk:*' --exclude 'net:*' --exclude 'host:*' \
  --exclude 'ib:*' --no-tcp
try -o d -n 1 --netns no-such-namespace
find . -name '*.limpid'
