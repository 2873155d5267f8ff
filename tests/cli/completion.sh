# Words that the shell would offer.
source "$LIMPID_BUILD/packaging/limpid"
offer() {
  COMP_WORDS=(limpid "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _limpid
  echo "$*: ${COMPREPLY[*]}"
}
offer met
offer --v
offer hel
offer help dia
offer metrics --co
offer metrics ''
offer import --form
offer import --format ''
offer rec
offer export --format ''
offer export --to ''
offer show --metric aw
offer show --metric await,tp
offer show --class ''
offer export --class ''
offer show --metric rkB
offer show --names ''
offer show --sort aw
offer show --sort await : ''
offer show --sort await :
offer show --sort await : m
offer show --tz lo
offer diagnose --tz Europe/Berl
offer show --tz +01 : ''
offer diagnose --since 10 : ''
echo "-- of what accuses only"
for command in diagnose why train evaluate; do
  offer $command --metric ''
done
offer diagnose --metric await,wr
offer diagnose --method ''
offer diagnose --method cdf,cw
offer diagnose --method = cd
offer diagnose --method =
echo "-- words of a command, and the options of each"
offer archive ''
offer archive ve
offer archive verify --
offer archive repair --
offer io ''
offer io report --
offer io report --file-s
offer io bench --file-s
offer io bench --state ''
offer io fit --weights ''
offer lab fa
echo "-- names"
offer simulate ''
offer simulate -o dir he
offer lab fault disk-
offer lab run dd
offer lab campaign ''
offer lab overhead --workload dd
echo "-- files are the shell's"
offer diagnose ''
offer diagnose --html ''
offer io report ''
