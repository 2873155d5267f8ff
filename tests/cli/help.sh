# Without a word: the help, as a usage error. With a wrong one: a line.
limpid --version
limpid help | head -n 3
limpid nonsense
echo "status $?"
limpid >out 2>err
echo "status $?, $(wc -c <out) bytes, $(head -n 1 err)"
# The help of a command, asked for in either order.
limpid help metrics >one
limpid metrics --help >two
cmp one two && head -n 1 one
limpid help nonsense
echo "status $?"
# Every help fits a terminal.
for command in $(limpid --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  limpid "$command" --help | awk 'length > 80 '
done
