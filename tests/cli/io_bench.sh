# Small runs, and what cannot be run. Durations differ; counts do not.
mkdir d
limpid io bench --file-size 1M --buffer 1M --repeats 50 --size 4K \
  --operation read,write,rewrite --state discard,cached,uncached d 2>/dev/null |
  cut -c 1-52
limpid io bench --file-size 1M --buffer 1M --repeats 50 --size 1,4K \
  --memory rnd --file stride8K,4K,reverse -o out --json d |
  sed 's/.*"size":\([0-9]*\),.*"file":"\([a-z0-9KM,]*\)".*"operations":\([0-9]*\),.*"resident_before":\([0-9.]*\),.*/\1 \2 \3 \4/'
ls out
limpid io trace --csv out/0001-*.iotrace | wc -l
limpid io bench --file-size 1M --buffer 1M --repeats 30 --size 4K --threads 2 \
  --processes 2 --share shared -o one --truth no d | tail -n 1 | cut -c 1-52
limpid io trace one | grep -E 'tasks|files|operations:'
limpid io bench --file-size 1M --buffer 1M --repeats 5 --size 4K \
  --truth truth.csv d >/dev/null
cut -d, -f3-7 truth.csv
printf 'size = [ "512" ];\nfile_size = "64K"; buffer = "64K"; repeats = 3;\n' >sweep
limpid io bench --sweep sweep d | tail -n 1 | cut -c 1-52
# Bad input.
bad() {
  limpid io bench "$@" 2>&1 >/dev/null | sed 's/-bench-....../-bench-/'
  echo "status ${PIPESTATUS[0]}"
}
bad not-there
bad --size 0 d
bad --size 4X d
bad --file forward d
bad --access direct --state uncached --size 100 d
bad --state cached --access direct --size 4K d
bad --size 1M --file-size 4K d
bad --buffer 900000G --size 4K d | sed 's/only [0-9]* MiB/only N MiB/'
bad --sweep not-there d
printf 'sizes = 1;\n' >wrong
bad --sweep wrong d
bad --rounds 0 d
ls d
