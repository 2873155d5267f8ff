/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sysstat source with a sadf of our own first in PATH: what it does when
 * sadf is old, missing or fails, which the real one does not do on demand.
 */
#include "unit.h"

#include "source/source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
	char root[64], sadf[96], file[96];
	char *path; /* PATH as it was */
};

#define HEADER                                                                 \
	"-H) printf 'Host: Linux 4.4 (oss7) \\t01/01/16\\n"                    \
	"11: [8b] A_DISK  Y: 1\\n12: [8b] A_NET_DEV  Y: 1\\n' ;; "

#define JSON                                                                   \
	"-j) cat <<'EOT'\n"                                                    \
	"{\"sysstat\": {\n"                                                    \
	"\t\"hosts\": [\n"                                                     \
	"\t\t{\n"                                                              \
	"\t\t\t\"nodename\": \"os}s{7\\\"[\",\n"                               \
	"\t\t\t\"statistics\": [\n"                                            \
	"\t\t\t\t{\n"                                                          \
	"\t\t\t\t\t\"timestamp\": {\"date\": \"2016-01-01\", \"time\": "       \
	"\"00:10:01\", \"utc\": 1, \"interval\": 600},\n"                      \
	"\t\t\t\t\t\"disk\": [\n"                                              \
	"\t\t\t\t\t\t{\"disk-device\": \"dev8-16\", \"tps\": 2.50, "           \
	"\"rd_sec\": 8.00, \"await\": 4.20, \"util-percent\": 1.50},\n"        \
	"\t\t\t\t\t\t{\"disk-device\": \"x]}\\\"y\", \"tps\": 1}\n"            \
	"\t\t\t\t\t],\n"                                                       \
	"\t\t\t\t\t\"network\": {\n"                                           \
	"\t\t\t\t\t\t\"net-dev\": [\n"                                         \
	"\t\t\t\t\t\t\t{\"iface\": \"eth0\", \"rxkB\": 2.00}\n"                \
	"\t\t\t\t\t\t]\n"                                                      \
	"\t\t\t\t\t}\n"                                                        \
	"\t\t\t\t},{\"timestamp\": {\"date\": \"2016-01-01\", \"time\": "      \
	"\"00:20:01\", \"utc\": 1, \"interval\": 600}, \"disk\": "             \
	"[{\"disk-device\": \"dev8-16\", \"tps\": 3.50}]}\n"                   \
	"\t\t\t],\n"                                                           \
	"\t\t\t\"restarts\": [\n"                                              \
	"\t\t\t\t{\n"                                                          \
	"\t\t\t\t\t\"boot\": {\"date\": \"2016-01-01\"}\n"                     \
	"\t\t\t\t}\n"                                                          \
	"\t\t\t]\n"                                                            \
	"\t\t}\n"                                                              \
	"\t]\n"                                                                \
	"}}\n"                                                                 \
	"EOT\n"                                                                \
	";; "

static void write_file(const char *path, const char *bytes, size_t n,
		       unsigned mode)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

/* cases: of a shell's case statement over sadf's first argument. */
static void set_up(struct place *place, const char *cases, const char *bytes,
		   size_t n)
{
	char script[8192], path[4096];

	snprintf(place->root, sizeof(place->root), "/tmp/limpid-test-XXXXXX");
	assert_non_null(mkdtemp(place->root));
	snprintf(place->sadf, sizeof(place->sadf), "%s/sadf", place->root);
	snprintf(place->file, sizeof(place->file), "%s/sa01", place->root);
	snprintf(script, sizeof(script),
		 "#!/bin/sh\ncase $1 in %s "
		 "*) echo 'Usage: sadf' >&2; exit 1 ;; esac\n",
		 cases);
	if (cases)
		write_file(place->sadf, script, strlen(script), 0700);
	write_file(place->file, bytes, n, 0600);
	place->path = strdup(getenv("PATH"));
	snprintf(path, sizeof(path), "%s%s%s", place->root, cases ? ":" : "",
		 cases ? place->path : "");
	setenv("PATH", path, 1);
}

static void tear_down(struct place *place)
{
	setenv("PATH", place->path, 1);
	free(place->path);
	unlink(place->sadf);
	unlink(place->file);
	assert_int_equal(rmdir(place->root), 0);
}

static const char now_format[] = "\x96\xd5\x75\x21";
static const char old_format[] = "\x96\xd5\x71\x21";

static int open_file(const struct place *place, const char *host,
		     struct lp_stream **stream, struct lp_error *err)
{
	struct lp_source_options options = { .host = host };
	struct lp_query query;

	lp_query_init(&query);
	return lp_source_sysstat.open(place->file, &options, &query, stream,
				      err);
}

static double value(const struct lp_chunk *chunk, const char *class,
		    size_t series, const char *column, size_t sample)
{
	const struct lp_panel *panel = lp_chunk_panel(chunk, class);
	int c = lp_panel_column(panel, column);

	return lp_values_number(&panel->series[series].values[c],
				panel->columns[c].type, sample);
}

