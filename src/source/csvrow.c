/* SPDX-License-Identifier: Apache-2.0 */
#include "source/csvrow.h"

#include "base/timestamp.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 255
/* How much of a bad field a message shows. */
#define SHOWN 40

void lp_csv_reader_done(struct lp_csv_reader *reader)
{
	lp_csv_lexer_done(&reader->lexer);
	lp_csv_layout_done(&reader->layout);
	lp_names_done(&reader->hosts);
	lp_buffer_done(&reader->scratch);
	lp_buffer_done(&reader->header);
}

int lp_csv_reader_fail(const struct lp_csv_reader *reader, struct lp_error *err,
		       const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return lp_fail(err, EINVAL, "%s:%llu: %s", reader->path,
		       (unsigned long long)reader->lexer.start_line, text);
}

static int lexer_failed(const struct lp_csv_reader *reader, int status,
			const char *what, struct lp_error *err)
{
	return status == -ENOMEM ? lp_fail_memory(err)
				 : lp_csv_reader_fail(reader, err, "%s", what);
}

/* Spreadsheets of some languages, and sadf -d, have others than commas. */
static char other_separator(const struct lp_csv_lexer *lexer)
{
	static const char others[] = ";\t";

	if (lexer->n_fields == 1)
		for (const char *c = others; *c; c++)
			if (memchr(lexer->fields[0].text, *c,
				   lexer->fields[0].n))
				return *c;
	return '\0';
}

/* The header's fields, whatever parts them. As lp_csv_lexer_next. */
static int lex_header(struct lp_csv_lexer *lexer, const char **what)
{
	int status = lp_csv_lexer_next(lexer, what);
	char other = status > 0 ? other_separator(lexer) : '\0';

	if (!other)
		return status;
	lexer->separator = other;
	lp_csv_lexer_seek(lexer, lp_csv_lexer_offset(lexer, lexer->start),
			  lexer->start_line);
	return lp_csv_lexer_next(lexer, what);
}

static int read_header(struct lp_csv_reader *reader, const char *map,
		       struct lp_error *err)
{
	struct lp_csv_lexer *lexer = &reader->lexer;
	struct lp_error why;
	const char *what = "";
	int status = lex_header(lexer, &what);

	if (status < 0)
		return lexer_failed(reader, status, what, err);
	if (status == 0)
		return lp_fail(err, EINVAL,
			       "%s: empty; expected a header line such as "
			       "time,host,device,rd_ios",
			       reader->path);
	lp_buffer_put(&reader->header, lexer->start,
		      (size_t)(lexer->at - lexer->start));
	if (reader->header.failed)
		return lp_fail_memory(err);
	reader->first = lp_csv_lexer_offset(lexer, lexer->at);
	reader->first_line = lexer->line;
	status = lp_csv_layout_init(&reader->layout, lexer->fields,
				    lexer->n_fields, map, &why);
	return status < 0 ? lp_csv_reader_fail(reader, err, "%s", why.text) : 0;
}

int lp_csv_reader_init(struct lp_csv_reader *reader, const char *path,
		       struct lp_text_file *file,
		       const struct lp_source_options *options,
		       struct lp_error *err)
{
	*reader = (struct lp_csv_reader){ .path = path };
	lp_csv_lexer_init_file(&reader->lexer, file);
	reader->default_host = options->host;
	return read_header(reader, options->map, err);
}

void lp_csv_reader_rewind(struct lp_csv_reader *reader)
{
	lp_csv_lexer_seek(&reader->lexer, reader->first, reader->first_line);
}

static int bad_field(const struct lp_csv_reader *reader, const char *column,
		     const struct lp_csv_field *field, const char *expected,
		     struct lp_error *err)
{
	return lp_csv_reader_fail(reader, err, "%s: '%.*s%s' is not %s", column,
				  (int)(field->n < SHOWN ? field->n : SHOWN),
				  field->text, field->n > SHOWN ? "..." : "",
				  expected);
}

