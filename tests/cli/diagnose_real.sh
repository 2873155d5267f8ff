# The run of a real cluster that README.md and `make demo` show: diagnose does not
# read the truth beside it, and must come to the same.
run=$LIMPID_SOURCE/examples/campaign/one/1-22-ddr-disk-busy-s1
limpid diagnose --cluster "$run/cluster.conf" "$run"
grep -oE '"(fault|server|cause)":"[^"]*"' "$run/truth.json"
