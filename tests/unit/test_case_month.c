/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A month of 1,008 disks through one case: its memory depends on how much is
 * kept, not on how long it runs.
 */
#include "unit.h"

#include "case/case.h"
#include "model/builder.h"
#include "stats/random.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#define S LP_NS_PER_S
#define HOSTS 12
#define DISKS 84
/* Sanitizers make it ten times as long. */
#if defined(__SANITIZE_ADDRESS__)
#define DAYS 6
#else
#define DAYS 30
#endif
#define MINUTES (24 * 60)
/* The chunk that a recorder writes: an hour. */
#define CHUNK 60
#define BEGIN_NS (1780272000 * S)

/* A disk that is slow on every third day, for some hours. */
#define SLOW_HOST 4
#define SLOW_DISK 17

struct disk {
	uint64_t ios, sectors, ms;
	struct lp_random random;
	char name[16];
};

static struct disk disks[HOSTS][DISKS];

static void host_name(int host, char name[16])
{
	snprintf(name, 16, "oss%d", host + 1);
}

static double latency(int host, int disk, int minute, struct disk *d)
{
	bool slow = host == SLOW_HOST && disk == SLOW_DISK &&
		    minute / MINUTES % 3 == 2 && minute % MINUTES > 600 &&
		    minute % MINUTES < 900;

	return (5 + 2 * lp_random_uniform(&d->random)) * (slow ? 6 : 1);
}

static const char *const columns[] = { "rd_ios", "rd_sectors", "rd_ms",
				       "wr_ios", "wr_sectors", "wr_ms" };
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
static size_t column_at[COLUMNS];

static void put_disk(struct lp_builder *b, size_t panel, int host, int disk,
		     int minute)
{
	struct disk *d = &disks[host][disk];
	uint64_t ios = 1000 + (uint64_t)(200 * lp_random_uniform(&d->random));
	uint64_t values[COLUMNS] = { d->ios += ios, d->sectors += ios * 256 };
	struct lp_row row;

	d->ms += (uint64_t)((double)ios * latency(host, disk, minute, d));
	values[2] = d->ms;
	lp_builder_row(b, panel, d->name, strlen(d->name), &row);
	for (size_t i = 0; i < COLUMNS; i++)
		lp_row_u64(&row, column_at[i], values[i]);
}

static void put_hour(struct lp_case *c, int host, int first)
{
	char name[16];
	struct lp_builder *b;
	struct lp_item item = { .kind = LP_ITEM_CHUNK };
	struct lp_error err;
	size_t panel;

	host_name(host, name);
	b = lp_builder_new(name);
	panel = lp_builder_panel(b, &lp_class_disk);
	for (int m = first; m < first + CHUNK; m++) {
		lp_builder_tick(b, BEGIN_NS + (int64_t)m * 60 * S);
		for (int d = 0; d < DISKS; d++)
			put_disk(b, panel, host, d, m);
	}
	item.chunk = lp_builder_chunk(b);
	assert_int_equal(lp_case_put(c, &item, &err), 0);
	lp_builder_free(b);
}

static struct lp_case *open_case(void)
{
	static struct lp_matrix_metric metrics[4];
	static const struct lp_detector *methods[LP_DETECTORS_MOST];
	struct lp_case_config config = {
		.step_ns = 60 * S,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.history_ns = 6 * 3600 * S,
		.metrics = metrics,
		.options.methods = methods,
	};
	struct lp_case *c = NULL;
	struct lp_error err;

	lp_detectors_trained(methods);
	metrics[0].class = metrics[1].class = &lp_class_disk;
	metrics[0].metric = lp_class_metric(&lp_class_disk, "await");
	metrics[1].metric = lp_class_metric(&lp_class_disk, "rd_sec");
	for (int h = 0; h < HOSTS; h++)
		for (int d = 0; d < DISKS; d++) {
			lp_random_init(&disks[h][d].random, 42,
				       (uint64_t)(h * DISKS + d));
			snprintf(disks[h][d].name, sizeof(disks[h][d].name),
				 "sd%d", d);
		}
	for (size_t i = 0; i < COLUMNS; i++)
		column_at[i] =
			(size_t)lp_class_column(&lp_class_disk, columns[i]);
	assert_int_equal(lp_case_open(&config, &c, &err), 0);
	return c;
}

/* Whether the slow disk is named, and nobody else. */
static bool names_the_slow_disk(struct lp_case *c)
{
	struct lp_diagnosis d;
	struct lp_error err;
	bool named = false;

	assert_int_equal(lp_case_findings(c, &d, &err), 0);
	for (size_t i = 0; i < d.n_findings; i++) {
		assert_string_equal(d.findings[i].component, "oss5/sd17");
		named = true;
	}
	lp_diagnosis_done(&d);
	return named;
}

/* In the morning all are healthy, and have been for the whole history. */
#define MORNING 600

struct memory {
	size_t at_first, mornings; /* the most of the first, of others */
	size_t cycle, peak; /* the most of the first illness, of others */
};

static void take_most(size_t *most, size_t now)
{
	*most = now > *most ? now : *most;
}

static void measure(struct memory *memory, int minute)
{
	size_t now = mallinfo2().uordblks;

	if (minute % MINUTES < MORNING)
		take_most(minute < 2 * MINUTES ? &memory->at_first
					       : &memory->mornings,
			  now);
	take_most(minute < 4 * MINUTES ? &memory->cycle : &memory->peak, now);
}

static void memory_stays_flat_for_a_month(void **state)
{
	struct lp_case *c = open_case();
	struct memory memory = { 0 };
	struct lp_error err;
	int named = 0;

	(void)state;
	for (int m = 0; m < DAYS * MINUTES; m += CHUNK) {
		int64_t horizon = BEGIN_NS + (int64_t)(m + CHUNK - 3) * 60 * S;

		for (int h = 0; h < HOSTS; h++)
			put_hour(c, h, m);
		assert_int_equal(lp_case_advance(c, horizon, &err), 0);
		if (m % MINUTES == 12 * 60)
			named += names_the_slow_disk(c);
		if (m >= MINUTES)
			measure(&memory, m);
	}
	lp_case_close(c);
	assert_int_equal(named, DAYS / 3);
	/* Sanitizers have an allocator of their own: all are 0 then. */
	printf("# on the second morning %zu KiB, on later ones %zu KiB\n",
	       memory.at_first / 1024, memory.mornings / 1024);
	assert_true((double)memory.mornings <= 1.02 * (double)memory.at_first);
	assert_true((double)memory.peak <= 1.02 * (double)memory.cycle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_stays_flat_for_a_month),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