static int read_time(const struct lp_csv_reader *reader, struct lp_csv_row *row,
		     struct lp_error *err)
{
	const struct lp_csv_field *field =
		&reader->lexer.fields[reader->layout.time];
	size_t n = field->n;
	int status;

	/* "2020-05-31 09:13:52 UTC" */
	if (n > 4 && memcmp(field->text + n - 4, " UTC", 4) == 0)
		n -= 4;
	status = lp_time_parse(field->text, n, &row->time_ns);

	if (status == -ERANGE)
		return bad_field(reader, "time", field,
				 "within 1678 to 2262; are these "
				 "milliseconds? Expected seconds",
				 err);
	if (status < 0)
		return bad_field(reader, "time", field,
				 "epoch seconds or an ISO 8601 time", err);
	return 0;
}

static bool is_name(const char *text, size_t n)
{
	return n <= LONGEST_NAME && !memchr(text, '\0', n);
}

static int read_host(struct lp_csv_reader *reader, struct lp_csv_row *row,
		     struct lp_error *err)
{
	struct lp_csv_field field = { "", 0 };

	if (reader->layout.host != LP_CSV_NONE)
		field = reader->lexer.fields[reader->layout.host];
	if (field.n == 0)
		field = (struct lp_csv_field){ reader->default_host,
					       strlen(reader->default_host) };
	if (!is_name(field.text, field.n))
		return bad_field(reader, "host", &field,
				 "a name of at most 255 bytes", err);
	row->host = lp_names_add_n(&reader->hosts, field.text, field.n);
	return row->host == LP_NAME_NONE ? lp_fail_memory(err) : 0;
}

/* "3493" and "10.0.0.7" -> "3493>10.0.0.7"; no local port -> "->10.0.0.7" */
static int join_tcp(struct lp_csv_reader *reader, struct lp_csv_row *row,
		    struct lp_error *err)
{
	struct lp_csv_field local = { "-", 1 };
	struct lp_buffer *name = &reader->scratch;

	if (row->instance_length == 0 ||
	    memchr(row->instance, '>', row->instance_length))
		return 0;
	if (reader->layout.local != LP_CSV_NONE &&
	    reader->lexer.fields[reader->layout.local].n > 0)
		local = reader->lexer.fields[reader->layout.local];
	name->size = 0;
	lp_buffer_put(name, local.text, local.n);
	lp_buffer_u8(name, '>');
	lp_buffer_put(name, row->instance, row->instance_length);
	if (name->failed)
		return lp_fail_memory(err);
	row->instance = (const char *)name->data;
	row->instance_length = name->size;
	return 0;
}

static int wide_instance(struct lp_csv_reader *reader, struct lp_csv_row *row,
			 struct lp_error *err)
{
	const struct lp_csv_layout *layout = &reader->layout;
	struct lp_csv_field field = { LP_HOST_INSTANCE, 1 };
	int status = 0;

	if (layout->instance != LP_CSV_NONE)
		field = reader->lexer.fields[layout->instance];
	row->instance = field.text;
	row->instance_length = field.n;
	if (layout->class->two_ended)
		status = join_tcp(reader, row, err);
	if (status == 0 && !is_name(row->instance, row->instance_length))
		return bad_field(reader, layout->class->noun, &field,
				 "a name of at most 255 bytes", err);
	return status;
}

/*
 * A component is "sda", or as people see it "oss1/sda"; the host's own is the
 * host or "-".
 */
static void strip_host(const struct lp_csv_reader *reader,
		       const struct lp_class *class, struct lp_csv_row *row)
{
	const char *host = reader->hosts.text[row->host];
	size_t n = strlen(host), s = strlen(class->separator);

	if (row->instance_length < n || memcmp(row->instance, host, n) != 0)
		return;
	if (lp_class_is_host(class) && row->instance_length == n) {
		row->instance = LP_HOST_INSTANCE;
		row->instance_length = 1;
	} else if (!lp_class_is_host(class) && row->instance_length > n + s &&
		   memcmp(row->instance + n, class->separator, s) == 0) {
		row->instance += n + s;
		row->instance_length -= n + s;
	}
}

