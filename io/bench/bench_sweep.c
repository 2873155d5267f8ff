/* SPDX-License-Identifier: Apache-2.0 */
#include "io/bench/bench_sweep.h"

#include "base/number.h"
#include "base/timestamp.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)

enum type { WORD, BYTES, COUNT, DURATION, LAYOUT };

struct key {
	const char *name;
	enum type type;
	size_t offset;
	const char *const *words; /* of WORD, ended by NULL */
	const char *expected;
};

static const char *const operation_words[] = { "read", "write", "rewrite",
					       NULL };
static const char *const state_words[] = { "discard", "cached", "uncached",
					   NULL };
static const char *const access_words[] = { "pread",  "read", "mmap",
					    "direct", "sync", NULL };
static const char *const share_words[] = { "own", "shared", NULL };
static const char *const evict_words[] = { "once", "each", NULL };

#define RUN(field) offsetof(struct lp_bench_run, field)

#define LAYOUTS "off0, seq, strideN, strideN,M, reverse, rnd or rndN"

static const struct key factors[LP_BENCH_FACTORS] = {
	{ "operation", WORD, RUN(operation), operation_words,
	  "read, write or rewrite" },
	{ "state", WORD, RUN(state), state_words,
	  "discard, cached or uncached" },
	{ "access", WORD, RUN(access), access_words,
	  "pread, read, mmap, direct or sync" },
	{ "size", BYTES, RUN(size), NULL, "bytes, as 4096, 4K or 16M" },
	{ "memory", LAYOUT, RUN(memory), NULL, LAYOUTS },
	{ "file", LAYOUT, RUN(file), NULL, LAYOUTS },
	{ "threads", COUNT, RUN(threads), NULL, "a number" },
	{ "processes", COUNT, RUN(processes), NULL, "a number" },
	{ "think", DURATION, RUN(think_ns), NULL, "a time, as 10ms" },
};

static const struct key settings[] = {
	{ "file_size", BYTES, RUN(file_bytes), NULL, "bytes, as 1G" },
	{ "buffer", BYTES, RUN(buffer_bytes), NULL, "bytes, as 64M" },
	{ "repeats", COUNT, RUN(repeats), NULL, "a number" },
	{ "limit", DURATION, RUN(limit_ns), NULL, "a time, as 60s" },
	{ "seed", COUNT, RUN(seed), NULL, "a number" },
	{ "share", WORD, RUN(shared), share_words, "own or shared" },
	{ "evict", WORD, RUN(evict), evict_words, "once or each" },
};

const char *lp_bench_operation_name(enum lp_bench_operation operation)
{
	return operation_words[operation];
}

const char *lp_bench_state_name(enum lp_bench_state state)
{
	return state_words[state];
}

const char *lp_bench_access_name(enum lp_bench_access access)
{
	return access_words[access];
}

void lp_sweep_init(struct lp_sweep *sweep)
{
	memset(sweep, 0, sizeof(*sweep));
	sweep->rounds = 1;
	sweep->common = (struct lp_bench_run){
		.operation = LP_BENCH_READ,
		.state = LP_BENCH_CACHED,
		.size = 64 * 1024,
		.memory.kind = LP_LAYOUT_OFF0,
		.file.kind = LP_LAYOUT_SEQ,
		.threads = 1,
		.processes = 1,
		.file_bytes = 256 * MIB,
		.buffer_bytes = 64 * MIB,
		.repeats = 10000,
		.limit_ns = 60 * (uint64_t)LP_NS_PER_S,
		.seed = 1,
	};
}

static int put_word(const struct key *key, const char *text, size_t n,
		    struct lp_bench_run *run)
{
	for (unsigned i = 0; key->words[i]; i++) {
		if (strlen(key->words[i]) != n ||
		    memcmp(key->words[i], text, n) != 0)
			continue;
		if (key->words == share_words || key->words == evict_words)
			*(bool *)((char *)run + key->offset) = i > 0;
		else
			*(unsigned *)((char *)run + key->offset) = i;
		return 0;
	}
	return -EINVAL;
}

static int put_value(const struct key *key, const char *text, size_t n,
		     struct lp_bench_run *run)
{
	void *field = (char *)run + key->offset;
	char copy[LP_LAYOUT_TEXT];

	if (n >= sizeof(copy))
		return -EINVAL;
	memcpy(copy, text, n);
	copy[n] = '\0';
	switch (key->type) {
	case WORD:
		return put_word(key, text, n, run);
	case BYTES:
		return lp_parse_bytes(text, n, field);
	case COUNT:
		return lp_parse_u64(text, n, field);
	case DURATION:
		return lp_duration_parse(copy, field);
	case LAYOUT:
		return lp_layout_parse(copy, field);
	}
	return -EINVAL;
}

static int add_value(struct lp_sweep *sweep, size_t factor, const char *text,
		     size_t n, struct lp_error *err)
{
	const struct key *key = &factors[factor];
	size_t *count = &sweep->factor[factor].n;

	if (*count == LP_BENCH_VALUES)
		return lp_fail(err, EINVAL, "%s: more than %d values",
			       key->name, LP_BENCH_VALUES);
	if (put_value(key, text, n, &sweep->factor[factor].value[*count]) < 0)
		return lp_fail(err, EINVAL, "%s: '%.*s' is not %s", key->name,
			       (int)n, text, key->expected);
	++*count;
	return 0;
}

