# Models from traces whose cause is known, and traces judged by them. Traces are
# made as darshan-dxt-parser prints them, which has 0.1 ms at best.
#
# sweep BASE_MS MS_PER_MIB SLOW: 60 reads each of four sizes, one of them SLOW
# times as long.
sweep() {
  printf '# darshan log version: 3.41\n# exe: ./bench\n# start_time: 1700000000\n'
  printf '# nprocs: 1\n\n'
  printf '# DXT, file_id: 1, file_name: /scratch/%s\n' "${4:-data}"
  printf '# DXT, rank: 0, hostname: node1\n'
  awk -v base="$1" -v slope="$2" -v slow="$3" 'BEGIN {
    split("1024 4096 1048576 16777216", sizes)
    for (s = 1; s <= 4; s++)
      for (i = 0; i < 60; i++) {
        ms = (base + slope * sizes[s] / 1048576) * (1 + i % 7 / 50)
        if (i == 11)
          ms *= slow
        printf " X_POSIX 0 read %d %d %d %.4f %.4f\n", i, i * sizes[s],
          sizes[s], t, t + ms / 1000
        t += ms / 1000 + 0.001
      }
  }'
}
sweep 2 0.5 9 >discard.txt
sweep 10 2 9 >cached.txt
sweep 200 50 4 slow >disk.txt

limpid io fit -o model.json discard=discard.txt cached=cached.txt |
  grep -v ^made
limpid io model model.json | grep -v ^made >again
limpid io model --json model.json | cmp - model.json && echo same
limpid io classify -m model.json discard.txt cached.txt disk.txt
limpid io classify -m model.json --json cached.txt
limpid io classify --names fast,slow cached.txt | head -n 8
limpid io classify --csv -m model.json disk.txt | sed -n '1,3p;$p'
limpid io classify --csv disk.txt | cut -d, -f8 | sort | uniq -c
limpid io report -m model.json disk.txt
limpid io report -m model.json --json --html page.html disk.txt |
  python3 -c 'import json, sys; r = json.load(sys.stdin)
print(r["headline"]); print(r["kinds"][0]["classes"]["uncached"])'
grep -c '<svg class="chart' page.html
limpid io report cached.txt | head -n 3

# Another host, and everything that can be wrong.
sed 's/node1/node2/' disk.txt >other.txt
limpid io report -m model.json other.txt | grep -A1 note
limpid io classify -m model.json other.txt >/dev/null
limpid io fit cached || echo "status $?"
limpid io fit --weights none cached=cached.txt || echo "status $?"
limpid io fit --edges none cached=cached.txt || echo "status $?"
limpid io fit 'a b=cached.txt' || echo "status $?"
limpid io fit cached=not-there || echo "status $?"
limpid io fit --reference warm cached=cached.txt || echo "status $?"
limpid io fit --beyond cached cached=cached.txt || echo "status $?"
limpid io fit --directory not-there cached=cached.txt || echo "status $?"
limpid io fit -o no/model.json cached=cached.txt >/dev/null || echo "status $?"
head -n 40 cached.txt >few.txt
limpid io fit cached=few.txt || echo "status $?"
limpid io report -m cached.txt disk.txt || echo "status $?"
sed 's/"version": 1/"version": 7/' model.json >new.json
limpid io report -m new.json disk.txt || echo "status $?"
sed 's/"ns_per_byte": [0-9]/"ns_per_byte": -1/' model.json >bad.json
limpid io model bad.json || echo "status $?"
sed 's/"ns_per_byte": [0-9.]*/"ns_per_byte": 1e300/' model.json >endless.json
limpid io model endless.json || echo "status $?"
limpid io classify --csv cached.txt disk.txt || echo "status $?"
