/* SPDX-License-Identifier: Apache-2.0 */
#include "case_state.h"

#include "state_file.h"

#include "base/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lp_case_state_check(const char *path, const struct lp_option_list *include,
			struct lp_error *err)
{
	if (path && lp_is_stdout(path))
		return lp_fail(err, EINVAL, "--state needs the name of a file");
	if (!path && include->count)
		return lp_fail(err, EINVAL,
			       "--include is about what --state excludes: add "
			       "--state FILE");
	return 0;
}

int lp_case_state_open(struct lp_case_state *s, const char *path,
		       struct lp_case_files *c, struct lp_error *err)
{
	int status;

	if (!path)
		return 0;
	s->path = path;
	status = lp_state_read(path, &s->before, err);
	if (status == 0 && s->before.whole) {
		c->state_path = path;
		c->state_from_ns = s->before.from_ns;
	}
	return status;
}

void lp_case_state_done(struct lp_case_state *s)
{
	lp_state_done(&s->before);
	lp_state_done(&s->left);
	free(s->resets);
	free(s->exclude);
}

/* ---- names ---- */

static const struct lp_peer *find_peer(const struct lp_plan *plan,
				       const char *name, bool lasting)
{
	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0; i < plan->groups[g].n; i++) {
			const struct lp_peer *p = &plan->groups[g].peers[i];

			if (strcmp(lasting ? p->lasting : p->label, name) == 0)
				return p;
		}
	return NULL;
}

/* What is no peer, as a host, stays as it is. */
static const char *lasting_of(const struct lp_case_files *c, const char *label)
{
	const struct lp_peer *p = find_peer(c->input.plan, label, false);

	return p ? p->lasting : label;
}

static const char *label_of(const struct lp_case_files *c, const char *lasting)
{
	const struct lp_peer *p = find_peer(c->input.plan, lasting, true);

	return p ? p->label : lasting;
}

/* ---- exclusions ---- */

static bool has(const struct lp_option_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->text[i], name) == 0)
			return true;
	return false;
}

static int check_include(const struct lp_case_state *s,
			 const struct lp_case_files *c,
			 const struct lp_option_list *include,
			 struct lp_error *err)
{
	for (size_t i = 0; i < include->count; i++)
		if (lp_names_find(&s->before.excluded,
				  lasting_of(c, include->text[i])) ==
		    LP_NAME_NONE)
			return lp_fail(err, ENOENT,
				       "--include: %s does not exclude '%s'",
				       s->path, include->text[i]);
	return 0;
}

static void note_excluded(struct lp_case_files *c, const char *label)
{
	size_t used = strlen(c->exclude_note), room = sizeof(c->exclude_note);

	snprintf(c->exclude_note + used, room - used, "%s %s",
		 used ? "" : "not accused, because of --state:", label);
}

static int apply_excluded(struct lp_case_state *s, struct lp_case_files *c,
			  const struct lp_option_list *include,
			  struct lp_diagnose_options *options)
{
	size_t given = 0, n = 0;

	while (options->exclude && options->exclude[given])
		given++;
	s->exclude = calloc(given + s->before.excluded.count + 1,
			    sizeof(*s->exclude));
	if (!s->exclude)
		return -ENOMEM;
	for (; n < given; n++) {
		s->exclude[n] = options->exclude[n];
		if (lp_names_add(&s->left.excluded,
				 lasting_of(c, s->exclude[n])) == LP_NAME_NONE)
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < s->before.excluded.count; i++) {
		const char *lasting = s->before.excluded.text[i];
		const char *label = label_of(c, lasting);

		if (has(include, label) ||
		    lp_names_find(&s->left.excluded, lasting) != LP_NAME_NONE)
			continue;
		s->exclude[n++] = label;
		note_excluded(c, label);
		if (lp_names_add(&s->left.excluded, lasting) == LP_NAME_NONE)
			return -ENOMEM;
	}
	options->exclude = s->exclude;
	return 0;
}

/* ---- resets ---- */

/* Those that the state has counted are done; later ones are still to come. */
static int apply_resets(struct lp_case_state *s, const struct lp_case_files *c,
			struct lp_diagnose_options *options)
{
	const struct lp_state *before = &s->before;
	size_t n = 0;

	s->resets = calloc(options->n_resets + before->n_resets + 1,
			   sizeof(*s->resets));
	if (!s->resets)
		return -ENOMEM;
	for (size_t i = 0; i < options->n_resets; i++) {
		const struct lp_reset *r = &options->resets[i];
		const char *lasting = lasting_of(c, r->component);

		if (!lp_state_has_reset(before, lasting, r->time_ns))
			s->resets[n++] = *r;
		if (lp_state_reset(&s->left, lasting, r->time_ns) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < before->n_resets; i++) {
		const struct lp_state_reset *r = &before->resets[i];

		if (r->time_ns > before->until_ns)
			s->resets[n++] =
				(struct lp_reset){ label_of(c, r->lasting),
						   r->time_ns };
		if (lp_state_reset(&s->left, r->lasting, r->time_ns) < 0)
			return -ENOMEM;
	}
	options->resets = s->resets;
	options->n_resets = n;
	return 0;
}

/* ---- the whole ---- */

static struct lp_detector_params params_of(const struct lp_case_files *c)
{
	return lp_detector_params_at(lp_detector_main(c->options.methods),
				     &c->options.params, c->input.step_ns);
}

static int check_period(const struct lp_case_state *s,
			const struct lp_case_files *c, struct lp_error *err)
{
	struct lp_detector_params p = params_of(c);
	int64_t period = (int64_t)p.shift * c->input.step_ns;
	char theirs[LP_TIME_TEXT], ours[LP_TIME_TEXT];

	if (!s->before.whole || s->before.period_ns == period)
		return 0;
	return lp_fail(err, EINVAL,
		       "%s: its windows are %s apart, and those of this "
		       "diagnosis %s: choose the same step with -i, or begin "
		       "with a new file",
		       s->path, lp_duration_format(s->before.period_ns, theirs),
		       lp_duration_format(period, ours));
}

int lp_case_state_apply(struct lp_case_state *s, struct lp_case_files *c,
			const struct lp_option_list *include,
			struct lp_diagnose_options *options,
			struct lp_error *err)
{
	int status;

	if (!s->path)
		return 0;
	status = check_include(s, c, include, err);
	if (status == 0)
		status = check_period(s, c, err);
	if (status < 0)
		return status;
	if (apply_excluded(s, c, include, options) < 0 ||
	    apply_resets(s, c, options) < 0)
		return lp_fail_memory(err);
	options->state = s->before.whole ? &s->before : NULL;
	options->left = &s->left;
	return 0;
}

/* What the first windows after the end look back at, and a little more. */
static int64_t tail_ns(const struct lp_case_files *c)
{
	struct lp_detector_params p = params_of(c);

	return lp_detector_looks_back(lp_detector_main(c->options.methods), &p,
				      c->input.step_ns) +
	       2 * c->input.step_ns;
}

int lp_case_state_write(struct lp_case_state *s, struct lp_case_files *c,
			struct lp_error *err)
{
	if (!s->path)
		return 0;
	s->left.from_ns = s->left.until_ns - tail_ns(c);
	return lp_state_write(s->path, &s->left, &c->inputs, c->period.until_ns,
			      err);
}
