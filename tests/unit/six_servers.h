/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Six servers with a disk, an interface and sockets each; a test makes one of
 * them ill, and the finding must bear its name and the right word.
 */
#ifndef LP_TESTS_SIX_SERVERS_H
#define LP_TESTS_SIX_SERVERS_H

#include "fake_stream.h"

#include "diagnose/diagnose.h"

#define S LP_NS_PER_S
#define HOSTS 6
#define SECONDS 780
#define SICK_FROM 200
#define SICK_TO 450

/* What one server does in one second. */
struct second {
	double ios, sectors, latency_ms, received, sent, cwnd, again;
	bool missing;
};

typedef void illness(struct second *s, int host, int t);

static inline double uniform(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (double)(*seed >> 8) / (1 << 24);
}

static inline struct second healthy(uint32_t *seed, double load)
{
	double ios = load * (0.9 + 0.2 * uniform(seed));

	return (struct second){
		.ios = ios,
		.sectors = ios * 256,
		.latency_ms = 5 + 2 * uniform(seed),
		.received = ios * 60000 * (0.9 + 0.2 * uniform(seed)),
		.sent = ios * 70000 * (0.9 + 0.2 * uniform(seed)),
		.cwnd = 60 + 40 * uniform(seed),
	};
}

static inline bool is_sick_time(int t)
{
	return t >= SICK_FROM && t < SICK_TO;
}

/* ---- the stream ---- */

static inline void put(struct lp_builder *b, const struct lp_class *class,
		       const char *name, const char *column, double v)
{
	size_t panel = lp_builder_panel(b, class);
	struct lp_row row;

	lp_builder_row(b, panel, name, strlen(name), &row);
	for (size_t c = 0; c < class->n_columns; c++)
		if (strcmp(class->columns[c].name, column) == 0) {
			if (class->columns[c].type == LP_F64)
				lp_row_f64(&row, c, v);
			else
				lp_row_u64(&row, c, (uint64_t)v);
		}
}

struct totals {
	double ios, sectors, ms, received, sent, again;
};

static inline void put_second(struct lp_builder *b, struct totals *sum,
			      const struct second *s)
{
	const struct lp_class *disk = &lp_class_disk, *net = &lp_class_net;

	sum->ios += floor(s->ios);
	sum->sectors += floor(s->sectors);
	sum->ms += floor(s->ios) * s->latency_ms;
	sum->received += s->received;
	sum->sent += s->sent;
	sum->again += s->again;
	put(b, disk, "sdb", "rd_ios", sum->ios);
	put(b, disk, "sdb", "rd_sectors", sum->sectors);
	put(b, disk, "sdb", "rd_ms", sum->ms);
	put(b, disk, "sdb", "wr_ios", 0);
	put(b, disk, "sdb", "wr_sectors", 0);
	put(b, disk, "sdb", "wr_ms", 0);
	put(b, net, "eth0", "rx_bytes", sum->received);
	put(b, net, "eth0", "tx_bytes", sum->sent);
	put(b, &lp_class_tcp, "2049>c", "cwnd", s->cwnd);
	put(b, &lp_class_tcp, "2049>c", "sockets", 4);
	put(b, &lp_class_tcp, "2049>c", "active", 4);
	put(b, &lp_class_tcp, "2049>c", "retrans", sum->again);
}

static inline const char *host_name(int host)
{
	static const char *const names[] = {
		"s1", "s2", "s3", "s4", "s5", "s6"
	};

	return names[host];
}

struct world {
	illness *ill;
	const struct lp_event *event;
	double load; /* requests a second */
	struct lp_survey recording;
	struct lp_matrix *matrix;
	struct lp_plan plan;
	struct lp_peer_group groups[3];
	struct lp_peer peers[3][HOSTS];
	size_t parts[3][HOSTS];
	struct lp_diagnosis d;
};

static inline struct lp_stream *make_stream(const struct world *w)
{
	struct fake_stream *fake = fake_new();

	for (int host = 0; host < HOSTS; host++) {
		struct lp_builder *b = lp_builder_new(host_name(host));
		struct totals sum = { 0 };
		uint32_t seed = (uint32_t)host + 1, shared = 99;

		for (int t = 0; t < SECONDS; t++) {
			double load = w->load * (0.7 + 0.6 * uniform(&shared));
			struct second s = healthy(&seed, load);

			if (w->ill)
				w->ill(&s, host, t);
			if (s.missing)
				continue;
			lp_builder_tick(b, (100000 + t) * S);
			put_second(b, &sum, &s);
		}
		fake_chunk(fake, b);
	}
	if (w->event)
		fake_event(fake, w->event);
	return &fake->stream;
}

