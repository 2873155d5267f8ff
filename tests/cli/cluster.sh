# Who is compared with whom, as a cluster file says.
# shellcheck disable=SC2016 # the dollars are the cluster file's
{
  echo time,host,device,rd_ios,rd_sectors,rd_ms
  for t in 0 1 2; do
    for h in oss1 oss2 oss3 mds1; do
      for d in sda ddn1_l0 ddn1_l1 ddn2_l0; do
        echo "$((1794775514 + t)),$h,$d,$((t * 10)),$((t * 80)),$t"
      done
    done
  done
} >disks.csv

cat >good.conf <<'CONF'
# Two arrays behind three servers.
hosts = ( { name = "/oss([0-9])/"; role = "server"; rack = "r$1"; },
          { name = "mds*"; role = "metadata"; } );
devices = (
  { name = "/ddn([0-9])_l([0-9])/"; controller = "ddn$1"; lun = "$2";
    priority = "secondary"; },
  { host = "oss1"; name = "ddn1_*"; priority = "primary"; },
  { host = [ "oss2", "oss3" ]; name = "ddn2_*"; priority = "primary"; }
);
CONF
limpid inventory -v --cluster good.conf disks.csv | sed -n '/^Roles/,$p'
echo ----
cat >groups.conf <<'CONF'
devices = ( { host = "oss*"; name = "ddn*"; } );
groups = ( { name = "first array"; members = "oss*/ddn1_*"; } );
CONF
limpid inventory --cluster groups.conf disks.csv | sed -n '/^Compared/,$p'

# What is wrong, one line each.
try() {
  cat >bad.conf
  limpid inventory --cluster bad.conf disks.csv
  echo $?
}
echo 'hosts = ( { name = "oss9"; role = "server"; } );' | try
echo 'hosts = ( { name = "oss9"; role = "server"; optional = true; } );' |
  try | sed -n '/^Nothing/,/^$/p'
echo 'hosts = ( { nmae = "oss1"; } );' | try
echo 'hosts = ( { name = "oss1"; colour = "red"; } );' | try
echo 'hosts = ( { name = "oss1"; role = "boss"; } );' | try
echo 'hosts = ( { role = "server"; } );' | try
echo 'hosts = "oss*";' | try
echo 'host = "oss*";' | try
printf 'hosts = (\n  { name = "oss1" }\n' | try
echo 'devices = ( { host = "oss2"; name = "sdz"; } );' | try
echo 'devices = ( { name = "/sd(a/"; } );' | try
echo 'devices = ( { name = "/a)(b/"; } );' | try
echo 'devices = ( { name = "/sd(.)/"; lun = "$2"; } );' | try
echo 'devices = ( { name = "sda"; use = "no"; } );' | try
echo 'groups = ( { name = "two"; members = "oss[12]/sda"; } );' | try
echo 'ports = [ 70000 ];' | try
echo '@include "other.conf"' | try
printf 'a\0b' | try
limpid inventory --cluster missing.conf disks.csv
echo $?
limpid inventory --cluster . disks.csv
echo $?
