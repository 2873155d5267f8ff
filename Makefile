# A thin front for Meson: `make demo` and `make check` are the two to know.
BUILD ?= build

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@meson setup $(BUILD)

check: all
	@meson test -C $(BUILD) --print-errorlogs

.PHONY: all check
