/* SPDX-License-Identifier: Apache-2.0 */
#include "log_witness.h"

#include "base/helper.h"
#include "base/process.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Logs say local times without a zone, and helpers run in UTC. */
static void local_zone(const struct lp_case_files *c, char text[LP_ZONE_TEXT])
{
	const struct lp_zone local = { .kind = LP_ZONE_LOCAL };
	const struct lp_survey *recording = &c->reading.recording;
	char name[LP_ZONE_TEXT];
	int offset = lp_zone_offset(&local, recording->roster.last_ns, name);
	int minutes = abs(offset) / 60;

	snprintf(text, LP_ZONE_TEXT, "%c%02d:%02d", offset < 0 ? '-' : '+',
		 minutes / 60 % 24, minutes % 60);
}

static int64_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static int put_item(struct lp_case_files *c, const json_t *said,
		    struct lp_error *err)
{
	const char *kind = json_string_value(json_object_get(said, "kind"));
	const char *host = json_string_value(json_object_get(said, "host"));
	char *data = json_dumps(json_object_get(said, "data"), JSON_COMPACT);
	const char *texts[1] = { data };
	const uint32_t ids[1] = { 0 };
	const uint64_t lines[1] = { (uint64_t)number_of(said, "lines") };
	const struct lp_counts counts = {
		.kind = kind,
		.host = host,
		.from_ns = number_of(said, "from_ns"),
		.to_ns = number_of(said, "to_ns"),
		.texts = texts,
		.n_texts = 1,
		.ids = ids,
		.counts = lines,
		.n_counts = 1,
	};
	const struct lp_item item = { .kind = LP_ITEM_COUNTS,
				      .counts = &counts };
	int status = kind && host && data
			     ? lp_case_put(c->reading.open, &item, err)
			     : lp_fail(err, EPROTO,
				       "limpid-logs said what limpid does not "
				       "understand: are both of one version?");

	free(data);
	return status;
}

static int put_all(struct lp_case_files *c, struct lp_process *process,
		   struct lp_error *err)
{
	char *line;
	size_t n;
	int got;

	while ((got = lp_process_line(process, &line, &n, err)) > 0) {
		json_t *said = json_loadb(line, n, 0, NULL);
		int status = put_item(c, said, err);

		json_decref(said);
		if (status < 0)
			return status;
	}
	return got;
}

static int run(struct lp_case_files *c, const char *const *argv,
	       struct lp_error *err)
{
	struct lp_process *process;
	int status = lp_process_open(argv, "limpid", &process, err);

	if (status < 0)
		return status;
	status = put_all(c, process, err);
	if (status < 0) {
		lp_process_close(process);
		return status;
	}
	return lp_process_finish(process, err);
}

/* The program, five words of options, their ends, and the paths. */
#define WORDS 9

int lp_logs_put(struct lp_case_files *c, const struct lp_log_options *options,
		struct lp_error *err)
{
	const char **argv = calloc(options->paths.count + WORDS, sizeof(*argv));
	char program[PATH_MAX], zone[LP_ZONE_TEXT];
	size_t n = 0;
	int status;

	if (!argv)
		return lp_fail_memory(err);
	if (lp_helper_path("logs", program) < 0) {
		free(argv);
		return lp_fail(err, ENOENT,
			       "--logs needs %s, which is not installed: "
			       "build limpid with libpcre2 (Debian: apt-get "
			       "install libpcre2-dev)",
			       program);
	}
	local_zone(c, zone);
	argv[n++] = program;
	argv[n++] = "classify";
	argv[n++] = "--items";
	argv[n++] = "--zone";
	argv[n++] = zone;
	if (options->model) {
		argv[n++] = "--model";
		argv[n++] = options->model;
	}
	argv[n++] = "--";
	for (size_t i = 0; i < options->paths.count; i++)
		argv[n++] = options->paths.text[i];
	status = run(c, argv, err);
	free(argv);
	return status;
}
