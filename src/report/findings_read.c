/* SPDX-License-Identifier: Apache-2.0 */
#include "report/findings_format.h"

#include "base/stdin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct reader {
	struct lp_member_reader base; /* first */
	const struct lp_evidence_kind *const *kinds;
};

/* ---- evidence ---- */

static bool is_same(const struct lp_metric *a, const struct lp_metric *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0 &&
	       strcmp(a->help, b->help) == 0;
}

/* That of the catalogue; a newer limpid may know others, or others words. */
static int find_metric(struct lp_member_reader *r, const char *class_name,
		       const struct lp_metric *as, struct lp_evidence *e)
{
	const struct lp_class *class = lp_class_find(class_name);
	const struct lp_metric *metric =
		class ? lp_class_metric(class, as->name) : NULL;
	struct lp_class *own_class = lp_member_room(r, 1, sizeof(*own_class));
	struct lp_metric *own = lp_member_room(r, 1, sizeof(*own));

	if (class && !metric)
		metric = lp_class_quantity(class, as->name);
	if (!own_class || !own)
		return -ENOMEM;
	own_class->name = class_name;
	*own = *as;
	e->class = class ? class : own_class;
	e->metric = metric && is_same(metric, as) ? metric : own;
	return 0;
}

static int read_metric(struct lp_member_reader *r, const json_t *object,
		       struct lp_evidence *e)
{
	static const struct lp_member members[] = {
		LP_MEMBER("metric", TEXT, struct lp_metric, name),
		LP_MEMBER("unit", TEXT, struct lp_metric, unit),
		LP_MEMBER("help", TEXT, struct lp_metric, help),
	};
	struct lp_metric metric = { 0 };
	int status = lp_members_read(r, object, members, lp_array_size(members),
				     &metric);
	const char *class = status ? NULL : lp_member_text(r, object, "class");

	if (!class)
		return -EINVAL;
	status = find_metric(r, class, &metric, e);
	if (status == 0)
		status = lp_table_read(r, object, &lp_members_metric, e);
	return status ? status : lp_picture_read(r, object, &e->picture);
}

/* Its sentence is kept where nothing here makes one. */
static int read_sentence(struct reader *r, const json_t *object,
			 struct lp_evidence *e)
{
	const json_t *data = json_object_get(object, "data");
	bool made = lp_evidence_kind_is_known(r->kinds, e->kind) &&
		    lp_evidence_kind_of(r->kinds, e)->sentence;

	if (!made) {
		e->sentence = lp_member_text(&r->base, object, "text");
		if (!e->sentence)
			return -EINVAL;
	}
	if (!data || json_is_null(data))
		return 0;
	e->data = lp_member_raw(&r->base, data);
	return e->data ? 0 : -EINVAL;
}

static int read_evidence(struct lp_member_reader *base, const json_t *object,
			 size_t i, void *user)
{
	struct lp_finding *f = user;
	struct lp_evidence *e = &f->evidence[i];
	const json_t *metric = json_object_get(object, "metric");
	int status = lp_table_read(base, object, &lp_members_evidence, e);

	if (status == 0 && metric && !json_is_null(metric))
		status = read_metric(base, object, e);
	return status ? status
		      : read_sentence((struct reader *)base, object, e);
}

/* ---- findings ---- */

static int read_resource(struct lp_member_reader *r, const json_t *object,
			 enum lp_resource *resource)
{
	const char *name =
		json_string_value(json_object_get(object, "resource"));

	for (enum lp_resource i = 0; name && i < LP_RESOURCES; i++)
		if (strcmp(lp_resource_name(i), name) == 0) {
			*resource = i;
			return 0;
		}
	return lp_member_bad(r, "resource", "is none that limpid knows");
}

static int read_unjudged(struct lp_member_reader *r, const json_t *object,
			 struct lp_finding *f)
{
	static const struct lp_member members[] = {
		LP_MEMBER("unjudged_since", TIME, struct lp_finding,
			  unjudged_since_ns),
		LP_MEMBER("unjudged_until", TIME, struct lp_finding,
			  unjudged_until_ns),
	};

	return f->unjudged ? lp_members_read(r, object, members,
					     lp_array_size(members), f)
			   : 0;
}

static int read_finding(struct lp_member_reader *r, const json_t *object,
			size_t i, void *user)
{
	struct lp_finding *f = &r->into->items[i];
	int status = lp_table_read(r, object, &lp_members_finding, f);
	const json_t *evidence;

	(void)user;
	if (status == 0)
		status = read_resource(r, object, &f->resource);
	if (status == 0)
		status = read_unjudged(r, object, f);
	/* Findings of methods that only know windows have none. */
	f->dated = status == 0 && json_object_get(object, "since_low");
	if (f->dated)
		status = lp_table_read(r, object, &lp_members_bounds, f);
	if (status < 0)
		return status;
	f->cause = lp_cause_find(f->words.name);
	evidence = lp_member_array(r, object, "evidence");
	f->n_evidence = json_array_size(evidence);
	f->evidence = evidence ? lp_member_room(r, f->n_evidence,
						sizeof(*f->evidence))
			       : NULL;
	if (!f->evidence)
		return -EINVAL;
	return lp_members_each(r, object, "evidence", read_evidence, f);
}

