# What this machine records, exported and imported, is the same again.
limpid record -o rec -i 0.1 -n 6 --host me 2>/dev/null
limpid export -o text/ rec
limpid import -o back.limpid text
limpid export -o again/ back.limpid
diff -r text again && echo "the same samples"
head -qn1 text/me-disk.csv | cut -d, -f-4
limpid export -f jsonl rec | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
print(len({line["time"] for line in lines}), "times")'
limpid export -f openmetrics rec | python3 "$DATA/openmetrics.py" |
  sed 's/[0-9][0-9]*/N/g'
