/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program can do with the library of limpid:
 *
 *     cc library.c $(pkg-config --cflags --libs limpid) -o library
 *
 *     library metrics                        what limpid measures
 *     library list FILE                      what a recording holds
 *     library copy FILE OUT                  a recording as an archive
 *     library diagnose [NAME=VALUE]... FILE...   who is slow, as text
 *     library json [NAME=VALUE]... FILE...       the same as JSON
 *     library read FINDINGS                  what was stored as JSON
 *     library follow step=1s FILE...         diagnose step by step
 */
#include <limpid/limpid.h>

#include <stdlib.h>
#include <string.h>

static int metrics(void)
{
	const char *name;
	size_t c, m;

	for (c = 0; limpid_class_name(c); c++)
		for (m = 0; (name = limpid_metric_name(c, m)); m++)
			printf("%s %s [%s] %s%s: %s\n", limpid_class_name(c),
			       name, limpid_metric_unit(c, m),
			       limpid_metric_role(c, m),
			       limpid_metric_accuses(c, m) ? ", accuses" : "",
			       limpid_metric_help(c, m));
	for (c = 0; (name = limpid_cause_name(c)); c++)
		printf("%s: %s\n", name, limpid_cause_text(c));
	return 0;
}

/* ---- recordings ---- */

static void list_samples(const struct limpid_item *item)
{
	size_t n = limpid_item_samples(item), c, s, i;
	const char *name;

	if (n == 0)
		return;
	printf("  %.0f samples, the last at %.0f:\n", (double)n,
	       (double)limpid_item_sample_time(item, n - 1) / 1e9);
	for (c = 0; limpid_item_class(item, c); c++)
		for (s = 0; (name = limpid_item_series(item, c, s)); s++) {
			printf("  %s %s:", limpid_item_class(item, c), name);
			for (i = 0; limpid_item_column(item, c, i); i++)
				printf(" %s=%.10g",
				       limpid_item_column(item, c, i),
				       limpid_item_value(item, c, s, i, n - 1));
			printf("\n");
		}
}

static void list_labels(const struct limpid_item *item, size_t component)
{
	const char *key, *value;
	size_t i;

	for (i = 0; (key = limpid_item_label(item, component, i, &value)); i++)
		printf(" %s=%s", key, value);
	printf("\n");
}

static void list_inventory(const struct limpid_item *item)
{
	const char *name, *of_class;
	size_t i;

	printf("  host:");
	list_labels(item, LIMPID_HOST);
	for (i = 0; (name = limpid_item_component(item, i, &of_class)); i++) {
		printf("  %s %s:", of_class, name);
		list_labels(item, i);
	}
}

static void list_item(const struct limpid_item *item)
{
	static const char *const kinds[] = { "samples", "inventory", "event",
					     "counts" };
	const char *text;

	printf("%s %s %.0f\n", limpid_item_host(item),
	       kinds[limpid_item_kind(item)],
	       (double)limpid_item_time(item) / 1e9);
	if (limpid_item_kind(item) == LIMPID_SAMPLES)
		list_samples(item);
	if (limpid_item_kind(item) == LIMPID_INVENTORY)
		list_inventory(item);
	if (limpid_item_kind(item) == LIMPID_EVENT) {
		text = limpid_item_event_get(item, "text");
		printf("  %s %s\n", limpid_item_event(item), text ? text : "");
	}
}

/* Each item of a file is listed, put into an archive, put into a case. */
static int read_file(const char *path, struct limpid_archive *archive,
		     struct limpid_case *c, struct limpid_error *err)
{
	const struct limpid_item *item;
	struct limpid_stream *stream;
	int status = limpid_stream_open(path, NULL, &stream, err);

	if (status < 0)
		return status;
	while ((status = limpid_stream_next(stream, &item, err)) > 0) {
		if (archive)
			status = limpid_archive_put(archive, item, err);
		else if (c)
			status = limpid_case_put(c, item, err);
		else
			list_item(item);
		if (status < 0)
			break;
	}
	if (status == 0 && limpid_stream_lost(stream))
		fprintf(stderr, "%s: %s\n", path, limpid_stream_lost(stream));
	limpid_stream_close(stream);
	return status;
}

static int copy(const char *path, const char *to, struct limpid_error *err)
{
	struct limpid_archive *archive;
	int status = limpid_archive_create(to, &archive, err);

	if (status < 0)
		return status;
	status = read_file(path, archive, NULL, err);
	if (status == 0)
		return limpid_archive_finish(archive, err);
	limpid_archive_abandon(archive);
	return status;
}