static void expect_json_samples(struct lp_stream *stream)
{
	const struct lp_panel *disk;
	struct lp_item item;
	struct lp_error err;

	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	assert_int_equal(item.kind, LP_ITEM_EVENT);
	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	assert_int_equal(item.kind, LP_ITEM_CHUNK);
	assert_int_equal(item.chunk->n_samples, 2);
	assert_int_equal(item.chunk->time_ns[0], 1451607001 * LP_NS_PER_S);
	disk = lp_chunk_panel(item.chunk, "disk");
	assert_string_equal(disk->series[0].name, "sdb");
	assert_string_equal(disk->series[1].name, "x]}\"y");
	assert_true(value(item.chunk, "disk", 0, "tps", 1) == 3.5);
	assert_true(value(item.chunk, "disk", 0, "await", 0) == 4.2);
	assert_true(isnan(value(item.chunk, "disk", 0, "await", 1)));
	assert_int_equal(disk->columns[lp_panel_column(disk, "await")].kind,
			 LP_WEIGHTED);
	assert_true(value(item.chunk, "disk", 0, "%util", 0) == 1.5);
	assert_true(value(item.chunk, "net", 0, "rxbyt", 0) == 2048);
	assert_int_equal(lp_stream_next(stream, &item, &err), 0);
}

static void a_sadf_without_raw_output_gives_rates_as_gauges(void **state)
{
	struct lp_stream *stream = NULL;
	struct lp_error err;
	struct place place;

	(void)state;
	set_up(&place, HEADER JSON, now_format, 4);
	assert_int_equal(open_file(&place, NULL, &stream, &err), 0);
	expect_json_samples(stream);
	lp_stream_close(stream);
	tear_down(&place);
}

static void an_old_file_is_converted_first(void **state)
{
	struct lp_stream *stream = NULL;
	struct lp_error err;
	struct place place;

	(void)state;
	/* What the others get must be what -c wrote. */
	set_up(&place,
	       "-c) [ \"$(head -c 4 \"$2\" | od -An -tx1)\" = ' 96 d5 71 21' ] "
	       "&& printf NEW ;; "
	       "-r) exit 1 ;; "
	       "-H) [ \"$(cat \"$2\")\" = NEW ] && "
	       "printf 'Host: Linux 4.4 (oss7) \\t\\n11: A_DISK  Y\\n' "
	       ";; " JSON,
	       old_format, 4);
	assert_int_equal(open_file(&place, NULL, &stream, &err), 0);
	expect_json_samples(stream);
	lp_stream_close(stream);
	tear_down(&place);
}

static void expect_failure(const char *cases, const char *bytes,
			   const char *words)
{
	struct lp_stream *stream = NULL;
	struct lp_error err;
	struct place place;

	set_up(&place, cases, bytes, 4);
	assert_true(open_file(&place, NULL, &stream, &err) < 0);
	assert_null(stream);
	if (!strstr(err.text, words))
		fail_msg("\"%s\" does not say \"%s\"", err.text, words);
	assert_null(strchr(err.text, '\n'));
	tear_down(&place);
}

static void failures_are_told_in_sadfs_own_words(void **state)
{
	(void)state;
	expect_failure("-c) echo 'cannot convert' >&2; exit 1 ;;", old_format,
		       "sa01: sadf: cannot convert");
	expect_failure("-H) echo 'Invalid file' >&2; exit 3 ;;", now_format,
		       "sa01: sadf: Invalid file");
	expect_failure("x)", "ABCD", "not a file of sysstat");
	expect_failure("-H) echo 'Host: Linux 4 (h) ' ;;", now_format,
		       "neither disks nor interfaces");
	expect_failure("-H) echo 'nothing' ;;", now_format, "--as-host");
}

static void without_sadf_the_package_is_named(void **state)
{
	(void)state;
	expect_failure(NULL, now_format, "apt-get install sysstat");
}

static void a_failure_in_the_middle_is_not_an_end(void **state)
{
	struct lp_stream *stream = NULL;
	struct lp_item item;
	struct lp_error err;
	struct place place;
	int r;

	(void)state;
	set_up(&place, HEADER "-j) echo '{' ; echo 'it broke' >&2; exit 2 ;;",
	       now_format, 4);
	assert_int_equal(open_file(&place, "me", &stream, &err), 0);
	while ((r = lp_stream_next(stream, &item, &err)) > 0)
		;
	assert_int_equal(r, -EIO);
	assert_non_null(strstr(err.text, "it broke"));
	lp_stream_close(stream);
	tear_down(&place);
}

static bool recognised(const char *bytes, size_t n)
{
	return lp_source_sysstat.recognise("x", (const uint8_t *)bytes, n);
}

static void files_are_recognised_whatever_the_byte_order(void **state)
{
	(void)state;
	assert_true(recognised("\x96\xd5\x75\x21zz", 6));
	assert_true(recognised("\xd5\x96\x21\x75", 4));
	assert_true(recognised(old_format, 4));
	assert_false(recognised("\x96\xd5\x75", 3));
	assert_false(recognised("\x96\xd5\x00\x00", 4));
	assert_false(recognised("time", 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_sadf_without_raw_output_gives_rates_as_gauges),
		cmocka_unit_test(an_old_file_is_converted_first),
		cmocka_unit_test(failures_are_told_in_sadfs_own_words),
		cmocka_unit_test(without_sadf_the_package_is_named),
		cmocka_unit_test(a_failure_in_the_middle_is_not_an_end),
		cmocka_unit_test(files_are_recognised_whatever_the_byte_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
