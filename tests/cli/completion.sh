# Words that the shell would offer.
source "$LIMPID_BUILD/packaging/limpid"
offer() {
  COMP_WORDS=(limpid "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _limpid
  echo "${COMPREPLY[*]}"
}
offer met
offer --v
offer metrics --co
offer metrics ''
offer import --form
offer import --format ''
offer rec
offer export --format ''
offer archive ve
offer show --metric aw
offer show --class ''
