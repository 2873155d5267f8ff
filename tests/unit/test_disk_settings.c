/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "disk/control.h"
#include "disk/settings.h"

#include <errno.h>
#include <string.h>

static int take(struct lab_disk_settings *settings, const char *line)
{
	struct lp_error err = { "" };
	int r = lab_disk_settings_take(settings, line, strlen(line), &err);

	assert_true(r >= 0 || err.text[0]);
	return r;
}

static struct lab_disk_settings after(const char *line)
{
	struct lab_disk_settings settings;

	lab_disk_settings_default(&settings);
	assert_true(take(&settings, line) >= 0);
	return settings;
}

static void every_setting_is_taken(void **state)
{
	struct lab_disk_settings settings;

	(void)state;
	assert_int_equal(after("rate 5000000").rate, 5000000);
	assert_int_equal(after("seek 4.5").seek_ns, 4500000);
	assert_int_equal(after("latency 20").latency_ns, 20000000);
	assert_int_equal(after("jitter 50").jitter_ns, 50000000);
	assert_int_equal(after("jitter 50 77").seed, 77);
	assert_true(after("stuck on").stuck);
	assert_false(after("stuck off").stuck);
	settings = after("bus /run/bus 30M");
	assert_string_equal(settings.bus, "/run/bus");
	assert_int_equal(settings.bus_rate, 30000000);
	assert_int_equal(take(&settings, "bus none"), LAB_DISK_BUS);
	assert_string_equal(settings.bus, "");
	assert_int_equal(take(&settings, "status"), LAB_DISK_STATUS);
	assert_int_equal(take(&settings, " \t reset \t"), LAB_DISK_RESET);
}

static void errors_have_a_kind_an_amount_and_a_region(void **state)
{
	struct lab_disk_settings s = after("errors read");

	(void)state;
	assert_int_equal(s.errors, LAB_ERRORS_READ);
	assert_true(s.errors_from == 0 && s.errors_to == UINT64_MAX);
	s = after("errors both region 1Mi..2Mi after 5k");
	assert_int_equal(s.errors, LAB_ERRORS_BOTH);
	assert_int_equal(s.errors_after, 5000);
	assert_int_equal(s.errors_from, 1 << 20);
	assert_int_equal(s.errors_to, 2 << 20);
	/* What was limited before is not afterwards. */
	assert_int_equal(take(&s, "errors write"), LAB_DISK_ERRORS);
	assert_int_equal(s.errors, LAB_ERRORS_WRITE);
	assert_int_equal(s.errors_after, 0);
	assert_true(s.errors_to == UINT64_MAX);
	take(&s, "errors none");
	assert_int_equal(s.errors, 0);
}

static void a_power_cut_says_what_is_kept(void **state)
{
	struct lab_disk_settings s = after("power cut");

	(void)state;
	assert_true(s.off);
	assert_int_equal(s.cut.keep, LAB_KEEP_NONE);
	s = after("power cut keep first 8 torn seed 3");
	assert_int_equal(s.cut.keep, LAB_KEEP_FIRST);
	assert_int_equal(s.cut.first, 8);
	assert_true(s.cut.torn);
	assert_int_equal(s.cut.seed, 3);
	s = after("power cut keep random 0.25");
	assert_int_equal(s.cut.keep, LAB_KEEP_RANDOM);
	assert_true(s.cut.part == 0.25);
	assert_int_equal(take(&s, "power on"), LAB_DISK_POWER);
	assert_false(s.off);
	assert_true(after("gone").gone);
	assert_false(after("back").gone);
	assert_true(after("cache volatile").is_volatile);
	s = after("flip 5 region 1Mi..2Mi seed 9");
	assert_int_equal(s.flip.n, 5);
	assert_int_equal(s.flip.from, 1 << 20);
	assert_int_equal(s.flip.seed, 9);
}

