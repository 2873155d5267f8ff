/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings made up host by host: an inventory and some samples.
 */
#ifndef LP_TESTS_RECORDING_MAKER_H
#define LP_TESTS_RECORDING_MAKER_H

#include "fake_stream.h"

#include "cluster/cluster.h"

#define S LP_NS_PER_S
#define MAKER_MOST 64

/* What the components of the host at work move in a second, by counter. */
struct maker_rate {
	char class_name[8], name[64];
	uint64_t per_s;
};

struct maker {
	struct lp_survey recording;
	struct lp_matrix *matrix; /* made if `with_matrix` */
	bool with_matrix;
	struct lp_matrix_metric metrics[6];
	struct fake_stream *fake;
	struct lp_inventory *inventory;
	struct maker_rate rates[MAKER_MOST];
	size_t n_rates;
};

/* By index in the matrix: rd_sec, rxbyt, cwnd, sockets, active. */
static inline const struct lp_matrix_metric *maker_metrics(struct maker *m)
{
	const struct lp_matrix_metric list[6] = {
		{ &lp_class_disk, lp_class_metric(&lp_class_disk, "rd_sec") },
		{ &lp_class_net, lp_class_metric(&lp_class_net, "rxbyt") },
		{ &lp_class_tcp, lp_class_metric(&lp_class_tcp, "cwnd") },
		{ &lp_class_tcp, lp_class_metric(&lp_class_tcp, "sockets") },
		{ &lp_class_tcp, lp_class_metric(&lp_class_tcp, "active") },
		{ NULL, NULL },
	};

	memcpy(m->metrics, list, sizeof(list));
	return m->metrics;
}

static inline void maker_host(struct maker *m, const char *host,
			      const char *addresses)
{
	if (!m->fake)
		m->fake = fake_new();
	m->inventory = lp_inventory_new(host, 0);
	m->n_rates = 0;
	lp_inventory_label(m->inventory, &m->inventory->labels, "addresses",
			   addresses);
}

static inline void maker_tell(struct maker *m, const char *key,
			      const char *value)
{
	size_t last = m->inventory->n_components - 1;

	lp_inventory_label(m->inventory, &m->inventory->components[last].labels,
			   key, value);
}

static inline void maker_add(struct maker *m, const char *class_name,
			     const char *name, const char *size, uint64_t per_s)
{
	struct maker_rate *rate = &m->rates[m->n_rates++];

	snprintf(rate->class_name, sizeof(rate->class_name), "%s", class_name);
	snprintf(rate->name, sizeof(rate->name), "%s", name);
	rate->per_s = per_s;
	if (strcmp(class_name, "tcp") == 0)
		return;
	lp_inventory_add(m->inventory, class_name, name);
	maker_tell(m, "layer",
		   strcmp(class_name, "net") == 0 ? "port" : "disk");
	maker_tell(m,
		   strcmp(class_name, "net") == 0 ? "speed_mbit" : "size_bytes",
		   size);
}

static inline void maker_sample(const struct maker_rate *rate,
				struct lp_builder *builder, uint64_t t)
{
	size_t panel =
		lp_builder_panel(builder, lp_class_find(rate->class_name));
	struct lp_row row;

	lp_builder_row(builder, panel, rate->name, strlen(rate->name), &row);
	if (strcmp(rate->class_name, "disk") == 0) {
		lp_row_u64(&row, 2, t * rate->per_s); /* rd_sectors */
		lp_row_u64(&row, 6, 0);
	} else if (strcmp(rate->class_name, "net") == 0) {
		lp_row_u64(&row, 0, t * rate->per_s); /* rx_bytes */
	} else {
		/* So many sockets, all active, with a window of as many. */
		lp_row_u64(&row, 0, rate->per_s);
		lp_row_u64(&row, 1, rate->per_s);
		lp_row_f64(&row, 2, (double)rate->per_s);
		lp_row_u64(&row, 8, t * rate->per_s); /* bytes_sent */
	}
}

/* Samples from `first` on, `n` of them, every `interval` seconds. */
static inline const struct lp_chunk *maker_samples(struct maker *m,
						   struct lp_builder *builder,
						   int64_t first, int64_t n,
						   int64_t interval)
{
	for (int64_t i = 0; i < n; i++) {
		lp_builder_tick(builder, (first + i * interval) * S);
		for (size_t r = 0; r < m->n_rates; r++)
			maker_sample(&m->rates[r], builder,
				     (uint64_t)(i * interval));
	}
	return lp_builder_chunk(builder);
}

static inline void maker_end(struct maker *m, int64_t first, int64_t n,
			     int64_t interval)
{
	struct lp_builder *builder = lp_builder_new(m->inventory->host);

	maker_samples(m, builder, first, n, interval);
	fake_inventory(m->fake, m->inventory);
	if (n > 0)
		fake_chunk(m->fake, builder);
	else
		lp_builder_free(builder);
	m->inventory = NULL;
}

static inline void maker_read(struct maker *m)
{
	struct lp_matrix_options options = { .step_ns = S,
					     .since_ns = LP_TIME_MIN,
					     .until_ns = LP_TIME_MAX,
					     .metrics = maker_metrics(m) };
	struct lp_stream *stream;

	if (!m->fake)
		m->fake = fake_new();
	stream = &m->fake->stream;
	m->recording.parts = LP_SURVEY_PEERS;
	assert_int_equal(lp_survey_run(&m->recording, stream, NULL), 0);
	lp_survey_finish(&m->recording);
	m->fake->next = 0;
	if (m->with_matrix) {
		m->matrix = lp_matrix_new(&options);
		assert_int_equal(lp_matrix_take(m->matrix, stream, NULL), 0);
	}
}

static inline struct lp_plan maker_plan(struct maker *m,
					const struct lp_cluster *cluster)
{
	struct lp_plan plan;
	struct lp_error err = { "" };

	maker_read(m);
	if (lp_cluster_plan(cluster, &m->recording, m->matrix, &plan, &err) < 0)
		fail_msg("%s", err.text);
	return plan;
}

static inline void maker_done(struct maker *m, struct lp_plan *plan)
{
	if (plan)
		lp_plan_done(plan);
	lp_survey_done(&m->recording);
	lp_matrix_free(m->matrix);
	lp_stream_close(&m->fake->stream);
}

/* The group of this class and kind that holds the label, or NULL. */
static inline const struct lp_peer_group *maker_group(
	const struct lp_plan *plan, const struct lp_class *class,
	enum lp_peers kind, const char *label)
{
	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0; i < plan->groups[g].n; i++)
			if (plan->groups[g].class == class &&
			    plan->groups[g].kind == kind &&
			    strcmp(plan->groups[g].labels[i], label) == 0)
				return &plan->groups[g];
	return NULL;
}

static inline const char *maker_left_out(const struct lp_plan *plan,
					 const char *label)
{
	for (size_t i = 0; i < plan->n_left_out; i++)
		if (strcmp(plan->left_out[i].label, label) == 0)
			return plan->left_out[i].reason;
	return "";
}

#endif
