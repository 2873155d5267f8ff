# limpid finds its helpers wherever the tree it was installed into is.
mkdir -p tree/bin tree/libexec/limpid
cp "$(realpath "$(command -v limpid)")" tree/bin/limpid
printf '#!/bin/sh\necho "the helper of this tree: $*"\n' \
  >tree/libexec/limpid/limpid-record
chmod 755 tree/libexec/limpid/limpid-record
tree/bin/limpid record -o d
ln -s tree/bin/limpid link
./link record -o e
LIMPID_LIBEXEC=nowhere tree/bin/limpid record
echo "status $?"
for word in --help --version help; do
  limpid $word >/dev/full
  echo "status $?"
done
