# SPDX-License-Identifier: Apache-2.0
# A thin front for Meson: `make demo` and `make check` are the two to know.
BUILD ?= build
FUZZ_SECONDS ?= 20
SANITIZE = -Db_sanitize=address,undefined -Db_lundef=false \
	-Dbuildtype=debugoptimized

# Where to install; as it was configured if nothing is said (/usr/local).
prefix ?= $(PREFIX)

.DEFAULT_GOAL := all
.PHONY: all help limpid demo lab accuracy check check-all check-long \
	tests-built asan fuzz coverage lint bench configured install \
	install-strip uninstall deps clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' \
		Makefile

all: configured ## build all of limpid, and its tests
	@ninja -C $(BUILD)

limpid: configured ## build only what is needed to record, show and diagnose
	@ninja -C $(BUILD) programs

configured: $(BUILD)/build.ninja
	@tools/prefix $(BUILD) "$(prefix)"

# New command line tests are found by name, hence the directory.
$(BUILD)/build.ninja: tests/cli
	@tools/deps build
	@tools/configure $(BUILD)
	@touch $@

demo: limpid ## record this machine, then diagnose a recording of a real cluster
	@tools/demo $(BUILD)

lab: all ## make a real cluster, apply a fault and show the verdict (root)
	@tools/deps build check
	@tools/lab-tour $(BUILD)

accuracy: all ## compute docs/accuracy.md from the runs in examples/campaign
	@tools/accuracy --limpid $(BUILD)/cmd/limpid

check: tests-built ## run the tests, about six minutes
	@tools/check $(BUILD) --no-suite long --no-suite lab

check-all: tests-built ## also run the tests that need a cluster for minutes, as CI does
	@tools/check $(BUILD) --no-suite long

check-long: check-all ## also run the longest tests
	@tools/deps long
	@tools/check $(BUILD) --suite long

tests-built: $(BUILD)/build.ninja
	@tools/deps build check
	@tools/configure $(BUILD)
	@ninja -C $(BUILD)

asan: ## run tests with the address and undefined behaviour sanitizers
	@tools/deps build check
	@tools/configure $(BUILD)-asan $(SANITIZE)
	@ninja -C $(BUILD)-asan
	@tools/check $(BUILD)-asan --suite unit --suite cli --suite record

fuzz: ## run libFuzzer on every target, FUZZ_SECONDS (20) each
	@tools/deps build fuzz
	@CC=clang tools/configure $(BUILD)-fuzz -Dfuzz=true -Dopenmp=disabled \
		$(SANITIZE)
	@ninja -C $(BUILD)-fuzz
	@tools/fuzz $(BUILD)-fuzz $(FUZZ_SECONDS)

coverage: ## show which lines the tests run; pages in coverage/
	@tools/deps build check lint
	@tools/configure $(BUILD)-coverage -Db_coverage=true -Dbuildtype=debug
	@ninja -C $(BUILD)-coverage
	@tools/check $(BUILD)-coverage --no-suite long --no-suite lint
	@tools/coverage $(BUILD)-coverage

lint: all ## check layers, format and pages, and run static analysers
	@tools/deps build check lint
	@tools/lint $(BUILD)

bench: all ## measure speed and cost, also of other collectors
	@tools/deps build check bench
	@meson test -C $(BUILD) --benchmark --verbose

install: all ## install into PREFIX (/usr/local), below DESTDIR
	@meson install -C $(BUILD) --no-rebuild
	@tools/installed $(BUILD)

install-strip: all ## the same, without debug information
	@meson install -C $(BUILD) --no-rebuild --strip
	@tools/installed $(BUILD)

uninstall: ## remove the last installation from this directory
	@tools/uninstall $(BUILD)

deps: ## install missing packages (root), or name them
	@tools/deps build check

clean: ## remove everything that was built
	@rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-fuzz $(BUILD)-coverage coverage
