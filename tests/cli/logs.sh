# Learn from a healthy time, classify the time of a failure, and silence.
limpid logs --help >/dev/null 2>&1 || { echo "no limpid-logs"; exit 77; }
beegfs() { # HH:MM NODE: a healthy minute
  printf '(2) Feb07 %s:%02d Worker1 [Change states] >> Storage target is coming online. ID: %d\n' "$1" 1 301 "$1" 2 401
  printf '(2) Feb07 %s:03 Main [App] >> LocalNode: beegfs-%s\n' "$1" "$2"
}
mkdir -p well/mgmt well/oss1 ill/mgmt ill/oss1
beegfs 20:16 'mgmtd mgs [ID: 1]' >well/mgmt/log
beegfs 20:16 'storage oss1 [ID: 3]' >well/oss1/log
printf '(2) Feb07 20:16:09 X [Pools] >> Assignment updated. NodeID: 3; TargetID: 301; Pool: Low\n' >>well/mgmt/log
touch -d 2026-03-01 well/*/log
limpid logs learn --zone UTC -o model well
limpid logs learn --zone UTC -o again well
cmp model again && grep -c ^template model

echo "--- empty"
: >empty
limpid logs classify --zone UTC --model model empty

echo "--- silent"
cp well/mgmt/log ill/mgmt/log
cp well/oss1/log ill/oss1/log
limpid logs classify --zone UTC --model model --check ill

echo "--- a target that is silent, told by the name that its node has elsewhere"
printf '(2) Feb07 21:30:00 X [Auto-offline] >> No state report received from storage target for 94 seconds. Storage target ID: 301\n' >>ill/mgmt/log
touch -d 2026-03-01 ill/*/log
limpid logs classify --zone UTC --model model --check ill
echo "status $?"

echo "--- its own disk goes before what others say"
printf '(0) Feb07 21:29:59 W [ChunkStore] >> Unable to create path. SysErr: Read-only file system\n' | gzip >ill/oss1/log.1.gz
touch -d 2026-03-01 ill/*/*
limpid logs classify --zone UTC --model model --json ill |
  sed 's/"evidence": *\[.*//; s/,"evidence":\[.*//' | head -c 700
echo

echo "--- an onset instead of a model"
limpid logs classify --zone UTC --onset '2026-02-07 21:00' ill | head -n 4

echo "--- what is wrong is said with its place"
head -n 2 model >short
limpid logs classify --model short ill
limpid logs classify --model well/mgmt/log ill
printf 'format = "beegfs";\nrules = (\n  { kind = "devise"; text = "x"; }\n);\n' >rules.conf
limpid logs classify --rules rules.conf ill
printf 'format = "beegfs";\nrules = (\n  { kind = "device"; text = "x"; pattern = "(("; }\n);\n' >rules.conf
limpid logs classify --rules rules.conf ill
limpid logs classify nowhere
limpid logs learn -o well/mgmt/log well
limpid logs classify --zone UTC --model model - <<'EOF'
what is this
EOF
