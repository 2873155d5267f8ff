/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/report/log_matrix.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/visible.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Lines of one phase and type, by node. */
struct row {
	const char *phase, *type;
	uint64_t *lines;
};

struct matrix {
	const struct lp_log_study *study;
	struct row *rows;
	size_t n;
};

/* An error number says more than a kind. */
static const char *type_of(const struct lp_log_evidence *e)
{
	return e->number ? e->number->name : lp_log_kinds[e->kind].name;
}

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strverscmp(x->phase, y->phase);

	return order ? order : strcmp(x->type, y->type);
}

static size_t row_of(const struct matrix *m, const struct lp_log_evidence *e)
{
	size_t i = 0;

	while (i < m->n && (strcmp(m->rows[i].phase, e->phase) != 0 ||
			    strcmp(m->rows[i].type, type_of(e)) != 0))
		i++;
	return i;
}

static int find_rows(struct matrix *m)
{
	size_t capacity = 0;

	for (size_t i = 0; i < m->study->n_evidence; i++) {
		const struct lp_log_evidence *e = &m->study->evidence[i];

		if (row_of(m, e) < m->n)
			continue;
		if (lp_grow(&m->rows, &capacity, m->n + 1, sizeof(*m->rows)) <
		    0)
			return -ENOMEM;
		m->rows[m->n++] =
			(struct row){ .phase = e->phase, .type = type_of(e) };
	}
	if (m->n > 0)
		qsort(m->rows, m->n, sizeof(*m->rows), by_name);
	return 0;
}

static int count_lines(struct matrix *m)
{
	for (size_t r = 0; r < m->n; r++) {
		m->rows[r].lines = calloc(m->study->n_nodes, sizeof(uint64_t));
		if (!m->rows[r].lines)
			return -ENOMEM;
	}
	for (size_t i = 0; i < m->study->n_evidence; i++) {
		const struct lp_log_evidence *e = &m->study->evidence[i];

		m->rows[row_of(m, e)].lines[e->node] += e->count;
	}
	return 0;
}

static void print_text(const struct matrix *m, FILE *out)
{
	const struct lp_log_study *s = m->study;

	if (m->n == 0) {
		fputs("The logs say nothing that is new.\n", out);
		return;
	}
	fprintf(out, "%-20s %-14s", "phase", "type");
	for (uint32_t i = 0; i < s->n_nodes; i++)
		if (s->nodes[i].lines > 0)
			fprintf(out, " %10s", lp_shown(lp_log_node_name(s, i)));
	fputc('\n', out);
	for (size_t r = 0; r < m->n; r++) {
		fprintf(out, "%-20s %-14s", lp_shown(m->rows[r].phase),
			m->rows[r].type);
		for (uint32_t i = 0; i < s->n_nodes; i++)
			if (s->nodes[i].lines > 0 && m->rows[r].lines[i])
				fprintf(out, " %10llu",
					(unsigned long long)m->rows[r]
						.lines[i]);
			else if (s->nodes[i].lines > 0)
				fprintf(out, " %10s", "-");
		fputc('\n', out);
	}
}

static void print_json(const struct matrix *m, FILE *out)
{
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_array(&json);
	for (size_t r = 0; r < m->n; r++)
		for (uint32_t i = 0; i < m->study->n_nodes; i++) {
			if (m->rows[r].lines[i] == 0)
				continue;
			lp_json_object(&json);
			lp_json_put_string(&json, "phase", m->rows[r].phase);
			lp_json_put_string(&json, "type", m->rows[r].type);
			lp_json_put_string(&json, "node",
					   lp_log_node_name(m->study, i));
			lp_json_put_u64(&json, "lines", m->rows[r].lines[i]);
			lp_json_end(&json);
		}
	lp_json_end(&json);
	fputc('\n', out);
}

int lp_log_matrix(const struct lp_log_study *study, bool json, FILE *out)
{
	struct matrix m = { .study = study };
	int status = find_rows(&m);

	if (status == 0)
		status = count_lines(&m);
	if (status == 0)
		(json ? print_json : print_text)(&m, out);
	for (size_t r = 0; r < m.n; r++)
		free(m.rows[r].lines);
	free(m.rows);
	return status;
}
