/* SPDX-License-Identifier: Apache-2.0 */
#include "iomodel/trace_build.h"
#include "iomodel/trace_format.h"

#include "base/textfile.h"

#include <errno.h>
#include <inttypes.h>

/* Enough for the header of ours and the first lines of Darshan's. */
#define SNIFF (64 * 1024)

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
	};

	return kind < LP_IO_KINDS ? names[kind] : "?";
}

int lp_io_trace_parse(const char *name, const uint8_t *bytes, size_t n,
		      struct lp_io_trace **trace, struct lp_error *err)
{
	if (n == 0)
		return lp_fail(err, EINVAL,
			       "%s: is empty; expected a trace of I/O", name);
	if (n >= LP_IO_MAGIC_BYTES &&
	    memcmp(bytes, LP_IO_MAGIC, LP_IO_MAGIC_BYTES) == 0)
		return lp_io_native_parse(name, bytes, n, trace, err);
	if (lp_io_dxt_sniff((const char *)bytes, n))
		return lp_io_dxt_parse(name, (const char *)bytes, n, trace,
				       err);
	return lp_fail(err, EINVAL,
		       "%s: offset 0: neither a trace of limpid io nor the "
		       "output of darshan-dxt-parser",
		       name);
}

/* Of a trace that is being written only this much is in use. */
static uint64_t used_bytes(const struct lp_text_file *file)
{
	struct lp_io_header header;

	if (file->n < sizeof(header) ||
	    memcmp(file->text, LP_IO_MAGIC, LP_IO_MAGIC_BYTES) != 0)
		return file->size;
	memcpy(&header, file->text, sizeof(header));
	return header.finished || header.claimed > file->size ? file->size
							      : header.claimed;
}

int lp_io_trace_read(const char *path, struct lp_io_trace **trace,
		     struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int r = lp_text_file_open_window(&file, path, err);

	if (r < 0)
		return r;
	if (file.windowed) {
		r = lp_text_file_read(&file, 0, SNIFF);
		if (r == 0)
			r = lp_text_file_read(&file, 0,
					      (size_t)used_bytes(&file));
	}
	if (r < 0)
		lp_fail_errno(err, -r, "%s: cannot read", path);
	else
		r = lp_io_trace_parse(path, (const uint8_t *)file.text, file.n,
				      trace, err);
	lp_text_file_close(&file);
	return r;
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
