# The text of sadf -d, with sar's names and units, is read as it is.
cat >disk.csv <<'EOT'
# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util
oss1;-1;2026-11-18 09:11:46 UTC;LINUX-RESTART	(8 CPU)
oss1;1;2026-11-18 09:11:47 UTC;sda;40.00;24.00;7556.00;0.00;189.50;0.12;3.07;5.00
oss1;1;2026-11-18 09:11:47 UTC;sdb;2.00;8.00;0.00;0.00;4.00;0.01;0.50;0.10
oss1;1;2026-11-18 09:11:48 UTC;sda;20.00;12.00;3778.00;0.00;189.50;0.06;3.07;2.50
oss1;1;2026-11-18 09:11:48 UTC;sdb;4.00;16.00;0.00;0.00;4.00;0.02;0.50;0.20
EOT
cat >net.csv <<'EOT'
# hostname;interval;timestamp;IFACE;rxpck/s;txpck/s;rxkB/s;txkB/s;rxcmp/s;txcmp/s;rxmcst/s;%ifutil
oss1;1;2026-11-18 09:11:47 UTC;eth0;100.00;50.00;64.00;8.50;0.00;0.00;1.00;0.05
oss1;1;2026-11-18 09:11:48 UTC;eth0;200.00;60.00;128.00;9.50;0.00;0.00;1.00;0.10
EOT
cat >edev.csv <<'EOT'
# hostname;interval;timestamp;IFACE;rxerr/s;txerr/s;coll/s;rxdrop/s;txdrop/s;txcarr/s;rxfram/s;rxfifo/s;txfifo/s
oss1;1;2026-11-18 09:11:47 UTC;eth0;1.00;2.00;0.00;3.00;4.00;0.00;0.00;0.00;0.00
EOT
echo ---- as it stands in the file
limpid show disk.csv
limpid show net.csv
echo ---- in our units
limpid show --csv --metric rd_sec,wr_sec,avgrq-sz,avgqu-sz disk.csv
limpid show --csv --metric rxpck,rxbyt,txbyt net.csv
echo ---- columns that limpid does not have are left out
limpid show --csv --metric rxerr,txdrop edev.csv
echo ---- sysstat 11
sed -e 's,rkB/s,rd_sec/s,; s,wkB/s,wr_sec/s,; s,areq-sz,avgrq-sz,' \
  -e 's,dkB/s,svctm,; s,aqu-sz,avgqu-sz,' disk.csv >old.csv
limpid show --csv --metric rd_sec,avgrq-sz,avgqu-sz old.csv
echo ---- sar\'s names in other files
printf 'time,device,rkB/s\n1,sda,10\n2,sda,20\n' >own.csv
limpid show --csv --metric rd_sec own.csv
printf 'time,host,class,component,metric,value\n1,a,disk,sda,rkB/s,10\n' |
  limpid show --csv --metric rd_sec -
printf 't,d,r\n1,sda,10\n' |
  limpid show -f csv --csv --metric rd_sec --map time=t,device=d,rkB/s=r -
echo ---- what is refused
printf 'time,device,rkB/s,rd_sec\n1,sda,10,20\n' >twice.csv
limpid show twice.csv
cat disk.csv net.csv >both.csv
limpid show both.csv
printf '# hostname;interval;timestamp;CPU;%%user;%%idle\n' >cpu.csv
printf 'oss1;1;2026-11-18 09:11:47 UTC;-1;1.00;99.00\n' >>cpu.csv
limpid show cpu.csv
