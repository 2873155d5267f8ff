# The cluster file of this machine is used when none is given, if it is about
# these hosts; the output says so.
{
  echo time,host,device,rd_ios,rd_sectors,rd_ms
  for t in 0 1 2; do
    for h in oss1 oss2 oss3 mds1; do
      for d in sda sdb; do
        echo "$((1794775514 + t)),$h,$d,$((t * 10)),$((t * 80)),$t"
      done
    done
  done
} >disks.csv
cat >own.conf <<'CONF'
hosts = ( { name = "oss*"; role = "server"; },
          { name = "mds*"; role = "metadata"; } );
devices = ( { name = "sdb"; } );
CONF
echo 'hosts = ( { name = "nsd*"; role = "server"; } );' >other.conf
echo 'ports = [ 2049 ];' >everywhere.conf
echo 'hosts = ( { name = "oss*"; }, { name = "oss9"; } );' >bad.conf

# says FILE COMMAND...: what it says of a cluster file
says() {
  echo "== LIMPID_CLUSTER=$1 limpid $2 $3"
  LIMPID_CLUSTER=$1 limpid "${@:2}" disks.csv 2>&1 | grep -A1 'luster'
}
says own.conf inventory
says own.conf inventory --no-cluster
says own.conf inventory --cluster everywhere.conf
says other.conf inventory
says everywhere.conf inventory
says '' inventory
says own.conf diagnose
says own.conf diagnose --json | sed 's/.*\("notes":[^]]*]\).*/\1/'
says own.conf diagnose --no-cluster
says other.conf diagnose
says own.conf train -o /dev/null
says bad.conf diagnose
says missing.conf diagnose
# Four servers have two disks each; by the file only sdb counts.
echo "== compared"
LIMPID_CLUSTER=own.conf limpid inventory disks.csv | grep '^  .*compared\|sd[ab]'
# The runs of evaluate have their own file, and may be judged without.
for command in diagnose train why inventory; do
  limpid $command --cluster own.conf --no-cluster disks.csv disks.csv
  echo "$command: $?"
done
