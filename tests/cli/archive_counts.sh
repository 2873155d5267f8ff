# Blocks of counts go where the samples go, and files of both versions together.
golden=$LIMPID_SOURCE/tests/archives
cp "$golden/v2-small.limpid" "$golden/v1-hosts.limpid" .
limpid archive info v2-small.limpid | grep -e blocks -e events -e counts
limpid archive info --json v2-small.limpid | grep -o '"counts.*"skipped":[0-9]*'
limpid archive verify v2-small.limpid v1-hosts.limpid
limpid import --as-host other -o imported.limpid v2-small.limpid
limpid archive info imported.limpid | grep -e hosts -e counts
echo "-- both versions in one directory"
mkdir both
mv v1-hosts.limpid v2-small.limpid both
limpid archive compact both/*.limpid -o merged.limpid >/dev/null
limpid archive info merged.limpid | grep -e hosts -e events -e counts
limpid show --summary both >before
limpid show --summary merged.limpid >after
cmp before after && wc -l <after
echo "-- compacting makes version 2"
limpid archive compact both/v1-hosts.limpid >/dev/null
od -An -tu1 -j12 -N4 both/v1-hosts.limpid
limpid show --summary both >after
cmp before after
echo "-- damage"
printf 'X' | dd of=both/v2-small.limpid bs=1 seek=$(($(stat -c %s both/v2-small.limpid) - 64 - 20)) conv=notrunc status=none
limpid archive verify both/v2-small.limpid
