# limpid's own method on healthy, slow and odd groups.
judge() {
  awk -v what="$1" -v n="$2" -f "$DATA/disks.awk" >"$1.csv"
  echo "-- $1 of $2"
  limpid diagnose --method limpid "$1.csv" >verdict
  echo "status $?"
  sed -n '1,2p;/^oss/p;/^  What/,/^  P/p;/^Detects/,/^[LN]/p' verdict |
    sed '/^  P/d;/^$/d'
}
judge none 6
judge slower 6
judge strong 6
judge always 6
judge hog 6
judge two 6
judge two 12
judge majority 6
judge slower 3
judge slower 2
judge slower 1
judge idle 6
judge alone 6
judge gaps 6
judge reset 6
judge clocks 6
judge coarse 6
echo "-- one quantity only"
awk -v what=slower -v n=6 -f "$DATA/disks.awk" >slower.csv
limpid diagnose --method limpid --metric latency slower.csv |
  grep -E '^(Compared|No|One)'
limpid diagnose --method limpid --metric service,read slower.csv |
  grep -E '^(Compared|No|One)'
limpid diagnose --method limpid --metric await slower.csv
echo "status $?"
limpid diagnose --method cdf --metric service slower.csv
echo "status $?"
limpid diagnose --method limpid --metric servce slower.csv
echo "status $?"
echo "-- both kinds of methods"
limpid diagnose --method limpid,cdf strong.csv | grep -E '^(oss|    (serv|await))'
echo "-- JSON"
limpid diagnose --method limpid --json strong.csv | python3 -c '
import json, sys
v = json.load(sys.stdin)
e = v["findings"][0]["evidence"][0]
print(v["method"], v["budget"])
for c in v["compared"]:
    print(c["metric"], round(c["limit"], 2), c["limit_by"],
          c["least_change"] is not None)
print(e["metric"], e["reference"], e["window_s"], e["effect"] > e["gate"],
      e["value"] > e["peers_high"] >= e["peers_low"], e["distance"] > 6)
'
echo "-- stored, and shown again"
limpid diagnose --method limpid --findings stored strong.csv >direct
limpid report stored | diff direct - && echo same