static int long_instance(struct lp_csv_reader *reader, struct lp_csv_row *row,
			 struct lp_error *err)
{
	const struct lp_csv_field *fields = reader->lexer.fields;
	struct lp_csv_layout *layout = &reader->layout;
	struct lp_error why;
	int kind = lp_csv_layout_kind(layout, &fields[layout->class_field],
				      &fields[layout->metric], &why);

	if (kind < 0)
		return lp_csv_reader_fail(reader, err, "%s", why.text);
	row->value = (size_t)kind;
	row->instance = fields[layout->instance].text;
	row->instance_length = fields[layout->instance].n;
	if (row->instance_length == 0 ||
	    !is_name(row->instance, row->instance_length))
		return bad_field(reader, "component", &fields[layout->instance],
				 "a name of at most 255 bytes", err);
	strip_host(reader, layout->values[kind].class, row);
	return 0;
}

/* Files that were joined by cat have their header in the middle, too. */
static bool is_header_again(const struct lp_csv_reader *reader)
{
	const struct lp_csv_lexer *lexer = &reader->lexer;

	return (size_t)(lexer->at - lexer->start) == reader->header.size &&
	       memcmp(lexer->start, reader->header.data, reader->header.size) ==
		       0;
}

/* "sadf -d -- -d -n DEV" writes one table after the other. */
static bool is_other_header(const struct lp_csv_reader *reader)
{
	const struct lp_csv_lexer *lexer = &reader->lexer;
	static const char sadf[] = "# hostname";

	return lexer->fields[0].n == strlen(sadf) &&
	       memcmp(lexer->fields[0].text, sadf, strlen(sadf)) == 0;
}

static int read_row(struct lp_csv_reader *reader, struct lp_csv_row *row,
		    struct lp_error *err)
{
	int status;

	if (is_other_header(reader))
		return lp_csv_reader_fail(reader, err,
					  "a header with other columns; a "
					  "file holds one table of sadf -d");
	if (reader->lexer.n_fields != reader->layout.n_fields)
		return lp_csv_reader_fail(
			reader, err, "%zu fields where the header has %zu",
			reader->lexer.n_fields, reader->layout.n_fields);
	status = read_time(reader, row, err);
	if (status == 0)
		status = read_host(reader, row, err);
	if (status < 0)
		return status;
	status = reader->layout.is_long ? long_instance(reader, row, err)
					: wide_instance(reader, row, err);
	return status < 0 ? status : 1;
}

/* "oss1;-1;2020-05-31 09:13:47 UTC;LINUX-RESTART (8 CPU)", of sadf -d */
static bool is_remark(const struct lp_csv_reader *reader)
{
	const struct lp_csv_lexer *lexer = &reader->lexer;
	const struct lp_csv_field *last = &lexer->fields[lexer->n_fields - 1];

	return lexer->separator == ';' && lexer->n_fields == 4 &&
	       reader->layout.n_fields > 4 &&
	       ((last->n >= 13 &&
		 memcmp(last->text, "LINUX-RESTART", 13) == 0) ||
		(last->n >= 4 && memcmp(last->text, "COM ", 4) == 0));
}

int lp_csv_reader_next(struct lp_csv_reader *reader, struct lp_csv_row *row,
		       struct lp_error *err)
{
	const char *what = "";
	int status;

	do {
		status = lp_csv_lexer_next(&reader->lexer, &what);
		if (status < 0)
			return lexer_failed(reader, status, what, err);
		if (status == 0)
			return 0;
	} while (is_header_again(reader) || is_remark(reader));
	status = read_row(reader, row, err);
	return status == -EINVAL && lp_csv_reader_cut(reader) ? 0 : status;
}

bool lp_csv_reader_cut(struct lp_csv_reader *reader)
{
	if (!lp_csv_lexer_is_cut(&reader->lexer))
		return false;
	reader->cut_line = reader->lexer.start_line;
	return true;
}