/* ---- findings ---- */

static void tell(const struct limpid_findings *findings)
{
	static const char *const outcomes[] = { "none", "fault", "undecided" };
	const struct limpid_finding *f;
	const struct limpid_evidence *e;
	size_t i, k;

	printf("%s%s%s\n", outcomes[limpid_findings_outcome(findings)],
	       *limpid_findings_reason(findings) ? ": " : "",
	       limpid_findings_reason(findings));
	for (i = 0; i < limpid_findings_count(findings); i++) {
		f = limpid_findings_get(findings, i);
		printf("%s %s %.0f %.0f %.6g\n", f->component, f->cause,
		       (double)f->since_ns / 1e9, (double)f->until_ns / 1e9,
		       f->score);
		for (k = 0; k < f->n_evidence; k++) {
			e = &f->evidence[k];
			printf("  %s %s %.6g %.6g: %s\n", e->kind,
			       e->metric ? e->metric : "-", e->value,
			       e->peers_median, e->sentence);
		}
	}
	for (i = 0; limpid_findings_note(findings, i); i++)
		printf("note: %s\n", limpid_findings_note(findings, i));
}

/* NAME=VALUE sets an option; the first word that is none is a file. */
static int set_options(struct limpid_options *options, char **words,
		       int *n_options, struct limpid_error *err)
{
	char name[32];
	int status = 0;

	for (*n_options = 0; words[*n_options] && status == 0; ++*n_options) {
		const char *word = words[*n_options];
		size_t n = strcspn(word, "=");

		if (!word[n] || n >= sizeof(name))
			break;
		memcpy(name, word, n);
		name[n] = '\0';
		status = limpid_options_set(options, name, word + n + 1, err);
	}
	return status;
}

static int follow(char **paths, const struct limpid_options *options,
		  struct limpid_findings **findings, struct limpid_error *err)
{
	struct limpid_case *c;
	int status = limpid_case_open(options, &c, err);

	if (status < 0)
		return status;
	for (; *paths && status == 0; paths++)
		status = read_file(*paths, NULL, c, err);
	if (status == 0)
		status = limpid_case_advance(c, LIMPID_TIME_MAX, err);
	if (status == 0)
		status = limpid_case_findings(c, findings, err);
	limpid_case_close(c);
	return status;
}

static int diagnose(const char *word, char **words, struct limpid_error *err)
{
	struct limpid_options *options = limpid_options_new();
	struct limpid_findings *findings = NULL;
	int first, n = 0, status;

	if (!options)
		abort();
	status = set_options(options, words, &first, err);
	while (status == 0 && words[first + n])
		n++;
	if (status == 0 && strcmp(word, "follow") == 0)
		status = follow(words + first, options, &findings, err);
	else if (status == 0)
		status = limpid_diagnose_files(
			(const char *const *)(words + first), (size_t)n,
			options, &findings, err);
	if (status == 0 && strcmp(word, "json") == 0)
		status = limpid_findings_write_json(findings, stdout, err);
	else if (status == 0)
		tell(findings);
	limpid_findings_free(findings);
	limpid_options_free(options);
	return status;
}

static int read_findings(const char *path, struct limpid_error *err)
{
	struct limpid_findings *findings;
	int status = limpid_findings_read(path, &findings, err);

	if (status < 0)
		return status;
	tell(findings);
	limpid_findings_free(findings);
	return 0;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	struct limpid_error err;
	int status;

	if (strcmp(word, "metrics") == 0)
		status = metrics();
	else if (strcmp(word, "list") == 0 && argc == 3)
		status = read_file(argv[2], NULL, NULL, &err);
	else if (strcmp(word, "copy") == 0 && argc == 4)
		status = copy(argv[2], argv[3], &err);
	else if (strcmp(word, "read") == 0 && argc == 3)
		status = read_findings(argv[2], &err);
	else if (strcmp(word, "diagnose") == 0 || strcmp(word, "json") == 0 ||
		 strcmp(word, "follow") == 0)
		status = diagnose(word, argv + 2, &err);
	else {
		fprintf(stderr, "limpid %s: see the head of library.c\n",
			limpid_version());
		return 2;
	}
	if (status < 0)
		fprintf(stderr, "library: %s\n", err.text);
	return status < 0;
}
