/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a system's I/O: for each operation and each factor (where
 * data comes from or goes to: "discard", "cached" ...) how long an operation
 * of any size takes at most if nothing else was at work (Kunkel 2015, 4.2 and
 * 6). Two straight lines, one to a page and one above.
 */
#ifndef LP_IO_MODEL_H
#define LP_IO_MODEL_H

#include "base/memory.h"
#include "base/outfile.h"
#include "io/model/operation.h"
#include "stats/linear.h"

#include <stdbool.h>
#include <stdio.h>

#define LP_IO_PAGE 4096
#define LP_IO_FACTORS_MAX 64 /* of one model; reads and writes together */
#define LP_IO_NAME_MAX 64    /* bytes of a factor's name */

enum lp_io_use {
	LP_IO_USED, /* the line was fitted to it */
	LP_IO_ODD,  /* takes far longer than the other sizes say */
	LP_IO_USES
};

/* What was measured at one size. */
struct lp_io_size {
	int64_t bytes;
	uint64_t count;
	double median_ns;
	double mean_ns;      /* of all */
	double kept_mean_ns; /* of those within the limit */
	double begin_ns;     /* below it hardly any lies; NaN: not known */
	double limit_ns;     /* beyond it is unexpectedly slow */
	double slow;         /* how many of all are, 0 ... 1 */
	unsigned clusters;   /* of the density */
	enum lp_io_use use;
};

/* d(size) = intercept + slope * size, in ns; and how good it is. The errors are
   those of the line through the limits, wherever it was moved then. */
struct lp_io_segment {
	struct lp_line line;
	double error_ns;    /* mean of |d - limit| over the sizes; NaN: none */
	double error;       /* of |d - limit| / limit */
	double slow;        /* operations beyond their limit, 0 ... 1 */
	double unexplained; /* operations beyond d, 0 ... 1 */
};

struct lp_io_factor {
	uint8_t kind; /* LP_IO_READ or LP_IO_WRITE */
	const char *name;
	struct lp_io_segment small, large; /* to a page, and above */
	struct lp_io_size *size;           /* ascending */
	size_t n_sizes;
	size_t n_few; /* sizes left out: too few operations for a density */
};

/* Where and when. Texts are never NULL; "" is not known. */
struct lp_io_origin {
	int64_t made_ns; /* since the epoch; 0: not known */
	const char *host, *kernel;
	const char *directory, *file_system; /* as mounted: "ext4", "lustre" */
};

/* Zero-initialise to begin; everything is in the arena. */
struct lp_io_model {
	struct lp_arena arena;
	struct lp_io_origin origin;
	const char *beyond;    /* the name of what no factor explains */
	const char *reference; /* the factor that all could be like, or "" */
	int64_t resolution_ns; /* of the traces' clock; 0: they are in ns */
	struct lp_io_factor *factor;
	size_t n_factors;
};

void lp_io_model_done(struct lp_io_model *model);

/* At most so long, if this was the factor. */
double lp_io_limit(const struct lp_io_factor *factor, int64_t bytes);
/*
 * So long usually: the mean without the slow ones, between two sizes that were
 * measured in proportion, beyond the largest at its throughput.
 */
double lp_io_usual(const struct lp_io_factor *factor, int64_t bytes);
/* NULL: there is none. */
const struct lp_io_factor *lp_io_factor_named(const struct lp_io_model *model,
					      unsigned kind, const char *name);

bool lp_io_has_factor(const struct lp_io_model *model, const char *name);

/* ---- as a file, limpid-io-model(5) ---- */

extern const struct lp_outkind lp_outkind_io_model;

int lp_io_model_read(const char *path, struct lp_io_model *model,
		     struct lp_error *err);
/* The same from memory; name is for the messages. */
int lp_io_model_parse(const char *name, const char *text, size_t size,
		      struct lp_io_model *model, struct lp_error *err);
/* Errors of the stream are left in it. 0 or -ENOMEM. */
int lp_io_model_write(FILE *out, const struct lp_io_model *model);

/* "" or what makes it doubtful to judge that trace by this model. */
const char *lp_io_model_doubt(const struct lp_io_model *model,
			      const struct lp_io_trace *trace, char *text,
			      size_t size);

#endif