/* ---- what was compared ---- */

static int read_by(struct lp_member_reader *r, const json_t *object,
		   enum lp_peers_by *by)
{
	const char *name = json_string_value(json_object_get(object, "by"));

	for (enum lp_peers_by i = 0; name && i < LP_PEERS_BYS; i++)
		if (strcmp(lp_peers_by_names[i], name) == 0) {
			*by = i;
			return 0;
		}
	return lp_member_bad(r, "by", "must be stated, load or names");
}

/* user: whether they have values. */
static int read_comparison(struct lp_member_reader *r, const json_t *object,
			   size_t i, void *user)
{
	const json_t *value = json_object_get(object, "order");
	json_int_t order =
		json_is_integer(value) ? json_integer_value(value) : -1;
	struct lp_comparison *c;
	int status;

	(void)i;
	if (order < 0 || (size_t)order >= r->into->n_comparisons)
		return lp_member_bad(r, "order", "is none of the comparisons");
	c = &r->into->comparisons[order];
	if (c->group)
		return lp_member_bad(r, "order", "is there twice");
	status = lp_table_read(r, object, &lp_members_comparison, c);
	c->values = *(const bool *)user;
	return status ? status : read_by(r, object, &c->by);
}

static int read_comparisons(struct lp_member_reader *r, const json_t *root)
{
	bool values = true, none = false;
	struct lp_findings *to = r->into;
	int status;

	to->n_comparisons = json_array_size(json_object_get(root, "compared")) +
			    json_array_size(json_object_get(root, "no_values"));
	to->comparisons =
		lp_member_room(r, to->n_comparisons, sizeof(*to->comparisons));
	if (!to->comparisons)
		return -ENOMEM;
	status = lp_members_each(r, root, "compared", read_comparison, &values);
	return status ? status
		      : lp_members_each(r, root, "no_values", read_comparison,
					&none);
}

/* ---- plain lists ---- */

struct list {
	const struct lp_member_table *table;
	char *items;
	size_t size;
};

static int read_item(struct lp_member_reader *r, const json_t *object, size_t i,
		     void *user)
{
	const struct list *list = user;

	return lp_table_read(r, object, list->table,
			     list->items + i * list->size);
}

/* items points to an array of structs of this size. */
static int read_list(struct lp_member_reader *r, const json_t *root,
		     const char *key, const struct lp_member_table *table,
		     void *items, size_t size, size_t *n)
{
	const json_t *array = lp_member_array(r, root, key);
	struct list list = { .table = table, .size = size };

	*n = json_array_size(array);
	list.items = array ? lp_member_room(r, *n, size) : NULL;
	if (!list.items)
		return -EINVAL;
	memcpy(items, &list.items, sizeof(list.items));
	return lp_members_each(r, root, key, read_item, &list);
}

static int read_notes(struct lp_member_reader *r, const json_t *root)
{
	static const struct lp_member notes[] = {
		LP_MEMBER_LIST("notes", struct lp_findings, notes, n_notes),
	};

	return lp_members_read(r, root, notes, 1, r->into);
}

/* Products of the step with windows are shown. */
static int check_methods(struct lp_member_reader *r)
{
	const struct lp_findings *to = r->into;
	int64_t product;

	for (size_t i = 0; i < to->n_methods; i++)
		if (__builtin_mul_overflow((int64_t)to->methods[i].window,
					   to->step_ns, &product) ||
		    __builtin_mul_overflow((int64_t)to->methods[i].shift,
					   to->step_ns, &product))
			return lp_member_bad(r, "methods",
					     "have windows that are too long");
	return 0;
}

static int read_lists(struct lp_member_reader *r, const json_t *root)
{
	struct lp_findings *to = r->into;
	int status = read_comparisons(r, root);

	if (status == 0)
		status = read_list(r, root, "methods", &lp_members_method,
				   &to->methods, sizeof(*to->methods),
				   &to->n_methods);
	if (status == 0)
		status = check_methods(r);
	if (status == 0)
		status = read_list(r, root, "hourly", &lp_members_hourly,
				   &to->hourly, sizeof(*to->hourly),
				   &to->n_hourly);
	if (status == 0)
		status = read_list(r, root, "left_out", &lp_members_left_out,
				   &to->left_out, sizeof(*to->left_out),
				   &to->n_left_out);
	return status ? status : read_notes(r, root);
}

/* ---- the whole ---- */