static inline const struct lp_matrix_metric *wanted(void)
{
	static struct lp_matrix_metric list[10];
	static const struct {
		const struct lp_class *class;
		const char *name;
	} names[] = {
		{ &lp_class_disk, "rd_sec" }, { &lp_class_disk, "wr_sec" },
		{ &lp_class_disk, "await" },  { &lp_class_disk, "tps" },
		{ &lp_class_net, "rxbyt" },   { &lp_class_net, "txbyt" },
		{ &lp_class_tcp, "cwnd" },    { &lp_class_tcp, "sockets" },
		{ &lp_class_tcp, "retrans" },
	};

	for (size_t i = 0; i < lp_array_size(names); i++)
		list[i] = (struct lp_matrix_metric){
			names[i].class,
			lp_class_metric(names[i].class, names[i].name)
		};
	return list;
}

static inline size_t number_of(const struct world *w,
			       const struct lp_class *class, const char *host)
{
	for (size_t i = 0; i < lp_matrix_components(w->matrix); i++) {
		const struct lp_matrix_component *c =
			lp_matrix_component(w->matrix, i);

		if (c->class == class && strcmp(c->host, host) == 0)
			return i;
	}
	fail();
	return 0;
}

/* A plan by hand: the disks, the interfaces, the sockets. */
static inline void make_plan(struct world *w)
{
	static const struct lp_class *const classes[] = { &lp_class_disk,
							  &lp_class_net,
							  &lp_class_tcp };
	static const char *const labels[3][HOSTS] = {
		{ "s1/sdb", "s2/sdb", "s3/sdb", "s4/sdb", "s5/sdb", "s6/sdb" },
		{ "s1/eth0", "s2/eth0", "s3/eth0", "s4/eth0", "s5/eth0",
		  "s6/eth0" },
		{ "s1>c", "s2>c", "s3>c", "s4>c", "s5>c", "s6>c" },
	};

	for (size_t g = 0; g < 3; g++) {
		for (int h = 0; h < HOSTS; h++) {
			w->parts[g][h] = number_of(w, classes[g], host_name(h));
			w->peers[g][h] = (struct lp_peer){
				.label = labels[g][h],
				.lasting = labels[g][h],
				.host = host_name(h),
				.parts = &w->parts[g][h],
				.n_parts = 1,
				.own = LP_NO_GROUP,
			};
		}
		w->groups[g] = (struct lp_peer_group){
			.name = labels[g][0],
			.class = classes[g],
			.sockets = g == 2 ? LP_SOCKETS_TO_CLIENTS
					  : LP_SOCKETS_NONE,
			.priority = "",
			.cohort = "",
			.peers = w->peers[g],
			.components = w->parts[g],
			.labels = (const char **)(uintptr_t)labels[g],
			.n = HOSTS,
		};
	}
	w->plan = (struct lp_plan){ .groups = w->groups,
				    .n_groups = 3,
				    .refusal_text = "" };
}

static inline struct lp_diagnose_input input_of(const struct world *w)
{
	return (struct lp_diagnose_input){ .matrix = w->matrix,
					   .metrics = wanted(),
					   .step_ns = S,
					   .plan = &w->plan,
					   .recording = &w->recording };
}

/* By cdf and cwnd, of which these tests are, unless others are asked for. */
static inline void diagnose_with(struct world *w,
				 const struct lp_diagnose_options *given)
{
	const struct lp_detector *methods[LP_DETECTORS_MOST];
	struct lp_diagnose_options options = *given;
	struct lp_matrix_options how = { .step_ns = S,
					 .since_ns = LP_TIME_MIN,
					 .until_ns = LP_TIME_MAX,
					 .metrics = wanted() };
	struct lp_stream *stream;
	struct lp_diagnose_input input;
	struct lp_error err;

	if (w->load == 0)
		w->load = 100;
	stream = make_stream(w);
	w->recording.parts = LP_SURVEY_PEERS;
	assert_int_equal(lp_survey_run(&w->recording, stream, &err), 0);
	lp_stream_close(stream);
	lp_survey_finish(&w->recording);
	stream = make_stream(w);
	w->matrix = lp_matrix_new(&how);
	assert_int_equal(lp_matrix_take(w->matrix, stream, &err), 0);
	lp_stream_close(stream);
	make_plan(w);
	input = input_of(w);
	lp_detectors_trained(methods);
	if (!options.methods)
		options.methods = methods;
	assert_int_equal(lp_diagnose(&input, &options, &w->d, &err), 0);
}

static inline void diagnose(struct world *w)
{
	struct lp_diagnose_options options = { 0 };

	diagnose_with(w, &options);
}

static inline void done(struct world *w)
{
	lp_diagnosis_done(&w->d);
	lp_matrix_free(w->matrix);
	lp_survey_done(&w->recording);
}

static inline void assert_found(const struct world *w, const char *component,
				enum lp_cause cause)
{
	assert_int_equal(w->d.outcome, LP_OUTCOME_FAULT);
	assert_int_equal(w->d.n_findings, 1);
	assert_string_equal(w->d.findings[0].component, component);
	assert_string_equal(lp_cause_name(w->d.findings[0].cause),
			    lp_cause_name(cause));
}

#endif
