# Programs that cannot be run, or not traced; and the status of one that can.
limpid io run -- not-there
echo "status $?"
limpid io run -- ./not-there
echo "status $?"
mkdir d
limpid io run -- ./d
echo "status $?"
limpid io run -o d/no/trace -- true
echo "status $?"
limpid io run --limit 0 -- true
echo "status $?"
limpid io run
echo "status $?"
limpid io run -- sh -c 'exit 7' 2>/dev/null
echo "status $?"
limpid io run -o t -- sh -c 'echo out; echo err >&2; kill -15 $$' 2>err |
  sed -n 1p
echo "status ${PIPESTATUS[0]}, $(head -n 1 err)"
limpid io run -m not-there -- touch made
echo "status $?"
[ -e made ] || echo "not run"
limpid io trace t | head -n 1
# A word size and a kind that cannot be traced.
printf '\177ELF\001\001\001%060d' 0 >small
printf '\177ELF\002\001\001%060d' 0 >static
chmod 755 small static
limpid io run -- ./small
echo "status $?"
printf '#!./static -x\n' >script
chmod 755 script
limpid io run -- ./script
echo "status $?"