static const char *const refused[] = {
	"",
	"   ",
	"speed 5",
	"rate",
	"rate x",
	"rate 999",
	"rate 10000000001",
	"rate 12M 5",
	"rate -1",
	"rate 12Q",
	"rate 99999999999999999999",
	"rate 99999999999T",
	"seek",
	"seek -1",
	"seek nan",
	"seek 1e9",
	"latency 5ms",
	"jitter",
	"jitter 5 x",
	"jitter 5 1 1",
	"errors",
	"errors all",
	"errors read after",
	"errors read after x",
	"errors read region 5",
	"errors read region 5..5",
	"errors read region 5..",
	"errors read region ..5",
	"errors read since 5",
	"errors read after 1 after 2 after 3 after 4",
	"stuck",
	"stuck yes",
	"bus",
	"bus relative",
	"bus /b x",
	"bus /b 1M 1M",
	"cache",
	"cache back",
	"power",
	"power off",
	"power on now",
	"power cut keep",
	"power cut keep first",
	"power cut keep first x",
	"power cut keep random 1.5",
	"power cut torn",
	"power cut keep none torn",
	"power cut seed",
	"gone now",
	"back to you",
	"flip",
	"flip 0",
	"flip 1001",
	"flip 5 region 7",
	"flip 5 seed",
	"status now",
	"reset all",
	"rate 5000000\r",
	"ra\001te",
};

static void bad_commands_are_refused_and_change_nothing(void **state)
{
	struct lab_disk_settings settings, before;

	(void)state;
	memset(&settings, 0, sizeof(settings));
	lab_disk_settings_default(&settings);
	memcpy(&before, &settings, sizeof(before));
	for (size_t i = 0; i < lp_array_size(refused); i++) {
		if (take(&settings, refused[i]) != -EINVAL)
			fail_msg("'%s' was taken", refused[i]);
		assert_memory_equal(&settings, &before, sizeof(before));
	}
}

static void a_refusal_says_what_was_expected(void **state)
{
	struct lab_disk_settings settings;
	struct lp_error err;

	(void)state;
	lab_disk_settings_default(&settings);
	lab_disk_settings_take(&settings, "spede 1", 7, &err);
	assert_string_equal(
		err.text,
		"no command 'spede'; there are rate, seek, latency, "
		"jitter, errors, stuck, bus, cache, power, gone, back, "
		"flip, status, reset");
	lab_disk_settings_take(&settings, "stuck yes", 9, &err);
	assert_string_equal(err.text, "stuck: expected on|off");
}

static void sizes_have_decimal_and_binary_units(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} sizes[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "3k", 3000 },
		{ "3Ki", 3072 },
		{ "12M", 12000000 },
		{ "2Gi", UINT64_C(2) << 30 },
		{ "1T", UINT64_C(1000000000000) },
	};
	static const char *const bad[] = { "",    "k",    "Ki",
					   "i",   "1i",   "1K",
					   "1kB", "1.5M", "20000000Ti" };
	uint64_t bytes = 0;

	(void)state;
	for (size_t i = 0; i < lp_array_size(sizes); i++) {
		assert_int_equal(lab_bytes_parse(sizes[i].text,
						 strlen(sizes[i].text), &bytes),
				 0);
		assert_true(bytes == sizes[i].bytes);
	}
	for (size_t i = 0; i < lp_array_size(bad); i++)
		assert_true(lab_bytes_parse(bad[i], strlen(bad[i]), &bytes) <
			    0);
}

static void settings_are_shown_as_keys_and_values(void **state)
{
	struct lab_disk_settings s = after("errors write after 7");
	char text[LAB_DISK_LINE];
	uint64_t figure = 0;

	(void)state;
	lab_disk_settings_format(&s, text, sizeof(text));
	assert_non_null(strstr(text, " errors=write "));
	assert_true(lab_disk_figure(text, "rate", &figure));
	assert_int_equal(figure, 12000000);
	assert_true(lab_disk_figure(text, "errors_after", &figure));
	assert_int_equal(figure, 7);
	assert_false(lab_disk_figure(text, "errors", &figure));
	assert_false(lab_disk_figure(text, "rat", &figure));
	assert_false(lab_disk_figure("", "rate", &figure));
	assert_int_equal(figure, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_setting_is_taken),
		cmocka_unit_test(errors_have_a_kind_an_amount_and_a_region),
		cmocka_unit_test(a_power_cut_says_what_is_kept),
		cmocka_unit_test(bad_commands_are_refused_and_change_nothing),
		cmocka_unit_test(a_refusal_says_what_was_expected),
		cmocka_unit_test(sizes_have_decimal_and_binary_units),
		cmocka_unit_test(settings_are_shown_as_keys_and_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
