limpid metrics net | head -n 7
limpid metrics --columns tcp net tcp | grep -c '^[a-z]* (.*)$'
limpid metrics --json disk | head -c 400; echo
limpid metrics nonsense
echo "status $?"
limpid metrics --nonsense
echo "status $?"
limpid metrics --json >/dev/full
echo "status $?"
