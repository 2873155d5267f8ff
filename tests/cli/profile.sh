# A kept profile: four daemons in control groups, one of which spins at the end.
p=$LIMPID_SOURCE/examples/profiles/spin/vm-20261118T210400Z.profile.limpid
limpid archive info "$p" | grep -e counts -e hosts
limpid profile show --top 3 --host c "$p"
limpid profile show --by program --host a "$p"
limpid profile show --csv --top 2 --host 'a' "$p"
limpid profile show --json --top 1 --host c "$p"
limpid profile show --waits --top 2 --host d "$p"
limpid profile show --folded --host c "$p" | grep spin
limpid profile show --callers --host c "$p" | sort | head -n 2
limpid profile diff --of c --top 3 "$p"
limpid profile diff --of c --with a --json "$p" | grep -o '^.\{150\}'
limpid profile diagnose --utc "$p"
echo "-- exit codes"
limpid profile diagnose --check "$p" >/dev/null; echo $?
limpid profile diagnose --check --host '[ab]' "$p" | head -n 1; echo "${PIPESTATUS[0]}"
limpid profile diagnose --check --ignore-function 'spin*' "$p" | head -n 1
limpid profile diagnose --by manhattan --limit 1000 "$p" | head -n 1
limpid profile diagnose --windows --host 'c' "$p" | head -n 2
echo "-- pictures"
limpid profile show --flame all.svg "$p" && grep -c '<rect' all.svg
limpid profile diff --of c --flame c.svg "$p" && grep -o 'spin_in_daemon: [^<]*' c.svg
echo precious >kept.svg
limpid profile show --flame kept.svg "$p"
cat kept.svg
echo "-- wrong"
limpid profile show --by colour "$p"
limpid profile show --csv --json "$p"
limpid profile diagnose --by manhattan "$p"
limpid profile diff --of nobody "$p"
limpid profile show "$LIMPID_SOURCE/tests/archives/v1-hosts.limpid"
limpid profile record -o there --rate 5
limpid profile record
limpid profile sing