/* A comma parts values, but what follows the one of strideN,M is a number. */
static size_t value_length(const struct key *key, const char *text)
{
	size_t n = strcspn(text, ",");

	if (key->type == LAYOUT && strncmp(text, "stride", 6) == 0 && text[n] &&
	    text[n + 1] >= '0' && text[n + 1] <= '9')
		n += 1 + strcspn(text + n + 1, ",");
	return n;
}

static int add_values(struct lp_sweep *sweep, size_t factor, const char *text,
		      struct lp_error *err)
{
	for (;;) {
		size_t n = value_length(&factors[factor], text);
		int status = add_value(sweep, factor, text, n, err);

		if (status < 0 || !text[n])
			return status;
		text += n + 1;
	}
}

int lp_sweep_set(struct lp_sweep *sweep, const char *name, const char *values,
		 struct lp_error *err)
{
	for (size_t i = 0; i < LP_BENCH_FACTORS; i++)
		if (strcmp(name, factors[i].name) == 0)
			return add_values(sweep, i, values, err);
	if (strcmp(name, "rounds") == 0) {
		if (lp_parse_u64(values, strlen(values), &sweep->rounds) < 0)
			return lp_fail(err, EINVAL,
				       "rounds: '%s' is not a number", values);
		return 0;
	}
	for (size_t i = 0; i < lp_array_size(settings); i++) {
		const struct key *key = &settings[i];

		if (strcmp(name, key->name) != 0)
			continue;
		if (put_value(key, values, strlen(values), &sweep->common) < 0)
			return lp_fail(err, EINVAL, "%s: '%s' is not %s", name,
				       values, key->expected);
		return 0;
	}
	return lp_fail(err, EINVAL, "%s: there is no such factor or setting",
		       name);
}

uint64_t lp_sweep_count(const struct lp_sweep *sweep)
{
	uint64_t n = sweep->rounds;

	for (size_t i = 0; i < LP_BENCH_FACTORS; i++)
		if (sweep->factor[i].n > 0 &&
		    __builtin_mul_overflow(n, sweep->factor[i].n, &n))
			return UINT64_MAX;
	return n;
}

static void copy_field(const struct key *key, struct lp_bench_run *to,
		       const struct lp_bench_run *from)
{
	static const size_t sizes[] = {
		[WORD] = sizeof(unsigned),
		[BYTES] = sizeof(uint64_t),
		[COUNT] = sizeof(uint64_t),
		[DURATION] = sizeof(uint64_t),
		[LAYOUT] = sizeof(struct lp_layout),
	};

	memcpy((char *)to + key->offset, (const char *)from + key->offset,
	       sizes[key->type]);
}

void lp_sweep_get(const struct lp_sweep *sweep, uint64_t i,
		  struct lp_bench_run *run)
{
	*run = sweep->common;
	for (size_t f = LP_BENCH_FACTORS; f-- > 0;) {
		size_t n = sweep->factor[f].n;

		if (n == 0)
			continue;
		copy_field(&factors[f], run, &sweep->factor[f].value[i % n]);
		i /= n;
	}
}

static int check_counts(const struct lp_bench_run *run, struct lp_error *err)
{
	if (run->size == 0 || run->size > 1024 * MIB)
		return lp_fail(err, EINVAL, "size must be 1 to 1G");
	if (run->threads == 0 || run->processes == 0 || run->threads > 4096 ||
	    run->processes > 4096)
		return lp_fail(err, EINVAL,
			       "threads and processes must be 1 to 4096");
	if (run->file_bytes < run->size || run->buffer_bytes < run->size)
		return lp_fail(err, EINVAL,
			       "file_size and buffer must be at least %" PRIu64
			       " bytes, the size of an access",
			       run->size);
	if (run->repeats == 0 || run->limit_ns == 0)
		return lp_fail(err, EINVAL,
			       "repeats and limit must be above 0");
	return 0;
}

int lp_bench_run_check(const struct lp_bench_run *run, struct lp_error *err)
{
	if (run->access == LP_BENCH_DIRECT && run->size % 4096 != 0)
		return lp_fail(err, EINVAL,
			       "direct access needs sizes that are multiples "
			       "of 4096, not %" PRIu64,
			       run->size);
	if (run->access == LP_BENCH_DIRECT && run->state == LP_BENCH_CACHED)
		return lp_fail(err, EINVAL,
			       "direct access bypasses the cache: there is no "
			       "state 'cached'");
	if (run->state == LP_BENCH_DISCARD && run->access != LP_BENCH_AT &&
	    run->access != LP_BENCH_POSITION)
		return lp_fail(
			err, EINVAL,
			"state 'discard' has access pread and read only");
	if (run->operation == LP_BENCH_WRITE && run->access == LP_BENCH_MAP)
		return lp_fail(err, EINVAL,
			       "an empty file cannot be mapped: use rewrite");
	return check_counts(run, err);
}

const char *lp_bench_run_label(const struct lp_bench_run *run,
			       char text[LP_BENCH_LABEL])
{
	char memory[LP_LAYOUT_TEXT], file[LP_LAYOUT_TEXT];

	snprintf(text, LP_BENCH_LABEL,
		 "%s-%s-%s-%" PRIu64 "-%s-%s-%" PRIu64 "x%" PRIu64,
		 operation_words[run->operation], state_words[run->state],
		 access_words[run->access], run->size,
		 lp_layout_name(&run->memory, memory),
		 lp_layout_name(&run->file, file), run->processes,
		 run->threads);
	return text;
}
