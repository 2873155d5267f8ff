# A trace's summary and its CSV, in both formats; damage is said, rubbish
# refused.
limpid io trace "$DATA/two_threads.iotrace"
limpid io trace --csv "$DATA/two_threads.iotrace"
limpid io trace --csv "$DATA/darshan_dxt.txt"
limpid io trace --csv -o out.csv "$DATA/darshan_dxt.txt" && wc -l <out.csv

# One byte of the second block is wrong.
cp "$DATA/two_threads.iotrace" damaged
printf 'X' | dd of=damaged bs=1 seek=370 conv=notrunc status=none
limpid io trace damaged | grep operations:
: >empty
limpid io trace empty || echo "status $?"
echo hello >rubbish
limpid io trace rubbish || echo "status $?"
head -c 100 "$DATA/two_threads.iotrace" >short
limpid io trace short || echo "status $?"
limpid io trace not-there || echo "status $?"
limpid io trace || echo "status $?"
limpid io nonsense 2>/dev/null || echo "status $?"