static int check_version(struct lp_member_reader *r, const json_t *root)
{
	const char *format = json_string_value(json_object_get(root, "format"));
	const json_t *version = json_object_get(root, "version");

	if (!format && json_is_object(root) &&
	    json_integer_value(version) == 1 &&
	    json_object_get(root, "verdict"))
		return lp_member_bad(r, NULL,
				     "this is the output of 'limpid diagnose "
				     "--json'; 'limpid report' reads what "
				     "--findings writes");
	if (!format || strcmp(format, LP_FINDINGS_FORMAT) != 0)
		return lp_member_bad(r, NULL,
				     "not a file of findings: 'limpid diagnose "
				     "--findings' writes one");
	if (!json_is_integer(version) ||
	    json_integer_value(version) < LP_FINDINGS_VERSION)
		return lp_member_bad(r, "version", "must be 2");
	if (json_integer_value(version) > LP_FINDINGS_VERSION)
		return lp_member_bad(r, "version",
				     "a newer limpid wrote this; this one "
				     "reads version 2");
	return 0;
}

static int read_outcome(struct lp_member_reader *r, const json_t *root)
{
	const char *name = json_string_value(json_object_get(root, "verdict"));

	for (enum lp_outcome i = 0; name && i < LP_OUTCOMES; i++)
		if (strcmp(lp_outcome_name(i), name) == 0) {
			r->into->outcome = i;
			return 0;
		}
	return lp_member_bad(r, "verdict", "must be fault, none or undecided");
}

static int read_reason(struct lp_member_reader *r, const json_t *root)
{
	static const struct lp_member reason[] = {
		LP_MEMBER("reason", TEXT_OR, struct lp_findings, reason),
	};
	int status = lp_members_read(r, root, reason, 1, r->into);

	if (!r->into->reason)
		r->into->reason = "";
	return status;
}

static int read_findings(struct lp_member_reader *r, const json_t *root)
{
	const json_t *array = lp_member_array(r, root, "findings");

	r->into->n = json_array_size(array);
	r->into->items =
		array ? lp_member_room(r, r->into->n, sizeof(*r->into->items))
		      : NULL;
	if (!r->into->items)
		return -EINVAL;
	if ((r->into->outcome == LP_OUTCOME_FAULT) != (r->into->n > 0))
		return lp_member_bad(r, "verdict",
				     "is a fault if there are findings");
	return lp_members_each(r, root, "findings", read_finding, NULL);
}

static int read_all(struct lp_member_reader *r, const json_t *root)
{
	int status = check_version(r, root);

	if (status == 0)
		status = read_outcome(r, root);
	if (status == 0)
		status = read_reason(r, root);
	if (status == 0)
		status = lp_table_read(r, root, &lp_members_findings, r->into);
	if (status == 0)
		status = read_findings(r, root);
	if (status == 0)
		status = read_lists(r, root);
	return status ? status : lp_map_read(r, root, &r->into->map);
}

/* Takes the tree. */
static int take(const char *name, json_t *root, const json_error_t *why,
		const struct lp_evidence_kind *const *kinds,
		struct lp_findings *findings, struct lp_error *err)
{
	struct lp_findings read = { .reason = "", .trained_on = "" };
	struct reader r = { .base = { .name = name, .into = &read, .err = err },
			    .kinds = kinds };
	int status;

	/* A recording, an empty file: it is not even the beginning of one. */
	if (!root && why->line > 0 && why->position <= 1)
		return lp_fail(err, EINVAL,
			       "%s: this holds no findings; 'limpid diagnose "
			       "--findings FILE' writes a file that does",
			       name);
	if (!root && why->line <= 0)
		return lp_fail(err, EINVAL, "%s: %s", name, why->text);
	if (!root)
		return lp_fail(err, EINVAL, "%s: line %d, column %d: %s", name,
			       why->line, why->column, why->text);
	status = read_all(&r.base, root);
	json_decref(root);
	if (status < 0)
		lp_findings_done(&read);
	else
		*findings = read;
	return status;
}

int lp_findings_parse(const char *name, const char *text, size_t n,
		      const struct lp_evidence_kind *const *kinds,
		      struct lp_findings *findings, struct lp_error *err)
{
	json_error_t why = { .line = 0 };
	json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &why);

	return take(name, root, &why, kinds, findings, err);
}

int lp_findings_read(const char *path,
		     const struct lp_evidence_kind *const *kinds,
		     struct lp_findings *findings, struct lp_error *err)
{
	bool piped = lp_is_stdin(path);
	json_error_t why = { .line = 0 };
	FILE *in;
	json_t *root;
	int fd = piped ? lp_stdin_take(err) : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return piped ? fd : lp_fail_errno(err, errno, "%s", path);
	in = fdopen(fd, "r");
	if (!in) {
		close(fd);
		return lp_fail_memory(err);
	}
	root = json_loadf(in, JSON_REJECT_DUPLICATES, &why);
	if (ferror(in)) {
		int status = lp_fail_errno(err, errno, "%s", path);

		json_decref(root);
		fclose(in);
		return status;
	}
	fclose(in);
	return take(piped ? "standard input" : path, root, &why, kinds,
		    findings, err);
}
