# Darshan's text has times of 0.1 ms: what is shorter is not judged, what is
# long is named; processes' times are told from the time that passed.
#
# ranks N WHAT: 60 reads and 60 writes of each of N ranks that work at once.
ranks() {
  printf '# darshan log version: 3.41\n# exe: ./app\n# start_time: 1700000000\n'
  printf '# DXT, file_id: 1, file_name: /scratch/data\n'
  printf '# DXT, rank: 0, hostname: node1\n'
  awk -v n="$1" 'BEGIN {
    for (r = 0; r < n; r++)
      for (i = 0; i < 60; i++) {
        t = 1 + i / 10
        printf " X_MPIIO %d read %d 0 1032 %.4f %.4f\n", r, i, t, t + 0.01
        printf " X_POSIX %d read %d 0 1032 %.4f %.4f\n", r, i, t, t + i % 2 / 10000
        printf " X_POSIX %d write %d 0 4096 %.4f %.4f\n", r, i, t + 0.01, t + 0.03
      }
  }'
}
ranks 1 >one.txt
ranks 4 >four.txt
limpid io report four.txt
limpid io trace four.txt
# One read of 1.5 s.
awk '/X_POSIX/ && /read/ && ++n == 25 { $8 = $7 + 1.5 } { print }' one.txt >slow.txt
limpid io report slow.txt | grep -A1 unexpectedly
limpid io classify --csv slow.txt | grep slow
limpid io classify --json slow.txt | tr , '\n' | grep -E 'resolution|"slow"'
limpid io report --json four.txt | python3 -c 'import json, sys
r = json.load(sys.stdin)
print(r["headline"], r["processes"], r["resolution_ns"], r["left_out"])
print(r["slow"]["verdict"])
print(*r["notes"], sep="\n")'
limpid io report --html page.html four.txt >/dev/null
grep -c 'resolution of 0.1 ms' page.html
grep -c '1 ns\|1.0[0-9] ns' page.html

# Five reads: nobody knows which is slow.
grep -v write slow.txt | head -n 52 | tail -n 12 >rest
{ head -n 5 slow.txt; cat rest; } | limpid io report - | grep -A1 Cannot

# A model of reads says nothing of writes, and the headline does not either.
grep -v write one.txt | awk '/X_POSIX/ { $8 = $7 + 0.005 } { print }' >cached.txt
limpid io fit -o reads.json cached=cached.txt >/dev/null
awk '/X_POSIX/ && /read/ { $8 = $7 + 0.05 } { print }' one.txt >late.txt
limpid io report -m reads.json late.txt | head -n 10
limpid io model reads.json | grep clock
# Two causes that both take less than the clock shows are refused.
limpid io fit discard=one.txt cached=four.txt
echo "status $?"
