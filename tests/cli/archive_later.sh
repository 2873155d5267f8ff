# An archive with two blocks that only a newer limpid knows.
cp "$LIMPID_SOURCE/tests/archives/later.limpid" .
limpid archive info later.limpid
echo "status $?"
limpid archive info --json later.limpid
limpid archive verify later.limpid
echo "status $?"
limpid show later.limpid --summary >shown
echo "status $?"
limpid show "$LIMPID_SOURCE/tests/archives/v1-hosts.limpid" --summary >before
cmp before shown
gzip -k later.limpid
limpid show --strict later.limpid.gz --summary >shown
echo "status $?"
limpid import -o imported.limpid later.limpid
echo "status $?"
limpid show later.limpid later.limpid.gz --summary >shown
echo "-- nothing is lost without a word"
limpid archive compact later.limpid
echo "status $?"
cmp later.limpid "$LIMPID_SOURCE/tests/archives/later.limpid"
limpid archive repair later.limpid -o repaired.limpid
cmp later.limpid repaired.limpid
