# The plan of hours without a fault, the same on every machine.
limpid lab campaign quiet --dry-run
