# docs/tutorial.md shows what its commands print.
python3 "$LIMPID_SOURCE/tools/tutorial" "$LIMPID_SOURCE/docs/tutorial.md"
