/* SPDX-License-Identifier: Apache-2.0 */
/*
 *     limpid-logs-model 1
 *     learnt 96646 lines of 6 nodes in 41 hours
 *     name oss1\t10.29.163.83@tcp
 *     template lustre debug 52 20 1204 tgt_cb_last_committed: *: transno * is
 *     end 2
 */
#include "logs/template/log_model.h"

#include "base/number.h"
#include "base/textfile.h"
#include "logs/template/mask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A file of lines cannot hold it. */
static bool is_unprintable(const char *text)
{
	return text[0] == '\0' || strpbrk(text, "\t\n\r") || strlen(text) > 255;
}

int lp_log_model_name(struct lp_log_model *m, const char *node,
		      const char *name)
{
	struct lp_log_alias *alias;

	if (is_unprintable(node) || is_unprintable(name))
		return 0;
	for (size_t i = 0; i < m->n_aliases; i++)
		if (strcmp(m->aliases[i].name, name) == 0)
			return 0;
	if (lp_grow(&m->aliases, &m->aliases_capacity, m->n_aliases + 1,
		    sizeof(*m->aliases)) < 0)
		return -ENOMEM;
	alias = &m->aliases[m->n_aliases];
	alias->node = lp_arena_string(&m->arena, node);
	alias->name = lp_arena_string(&m->arena, name);
	if (!alias->node || !alias->name)
		return -ENOMEM;
	m->n_aliases++;
	return 0;
}

void lp_log_model_write(const struct lp_log_model *m, FILE *out)
{
	fprintf(out, "%s\nlearnt %llu lines of %llu nodes in %llu hours\n",
		LP_LOG_MODEL_MAGIC, (unsigned long long)m->lines,
		(unsigned long long)m->nodes, (unsigned long long)m->hours);
	for (size_t i = 0; i < m->n_aliases; i++)
		fprintf(out, "name %s\t%s\n", m->aliases[i].node,
			m->aliases[i].name);
	for (size_t i = 0; i < m->templates.n; i++) {
		const struct lp_log_template *t = &m->templates.all[i];

		fprintf(out, "template %s %s %llu %llu %llu %s\n",
			t->format->name, lp_log_level_name(t->level),
			(unsigned long long)t->healthy_rate,
			(unsigned long long)t->healthy_hours,
			(unsigned long long)t->count, t->text);
	}
	fprintf(out, "end %zu\n", m->templates.n);
}

/* A line that is taken apart at its blanks. */
struct parts {
	const char *at, *end;
};

static struct lp_log_text part(struct parts *p)
{
	const char *begin = p->at;

	while (p->at < p->end && *p->at != ' ')
		p->at++;
	struct lp_log_text text = { begin, (size_t)(p->at - begin) };

	p->at += p->at < p->end;
	return text;
}

static bool number(struct parts *p, uint64_t *value)
{
	struct lp_log_text text = part(p);

	return text.n > 0 && lp_parse_u64(text.at, text.n, value) == 0;
}

static bool is(struct lp_log_text text, const char *word)
{
	return text.n == strlen(word) && memcmp(text.at, word, text.n) == 0;
}

static int parse_template(struct lp_log_model *m, struct parts *p)
{
	struct lp_log_text format = part(p), level = part(p);
	struct lp_log_template t = { .healthy = true };
	char name[32], text[LP_LOG_TEMPLATE_MOST];
	size_t n;

	if (format.n >= sizeof(name) || !number(p, &t.healthy_rate) ||
	    !number(p, &t.healthy_hours) || !number(p, &t.count))
		return -EINVAL;
	snprintf(name, sizeof(name), "%.*s", (int)format.n, format.at);
	t.format = lp_log_format_find(name);
	t.level = lp_log_level_find(level.at, level.n);
	n = (size_t)(p->end - p->at);
	if (!t.format || t.level == LP_LOG_LEVELS || n >= sizeof(text))
		return -EINVAL;
	memcpy(text, p->at, n);
	text[n] = '\0';
	t.text = text;
	return lp_log_templates_add(&m->templates, &t);
}

