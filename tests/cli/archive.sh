# limpid archive as a user meets it: info, verify, repair, compact.
golden=$LIMPID_SOURCE/tests/archives
cp "$golden/v1-hosts.limpid" "$golden/v1-live.limpid" .
limpid archive info v1-hosts.limpid
limpid archive info --json v1-hosts.limpid
limpid archive verify v1-hosts.limpid v1-live.limpid
echo "status $?"
limpid archive repair v1-live.limpid -o sealed.limpid
limpid archive verify sealed.limpid
limpid archive compact v1-hosts.limpid --block 10m -o ten.limpid | sed 's/ [0-9]* bytes/ N bytes/'
limpid archive verify ten.limpid
echo "-- refused"
limpid archive repair v1-live.limpid
echo "status $?"
limpid archive repair v1-live.limpid -o ./v1-live.limpid
echo "status $?"
echo precious >notes
limpid archive compact v1-hosts.limpid -o notes
echo "status $?, $(cat notes)"
limpid archive compact missing.limpid
echo "status $?"
limpid archive verify .
echo "status $?"
limpid archive
echo "status $?"
limpid archive frobnicate
echo "status $?"
limpid archive verify
echo "status $?"
ls
