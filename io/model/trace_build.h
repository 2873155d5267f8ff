/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace in memory while a reader fills it.
 */
#ifndef LP_IO_MODEL_TRACE_BUILD_H
#define LP_IO_MODEL_TRACE_BUILD_H

#include "base/names.h"
#include "io/model/trace.h"

/* The owner of all that a trace points to. */
struct lp_io_build {
	struct lp_io_trace trace; /* first: the user frees by it */
	struct lp_names files, tasks;
	struct lp_arena arena;
	size_t task_capacity, operation_capacity;
};

struct lp_io_build *lp_io_build_new(void);

/* The numbers of a file and of a task; LP_NAME_NONE: out of memory. */
uint32_t lp_io_build_file(struct lp_io_build *build, const char *path,
			  size_t length);
uint32_t lp_io_build_task(struct lp_io_build *build, int64_t process,
			  int64_t thread);
int lp_io_build_add(struct lp_io_build *build,
		    const struct lp_io_operation *operation);
/* Note a piece that could not be read. */
void lp_io_build_damage(struct lp_io_build *build, uint64_t offset,
			const char *what);

/* Sort, and hand out as a trace. -ENOMEM: it is freed. */
int lp_io_build_finish(struct lp_io_build *build, struct lp_io_trace **trace,
		       struct lp_error *err);

/* The readers; trace.c asks each whether the bytes are its own. */
int lp_io_native_parse(const char *name, const uint8_t *bytes, size_t n,
		       struct lp_io_trace **trace, struct lp_error *err);
bool lp_io_dxt_sniff(const char *text, size_t n);

/*
 * Darshan's text, line by line: as long as the file is, memory holds only its
 * operations. name must stay. finish leaves nothing but free to do.
 */
struct lp_io_dxt *lp_io_dxt_new(const char *name);
int lp_io_dxt_line(struct lp_io_dxt *dxt, const char *text, size_t n,
		   struct lp_error *err);
int lp_io_dxt_finish(struct lp_io_dxt *dxt, struct lp_io_trace **trace,
		     struct lp_error *err);
/* Accepts NULL. */
void lp_io_dxt_free(struct lp_io_dxt *dxt);

#endif