static int parse_name(struct lp_log_model *m, struct parts *p)
{
	const char *tab = memchr(p->at, '\t', (size_t)(p->end - p->at));
	char node[256], name[256];
	int n = tab ? (int)(tab - p->at) : 0;
	int m_n = tab ? (int)(p->end - tab - 1) : 0;

	if (n < 1 || m_n < 1 || n > 255 || m_n > 255)
		return -EINVAL;
	snprintf(node, sizeof(node), "%.*s", n, p->at);
	snprintf(name, sizeof(name), "%.*s", m_n, tab + 1);
	return lp_log_model_name(m, node, name);
}

static int parse_learnt(struct lp_log_model *m, struct parts *p)
{
	return number(p, &m->lines) && is(part(p), "lines") &&
			       is(part(p), "of") && number(p, &m->nodes) &&
			       is(part(p), "nodes") && is(part(p), "in") &&
			       number(p, &m->hours)
		       ? 0
		       : -EINVAL;
}

/* 1: it was the last line, and the count is right. */
static int parse_line(struct lp_log_model *m, struct parts line, uint64_t seen)
{
	struct lp_log_text word = part(&line);
	uint64_t n;

	if (is(word, "template"))
		return parse_template(m, &line);
	if (is(word, "name"))
		return parse_name(m, &line);
	if (is(word, "learnt"))
		return parse_learnt(m, &line);
	return is(word, "end") && number(&line, &n) && n == seen ? 1 : -EINVAL;
}

/* The lines behind the first one. */
static int parse_lines(struct lp_log_model *m, const char *name,
		       const char *text, size_t n, struct lp_error *err)
{
	const char *at = text, *all = text + n;
	uint64_t templates = 0;
	size_t line = 2;
	int status = 0;

	for (; at < all && status == 0; line++) {
		const char *stop = memchr(at, '\n', (size_t)(all - at));
		struct parts whole = { at, stop ? stop : all };

		status = parse_line(m, whole, templates);
		templates += *at == 't';
		at = stop ? stop + 1 : all;
	}
	if (status == -EINVAL)
		return lp_fail(err, EINVAL,
			       "%s:%zu: not a line of a model of logs; learn "
			       "it again by 'limpid logs learn'",
			       name, line - 1);
	if (status == 0)
		return lp_fail(err, EINVAL,
			       "%s: cut off: its last line is missing; learn "
			       "it again by 'limpid logs learn'",
			       name);
	return status < 0 ? lp_fail_memory(err) : 0;
}

int lp_log_model_parse(struct lp_log_model *m, const char *name,
		       const char *text, size_t n, struct lp_error *err)
{
	static const char magic[] = LP_LOG_MODEL_MAGIC "\n";
	size_t head = sizeof(magic) - 1;
	int status;

	*m = (struct lp_log_model){ 0 };
	if (n < head || memcmp(text, magic, head) != 0)
		return lp_fail(err, EINVAL,
			       "%s: not a model of logs: its first line is "
			       "not '" LP_LOG_MODEL_MAGIC "'",
			       name);
	status = parse_lines(m, name, text + head, n - head, err);
	if (status < 0)
		lp_log_model_done(m);
	return status;
}

int lp_log_model_read(struct lp_log_model *m, const char *path,
		      struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int status = lp_text_file_open(&file, path, err);

	if (status == 0)
		status = lp_log_model_parse(m, path, file.text, file.n, err);
	lp_text_file_close(&file);
	return status;
}

void lp_log_model_done(struct lp_log_model *m)
{
	lp_log_templates_done(&m->templates);
	lp_arena_done(&m->arena);
	free(m->aliases);
	*m = (struct lp_log_model){ 0 };
}
