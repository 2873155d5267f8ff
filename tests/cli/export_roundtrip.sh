# What this machine records, exported and imported, is the same again.
limpid record -o rec -i 0.1 -n 6 --host me 2>/dev/null
limpid export -o text/ rec
limpid import -o back.limpid text
limpid export -o again/ back.limpid
diff -r text again && echo "the same samples"
head -qn1 text/me-disk.csv | cut -d, -f-4

# What both exports left out shows in the archives themselves.
limpid archive info --json rec/*.limpid >rec.json
limpid archive info --json back.limpid >back.json
python3 - <<'END'
import json

def content(path):
    samples, classes = 0, {}
    for info in map(json.loads, open(path)):
        samples += info["samples"]
        for c in info["classes"]:
            values, *names = classes.get(c["name"], (0, set(), set()))
            classes[c["name"]] = (values + c["values"], names[0] |
                                  set(c["instances"]), names[1] | set(c["columns"]))
    return samples, classes

before, after = content("rec.json"), content("back.json")
assert before == after, (before, after)
print(after[0], "samples, the same classes, instances, columns and values")
END
# An inventory is not exported: without it, names and identities are the kernel's.
values() {
	limpid show --json --raw --class all --metric all -i 0 "$1" |
		sed 's/"component":"[^"]*",//; s/"id":[^,]*,//' | sort
}
values rec >rec.values
values back.limpid >back.values
[ "$(wc -l <rec.values)" -gt 6 ] && cmp rec.values back.values &&
	echo "the same increases and levels"

limpid export --to jsonl rec | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
print(len({line["time"] for line in lines}), "times")'
limpid export --to openmetrics rec | python3 "$DATA/openmetrics.py" |
  sed 's/[0-9][0-9]*/N/g'
