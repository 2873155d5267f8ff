/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/trace_build.h"
#include "io/model/trace_format.h"

#include <errno.h>
#include <inttypes.h>

const char *lp_io_kind_name(unsigned kind)
{
	static const char *const names[LP_IO_KINDS] = {
		[LP_IO_READ] = "read",
		[LP_IO_WRITE] = "write",
		[LP_IO_OPEN] = "open",
		[LP_IO_CLOSE] = "close",
		[LP_IO_SEEK] = "seek",
		[LP_IO_SYNC] = "sync",
		[LP_IO_MAP] = "map",
		[LP_IO_BUFFERED_READ] = "buffered read",
		[LP_IO_BUFFERED_WRITE] = "buffered write",
		[LP_IO_COPY] = "copy",
		[LP_IO_SPLICE] = "splice",
	};

	return kind < LP_IO_KINDS ? names[kind] : "?";
}

static int parse_text(const char *name, const char *text, size_t n,
		      struct lp_io_trace **trace, struct lp_error *err)
{
	struct lp_io_dxt *dxt = lp_io_dxt_new(name);
	const char *end = text + n;
	int status = dxt ? 0 : lp_fail_memory(err);

	while (text < end && status == 0) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		stop = stop ? stop : end;
		status = lp_io_dxt_line(dxt, text, (size_t)(stop - text), err);
		text = stop + 1;
	}
	if (status == 0)
		status = lp_io_dxt_finish(dxt, trace, err);
	lp_io_dxt_free(dxt);
	return status;
}

int lp_io_trace_parse(const char *name, const uint8_t *bytes, size_t n,
		      struct lp_io_trace **trace, struct lp_error *err)
{
	if (n == 0)
		return lp_fail(err, EINVAL,
			       "%s: the file is empty; expected a trace of I/O",
			       name);
	if (n >= LP_IO_MAGIC_BYTES &&
	    memcmp(bytes, LP_IO_MAGIC, LP_IO_MAGIC_BYTES) == 0)
		return lp_io_native_parse(name, bytes, n, trace, err);
	if (lp_io_dxt_sniff((const char *)bytes, n))
		return parse_text(name, (const char *)bytes, n, trace, err);
	if (memchr(bytes, 0, n))
		return lp_fail(
			err, EINVAL,
			"%s: neither text nor a trace of limpid io; for a log "
			"of Darshan, give the output of darshan-dxt-parser",
			name);
	return lp_fail(err, EINVAL,
		       "%s: offset 0: neither a trace of limpid io nor the "
		       "output of darshan-dxt-parser",
		       name);
}

void lp_io_csv_text(const char *text, FILE *out)
{
	if (!text[strcspn(text, "\",\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

void lp_io_trace_csv(const struct lp_io_trace *trace, FILE *out)
{
	fputs("start_ns,duration_ns,operation,offset,size,result,process,"
	      "thread,file\n",
	      out);
	for (size_t i = 0; i < trace->n_operations && !ferror(out); i++) {
		const struct lp_io_operation *op = &trace->operation[i];
		const struct lp_io_task *task = &trace->task[op->task];

		fprintf(out, "%" PRId64 ",%" PRId64 ",%s,", op->start_ns,
			op->duration_ns, lp_io_kind_name(op->kind));
		if (op->offset >= 0)
			fprintf(out, "%" PRId64, op->offset);
		fprintf(out,
			",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",",
			op->size, op->result, task->process, task->thread);
		lp_io_csv_text(trace->file[op->file].path, out);
		fputc('\n', out);
	}
}
