# A zoo of broken archives: each must be refused politely, none may crash.
cd "$LIMPID_SOURCE/tests/archives/broken"
for file in *.limpid; do
	limpid archive verify "$file" 2>&1
	echo "verify $?"
	limpid archive info "$file" 2>&1 | grep -e '^limpid' -e '^  damaged'
	limpid archive repair "$file" -o "$OLDPWD/out.limpid" >/dev/null 2>&1
	repair=$?
	if [ $repair -eq 0 ]; then
		limpid archive verify "$OLDPWD/out.limpid" >/dev/null
		echo "repaired $?"
	else
		echo "not repaired"
	fi
	rm -f "$OLDPWD/out.limpid"
done
