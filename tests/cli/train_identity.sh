# A disk is known by what outlasts a boot: thresholds of one cluster fit the next,
# on which the same disks have other names; the name that is shown counts as well.
runs=$LIMPID_SOURCE/examples/campaign/one
limpid train "$runs/1-09-iozonew-none" -o trained.csv
sed -n '/,await,/p' trained.csv | sed 's/,[0-9.]*$//'
run=$runs/1-22-ddr-disk-busy-s1
limpid inventory "$run" | grep -m 1 -o 's1/loop[0-9]*'
limpid inventory "$runs/1-09-iozonew-none" | grep -m 1 -o 's1/loop[0-9]*'

# excused NAME: who differs, if only this disk may
excused() {
  local i
  {
    echo "# limpid thresholds 1"
    for i in 1 2 3 4 5 6; do
      echo "cdf,disk,await,s$i/file:/var/lib/limpid-lab/s$i/door/disk,12"
    done | grep -vF ",$1,"
    echo "cdf,disk,await,$1,1000"
  } >excuse.csv
  echo "---- $1"
  limpid diagnose --cluster "$run/cluster.conf" --thresholds excuse.csv "$run" |
    sed -n '1p;/^s/s/ .*//p'
}
excused s1/file:/var/lib/limpid-lab/s1/door/disk
excused s2/file:/var/lib/limpid-lab/s2/door/disk
sed -n '/s1/d;p' excuse.csv >by_name.csv
echo "cdf,disk,await,s1/loop0,1000" >>by_name.csv
echo "---- by the name that is shown"
limpid diagnose --cluster "$run/cluster.conf" --thresholds by_name.csv "$run" |
  sed -n 1p
