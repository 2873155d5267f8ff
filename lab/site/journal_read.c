/* SPDX-License-Identifier: Apache-2.0 */
#include "site/journal_read.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/textfile.h"
#include "site/machine.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const thing_names[LAB_THINGS] = {
	[LAB_DIRECTORY] = "directory", [LAB_NETNS] = "netns",
	[LAB_MOUNT] = "mount",         [LAB_LOOP] = "loop",
	[LAB_CGROUP] = "cgroup",       [LAB_PROCESS] = "process",
	[LAB_RULE] = "rule",           [LAB_SETTING] = "setting",
	[LAB_LINK] = "link",           [LAB_DISK] = "disk",
	[LAB_FAULT] = "fault",         [LAB_LOOP_NODE] = "loop-node",
	[LAB_PORT] = "port",           [LAB_READ_ONLY] = "read-only",
	[LAB_DEED] = "deed",           [LAB_RETOLD] = "retold",
};

struct parsing {
	const char *name;
	struct lab_entry *entries;
	size_t n, capacity;
	struct lp_error *err;
};

const char *lab_thing_name(enum lab_thing thing)
{
	return thing_names[thing];
}

void lab_entries_free(struct lab_entry *entries, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(entries[i].text);
	free(entries);
}

static int bad_line(const struct parsing *p, size_t at)
{
	return lp_fail(p->err, EINVAL,
		       "%s: offset %zu: expected '+ KIND TEXT' or '- OFFSET' "
		       "of a journal of the lab",
		       p->name, at);
}

static bool thing_named(const char *name, size_t n, enum lab_thing *thing)
{
	for (size_t i = 0; i < LAB_THINGS; i++)
		if (strlen(thing_names[i]) == n &&
		    memcmp(thing_names[i], name, n) == 0) {
			*thing = (enum lab_thing)i;
			return true;
		}
	return false;
}

/* "directory /var/lib/limpid-lab/s1" */
static int parse_noted(struct parsing *p, size_t at, const char *line, size_t n)
{
	const char *blank = memchr(line, ' ', n);
	size_t word = blank ? (size_t)(blank - line) : n;
	struct lab_entry entry = { .mark = at };

	if (!blank || word + 1 >= n || memchr(line, '\0', n) ||
	    !thing_named(line, word, &entry.thing))
		return bad_line(p, at);
	if (lp_grow(&p->entries, &p->capacity, p->n + 1, sizeof(*p->entries)) <
	    0)
		return lp_fail_memory(p->err);
	entry.text = strndup(blank + 1, n - word - 1);
	if (!entry.text)
		return lp_fail_memory(p->err);
	assert(p->n == 0 || p->entries[p->n - 1].mark < at);
	p->entries[p->n++] = entry;
	return 0;
}

/* "43": that line is undone. One that was undone twice is no error. */
static int parse_undone(struct parsing *p, size_t at, const char *line,
			size_t n)
{
	uint64_t mark;

	if (lp_parse_u64(line, n, &mark) < 0 || mark >= at)
		return bad_line(p, at);
	for (size_t i = p->n; i-- > 0;)
		if (p->entries[i].mark == mark) {
			free(p->entries[i].text);
			memmove(&p->entries[i], &p->entries[i + 1],
				(p->n - i - 1) * sizeof(*p->entries));
			p->n--;
			break;
		}
	return 0;
}

static int parse_line(struct parsing *p, size_t at, const char *line, size_t n)
{
	if (n > 2 && memcmp(line, "+ ", 2) == 0)
		return parse_noted(p, at, line + 2, n - 2);
	if (n > 2 && memcmp(line, "- ", 2) == 0)
		return parse_undone(p, at, line + 2, n - 2);
	return bad_line(p, at);
}

static int parse_head(const struct parsing *p, const char *line, size_t n,
		      char boot[64])
{
	size_t head = strlen(LAB_JOURNAL_HEAD);

	if (n < head || memcmp(line, LAB_JOURNAL_HEAD, head) != 0 ||
	    n - head > 63)
		return lp_fail(p->err, EINVAL,
			       "%s is not the journal of a lab: it does not "
			       "begin with '" LAB_JOURNAL_HEAD "BOOT'",
			       p->name);
	memcpy(boot, line + head, n - head);
	boot[n - head] = '\0';
	return 0;
}

int lab_journal_parse(const char *name, const char *text, size_t size,
		      struct lab_entry **entries, size_t *n, char boot[64],
		      struct lp_error *err)
{
	struct parsing p = { .name = name, .err = err };
	char found_boot[64] = "";
	size_t at = 0;
	int status = 0;

	while (status == 0 && at < size) {
		const char *line = text + at;
		const char *end = memchr(line, '\n', size - at);

		if (!end) /* torn: never finished, so nothing was begun */
			break;
		if (at == 0)
			status = parse_head(&p, line, (size_t)(end - line),
					    found_boot);
		else
			status = parse_line(&p, at, line, (size_t)(end - line));
		at = (size_t)(end - text) + 1;
	}
	if (status < 0) {
		lab_entries_free(p.entries, p.n);
		return status;
	}
	memcpy(boot, found_boot, sizeof(found_boot));
	*entries = p.entries;
	*n = p.n;
	return 0;
}

int lab_journal_read(const char *dir, struct lab_entry **entries, size_t *n,
		     char boot[64], struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	char path[PATH_MAX];
	int status;

	status = lab_path(path, err, "%s/journal", dir);
	if (status == 0)
		status = lp_text_file_open(&file, path, err);
	if (status == 0)
		status = lab_journal_parse(path, file.text, file.n, entries, n,
					   boot, err);
	lp_text_file_close(&file);
	return status;
}

int lab_journal_list(const char *dir, struct lab_entry **entries, size_t *n,
		     struct lp_error *err)
{
	char boot[64];
	int status = lab_journal_read(dir, entries, n, boot, err);

	if (status == -ENOENT) {
		*entries = NULL;
		*n = 0;
		return 0;
	}
	return status;
}
