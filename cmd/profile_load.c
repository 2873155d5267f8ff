/* SPDX-License-Identifier: Apache-2.0 */
#include "profile_words.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

static int bad_counts(const struct lp_counts *c, struct lp_error *err)
{
	char at[LP_TIME_TEXT];

	return lp_fail(err, EBADMSG, "the profile of %s at %s is damaged",
		       c->host ? c->host : "?", lp_time_format(c->from_ns, at));
}

static int take(struct lp_profiles *p, const struct lp_counts *c,
		struct lp_error *err)
{
	int64_t since = p->period.since_ns, until = p->period.until_ns;
	int status = lp_collection_add(&p->samples, c, since, until);

	if (status == 0)
		status = lp_collection_add(&p->waits, c, since, until);
	if (status == 0)
		status = lp_stacks_add(&p->stacks, c, since, until);
	if (status == -EINVAL)
		return bad_counts(c, err);
	return status < 0 ? lp_fail_memory(err) : 0;
}

static void find_bounds(struct lp_profiles *p)
{
	p->first_ns = INT64_MAX;
	p->last_ns = INT64_MIN;
	for (size_t i = 0; i < p->samples.n_hosts; i++) {
		const struct lp_behavior_host *h = &p->samples.hosts[i];
		int64_t last;

		if (h->n == 0)
			continue;
		last = h->slots[h->n - 1].time_ns + LP_PROFILE_SLOT_NS;
		if (h->slots[0].time_ns < p->first_ns)
			p->first_ns = h->slots[0].time_ns;
		if (last > p->last_ns)
			p->last_ns = last;
	}
}

static int read_all(struct lp_profiles *p, struct lp_error *err)
{
	struct lp_stream *stream;
	struct lp_item item;
	int status;

	status = lp_inputs_open(&p->inputs, &stream, err);
	if (status < 0)
		return status;
	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		if (item.counts)
			status = take(p, item.counts, err);
		if (status < 0)
			break;
	}
	lp_stream_close(stream);
	find_bounds(p);
	if (status == 0 && p->first_ns > p->last_ns)
		return lp_fail(err, ENODATA,
			       "there is no profile in these files and this "
			       "time; 'limpid profile record' makes one");
	return status;
}

int lp_profiles_load(struct lp_profiles *p,
		     const struct lp_profile_options *options, char **paths,
		     bool for_programs, bool *wrong, struct lp_error *err)
{
	int status;

	p->samples.kind = LP_PROFILE_SAMPLES;
	p->waits.kind = LP_PROFILE_WAITS;
	*wrong = true;
	if (lp_input_options_check(&options->input, err) < 0 ||
	    lp_period_begin(&p->period, &options->period, for_programs, err) <
		    0)
		return -EINVAL;
	*wrong = false;
	lp_inputs_begin(&p->inputs, &options->input);
	for (status = 0; *paths && status == 0; paths++)
		status = lp_inputs_add(&p->inputs, *paths, err);
	if (status == 0)
		status = lp_period_resolve(&p->period, &options->period,
					   &p->inputs, wrong, err);
	if (status == 0)
		status = read_all(p, err);
	if (status == 0) {
		status = lp_host_filter_check(&p->inputs.hosts, err);
		*wrong = status < 0;
	}
	return status;
}

void lp_profiles_done(struct lp_profiles *p, struct lp_profile_options *options)
{
	lp_collection_done(&p->samples);
	lp_collection_done(&p->waits);
	lp_stacks_done(&p->stacks);
	lp_inputs_done(&p->inputs);
	lp_input_options_done(&options->input);
}
