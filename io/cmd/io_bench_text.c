/* SPDX-License-Identifier: Apache-2.0 */
#include "io_bench.h"

#include "base/json.h"
#include "base/number.h"
#include "stats/quantile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
	stopped = number;
}

const volatile sig_atomic_t *lp_io_bench_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	return &stopped;
}

void lp_io_bench_measure(const struct lp_io_trace *trace,
			 struct lp_io_bench_numbers *numbers)
{
	lp_auto_free double *ns =
		malloc((trace->n_operations + 1) * sizeof(*ns));
	double sum = 0, bytes = 0;

	*numbers = (struct lp_io_bench_numbers){ .n = trace->n_operations };
	for (size_t i = 0; ns && i < trace->n_operations; i++) {
		ns[i] = (double)trace->operation[i].duration_ns;
		sum += ns[i];
		bytes += trace->operation[i].result > 0
				 ? (double)trace->operation[i].result
				 : 0;
	}
	if (!ns || trace->n_operations == 0)
		return;
	numbers->mean_ns = sum / (double)trace->n_operations;
	numbers->median_ns = lp_quantile(ns, trace->n_operations, 0.5);
	numbers->p99_ns = lp_quantile(ns, trace->n_operations, 0.99);
	numbers->bytes_per_s = sum > 0 ? bytes / sum * 1e9 : 0;
}

/* "146K", "4.2G": as in tables of throughput. */
static const char *short_bytes(double v, char text[16])
{
	static const char units[] = " KMGTP";
	size_t unit = 0;

	for (; v >= 1000 && unit < sizeof(units) - 2; unit++)
		v /= 1024;
	snprintf(text, 16, v < 10 && unit > 0 ? "%.1f%.1s" : "%.0f%.1s", v,
		 unit ? &units[unit] : "");
	return text;
}

static double resident_share(const struct lp_bench_result *result)
{
	if (result->before.pages == 0)
		return NAN;
	return (double)result->before.resident / (double)result->before.pages;
}

void lp_io_bench_line(FILE *out, const struct lp_bench_run *run,
		      const struct lp_bench_result *result)
{
	char memory[LP_LAYOUT_TEXT], file[LP_LAYOUT_TEXT], size[16], rate[16];
	struct lp_io_bench_numbers n;

	if (!run) {
		fprintf(out, "%-8s%-9s%-7s%5s %-9s%-9s%-6s%7s%10s%9s%6s\n",
			"op", "state", "access", "size", "memory", "file",
			"tasks", "ops", "median us", "p99 us", "B/s");
		return;
	}
	lp_io_bench_measure(result->trace, &n);
	fprintf(out,
		"%-8s%-9s%-7s%5s %-9s%-9s%2" PRIu64 "x%-3" PRIu64
		"%7zu%10.2f%9.2f%6s\n",
		lp_bench_operation_name(run->operation),
		lp_bench_state_name(run->state),
		lp_bench_access_name(run->access),
		short_bytes((double)run->size, size),
		lp_layout_name(&run->memory, memory),
		lp_layout_name(&run->file, file), run->processes, run->threads,
		n.n, n.median_ns / 1e3, n.p99_ns / 1e3,
		short_bytes(n.bytes_per_s, rate));
	fflush(out);
}

static void put_run(struct lp_json *json, const struct lp_bench_run *run)
{
	char text[LP_LAYOUT_TEXT];

	lp_json_key(json, "operation");
	lp_json_string(json, lp_bench_operation_name(run->operation));
	lp_json_key(json, "state");
	lp_json_string(json, lp_bench_state_name(run->state));
	lp_json_key(json, "access");
	lp_json_string(json, lp_bench_access_name(run->access));
	lp_json_key(json, "size");
	lp_json_u64(json, run->size);
	lp_json_key(json, "memory");
	lp_json_string(json, lp_layout_name(&run->memory, text));
	lp_json_key(json, "file");
	lp_json_string(json, lp_layout_name(&run->file, text));
	lp_json_key(json, "processes");
	lp_json_u64(json, run->processes);
	lp_json_key(json, "threads");
	lp_json_u64(json, run->threads);
	lp_json_key(json, "file_size");
	lp_json_u64(json, run->file_bytes);
	lp_json_key(json, "buffer");
	lp_json_u64(json, run->buffer_bytes);
	lp_json_key(json, "shared");
	lp_json_bool(json, run->shared);
	lp_json_key(json, "think_s");
	lp_json_double(json, (double)run->think_ns / 1e9);
}

static void put_numbers(struct lp_json *json,
			const struct lp_bench_result *result)
{
	struct lp_io_bench_numbers n;

	lp_io_bench_measure(result->trace, &n);
	lp_json_key(json, "operations");
	lp_json_u64(json, n.n);
	lp_json_key(json, "cut_short");
	lp_json_bool(json, result->cut_short);
	lp_json_key(json, "elapsed_s");
	lp_json_double(json, (double)result->elapsed_ns / 1e9);
	lp_json_key(json, "median_ns");
	lp_json_double(json, n.median_ns);
	lp_json_key(json, "p99_ns");
	lp_json_double(json, n.p99_ns);
	lp_json_key(json, "mean_ns");
	lp_json_double(json, n.mean_ns);
	lp_json_key(json, "bytes_per_s");
	lp_json_double(json, n.bytes_per_s);
	lp_json_key(json, "clock_ns");
	lp_json_i64(json, result->trace->clock_ns);
	lp_json_key(json, "resident_before");
	lp_json_double(json, resident_share(result));
}

/* Those that changed. */
static void put_counters(struct lp_json *json,
			 const struct lp_bench_result *result)
{
	const struct lp_counters *after = &result->counters_after;

	lp_json_key(json, "counters");
	lp_json_object(json);
	for (uint32_t i = 0; i < after->names.count; i++) {
		int64_t difference;

		if (!lp_counters_difference(&result->counters_before, after, i,
					    &difference) ||
		    difference == 0)
			continue;
		lp_json_key(json, after->names.text[i]);
		lp_json_i64(json, difference);
	}
	lp_json_end(json);
}

void lp_io_bench_json(FILE *out, const struct lp_bench_run *run,
		      const struct lp_bench_result *result, const char *trace)
{
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	put_run(&json, run);
	put_numbers(&json, result);
	lp_json_key(&json, "trace");
	lp_json_string(&json, trace);
	put_counters(&json, result);
	lp_json_end(&json);
	fputc('\n', out);
	fflush(out);
}

const char *lp_io_bench_doubt(const struct lp_bench_run *run,
			      const struct lp_bench_result *result, char *text,
			      size_t size)
{
	double share = resident_share(result) * 100;

	text[0] = '\0';
	if (run->state == LP_BENCH_CACHED && share < 99)
		snprintf(text, size,
			 "only %.1f %% of the file is in the page cache: it "
			 "does not fit",
			 share);
	else if (run->state == LP_BENCH_UNCACHED && share > 1)
		snprintf(text, size,
			 "%.1f %% of the file is still in the page cache: this "
			 "file system did not drop it",
			 share);
	else if (result->cut_short)
		snprintf(text, size, "stopped by its time limit after %zu %s",
			 result->trace->n_operations,
			 lp_plural(result->trace->n_operations, "operation",
				   "operations"));
	return text;
}
