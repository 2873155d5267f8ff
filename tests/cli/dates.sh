# When a fault started and ended, by samples: text, JSON, page and stored
# findings agree. A recording that ends or begins within the fault says so.
run=$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1/recording.limpid
when() {
  limpid diagnose --method limpid "$@" "$run" | sed -n '/When:/,/What:/p'
}
when
when --until 2026-11-16T02:02:00Z
when --since 2026-11-16T02:00:30Z
when --tz +01:00
echo "---- JSON"
limpid diagnose --method limpid --json "$run" |
  grep -Eo '"(since|until|lasting)(_low|_high)?":[^,}]*' | sort -u
limpid diagnose --method cdf --json "$run" | grep -c since_low
echo "---- stored"
limpid diagnose --method limpid --findings f.json --html page.html "$run" >text
limpid report f.json | diff text - && echo same
limpid report --html again.html f.json >/dev/null
cmp page.html again.html && grep -o 'It started between[^<.]*' page.html
grep -o '"name":"s1/loop0","finding"[^}]*' f.json
echo "---- why"
limpid why --method limpid s1/loop0 "$run" | sed -n 1,4p
echo "---- evaluate"
limpid evaluate --method limpid "$(dirname "$run")" | grep -A9 '^Seconds'
