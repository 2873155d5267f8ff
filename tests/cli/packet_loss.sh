# Packets lost on the way to a server show on its clients' congestion windows,
# those it sends on its own; training gives a threshold for each direction.
mkdir runs
limpid simulate lossy -o runs/receive >/dev/null
limpid simulate --print lossy | sed 's/receive-pktloss/send-pktloss/' >send.conf
limpid simulate send.conf -o runs/send >/dev/null
limpid simulate lossy --no-events --seed 2 -o runs/none >/dev/null
for run in receive send none; do
  limpid diagnose runs/$run | sed -n '1,3p;/ loss /p'
  limpid diagnose --method cdf,cwnd runs/$run | sed -n '1,3p;/ cwnd /p'
done
limpid show --metric retrans -i 5m --csv runs/receive/client1-* |
  awk -F, 'NR > 1 && $6 > 1 { print "sent again:", $4 }'
limpid evaluate --method cdf,cwnd runs
limpid train --metric cwnd -o thresholds.csv runs/none
sed 1,2d thresholds.csv
limpid diagnose --thresholds thresholds.csv runs/send |
  sed -n '3,4p;/ cwnd /p;/^Method/,/^Time/p'
echo "---- refused"
try() {
  limpid simulate "$@"
  echo "status $?"
}
sed 's/clients = 4; //' send.conf >none.conf
try none.conf -o new
sed 's/clients = 4/clients = 400/' send.conf >many.conf
try many.conf -o new
sed 's/"s"/"client"/' send.conf >same.conf
try same.conf -o new
