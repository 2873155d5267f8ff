/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "io/model/trace.h"
#include "io/model/trace_write.h"
#include "stats/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file {
	char path[64];
	uint8_t *bytes;
	size_t n;
};

static void load(struct file *file)
{
	FILE *in = fopen(file->path, "rb");

	assert_non_null(in);
	file->bytes = malloc(1 << 22);
	file->n = fread(file->bytes, 1, 1 << 22, in);
	fclose(in);
	unlink(file->path);
}

/* One tape's operations as the bytes of a trace. */
static void save(struct file *file, struct lp_io_tape *tape)
{
	struct lp_io_header header = { .start_ns = 1000, .clock_ns = 9 };
	struct lp_error err;

	snprintf(file->path, sizeof(file->path), "/tmp/limpid-io-%d", getpid());
	if (lp_io_trace_write(file->path, &header, "h1", "app -x", &tape, 1,
			      &err) < 0)
		fail_msg("%s", err.text);
	load(file);
}

static struct lp_io_trace *parse(const struct file *file)
{
	struct lp_io_trace *trace;
	struct lp_error err;

	if (lp_io_trace_parse("t", file->bytes, file->n, &trace, &err) < 0)
		fail_msg("%s", err.text);
	return trace;
}

static void expect_same(const struct lp_io_operation *a,
			const struct lp_io_operation *b)
{
	assert_int_equal(a->start_ns, b->start_ns);
	assert_int_equal(a->duration_ns, b->duration_ns);
	assert_int_equal(a->offset, b->offset);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->result, b->result);
	assert_int_equal(a->kind, b->kind);
}

/* Any values that a program may cause, and the corners. */
static struct lp_io_operation random_operation(struct lp_random *random,
					       int64_t *now)
{
	static const int64_t sizes[] = { 0, 1, 4096, 65536, INT64_MAX / 2 };
	struct lp_io_operation op = { 0 };

	op.start_ns = *now + (int64_t)(lp_random_u64(random) % 100000);
	op.duration_ns = (int64_t)(lp_random_u64(random) >>
				   (20 + lp_random_u64(random) % 40));
	*now = op.start_ns + op.duration_ns;
	op.kind = (uint8_t)(lp_random_u64(random) % LP_IO_KINDS);
	op.file = 1 + (uint32_t)(lp_random_u64(random) % 40);
	op.size = sizes[lp_random_u64(random) % lp_array_size(sizes)];
	op.result = lp_random_u64(random) % 4 ? op.size : -ENOSPC;
	op.offset = lp_random_u64(random) % 4
			    ? (int64_t)(lp_random_u64(random) >> 2)
			    : LP_IO_NO_OFFSET;
	return op;
}

static void every_operation_reads_back_as_it_was_put(void **unused)
{
	enum { N = 50000 };
	struct lp_io_operation *ops = calloc(N, sizeof(*ops));
	struct lp_random random;
	struct lp_io_trace *trace;
	struct lp_io_tape tape;
	struct file file;
	int64_t now = 0;

	(void)unused;
	lp_random_init(&random, 7, 0);
	lp_io_tape_init(&tape, 12, 13);
	for (uint32_t i = 1; i <= 40; i++) {
		char path[32];

		snprintf(path, sizeof(path), "/data/%u", i);
		lp_io_tape_name(&tape, i, path);
	}
	for (size_t i = 0; i < N; i++) {
		ops[i] = random_operation(&random, &now);
		lp_io_tape_put(&tape, &ops[i]);
	}
	save(&file, &tape);
	trace = parse(&file);
	assert_int_equal(trace->n_operations, N);
	for (size_t i = 0; i < N; i++) {
		char path[32];

		expect_same(&trace->operation[i], &ops[i]);
		snprintf(path, sizeof(path), "/data/%u", ops[i].file);
		assert_string_equal(trace->file[trace->operation[i].file].path,
				    path);
	}
	assert_int_equal(trace->n_tasks, 1);
	assert_int_equal(trace->task[0].thread, 13);
	assert_string_equal(trace->host, "h1");
	assert_string_equal(trace->command, "app -x");
	assert_int_equal(trace->n_damaged, 0);
	lp_io_trace_free(trace);
	lp_io_tape_done(&tape);
	free(file.bytes);
	free(ops);
}

/* n reads, one behind the other. */
static void put_sequence(struct lp_io_tape *tape, size_t n)
{
	lp_io_tape_init(tape, 1, 1);
	lp_io_tape_name(tape, 1, "/data/file");
	for (size_t i = 0; i < n; i++) {
		struct lp_io_operation op = {
			.start_ns = (int64_t)i * 30000,
			.duration_ns = 12000 + (int64_t)(i % 97) * 40,
			.offset = (int64_t)i * 65536,
			.size = 65536,
			.result = 65536,
			.file = 1,
		};

		lp_io_tape_put(tape, &op);
	}
}

static void a_sequential_workload_needs_at_most_8_bytes_each(void **unused)
{
	struct lp_io_tape tape;
	struct file file;

	(void)unused;
	put_sequence(&tape, 100000);
	save(&file, &tape);
	assert_true(file.n <= 8 * 100000);
	lp_io_tape_done(&tape);
	free(file.bytes);
}

static void a_flipped_bit_costs_its_block_only(void **unused)
{
	struct lp_io_trace *trace;
	struct lp_io_tape tape;
	struct file file;

	(void)unused;
	put_sequence(&tape, 200000);
	assert_true(tape.next_block >= 3);
	save(&file, &tape);
	file.bytes[400000] ^= 4;
	trace = parse(&file);
	assert_int_equal(trace->n_damaged, 1);
	assert_non_null(trace->damage);
	assert_true(trace->n_operations > 100000);
	assert_true(trace->n_operations < 200000);
	lp_io_trace_free(trace);
	lp_io_tape_done(&tape);
	free(file.bytes);
}

static void a_trace_cut_anywhere_gives_its_whole_blocks_or_a_line(void **unused)
{
	struct lp_io_tape tape;
	struct file file;
	size_t whole;

	(void)unused;
	put_sequence(&tape, 100);
	save(&file, &tape);
	whole = file.n;
	for (size_t n = 0; n < whole; n++) {
		uint8_t *copy = malloc(n ? n : 1);
		struct lp_io_trace *trace;
		struct lp_error err;

		memcpy(copy, file.bytes, n);
		if (lp_io_trace_parse("t", copy, n, &trace, &err) == 0) {
			assert_true(trace->n_operations <= 100);
			lp_io_trace_free(trace);
		} else {
			assert_non_null(strstr(err.text, "t: "));
		}
		free(copy);
	}
	lp_io_tape_done(&tape);
	free(file.bytes);
}

static void rubbish_is_refused_with_its_offset(void **unused)
{
	struct lp_io_trace *trace;
	struct lp_error err;

	(void)unused;
	assert_int_equal(lp_io_trace_parse("f", (const uint8_t *)"hello", 5,
					   &trace, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "f: offset 0: neither"));
	assert_int_equal(
		lp_io_trace_parse("f", (const uint8_t *)"", 0, &trace, &err),
		-EINVAL);
	assert_non_null(strstr(err.text, "f: the file is empty"));
}

static const char dxt[] =
	"# darshan log version: 3.41\n"
	"# exe: ./ior -a POSIX\n"
	"# start_time: 1700000000\n"
	"\n# DXT, file_id: 12, file_name: /scratch/a b\n"
	"# DXT, rank: 3, hostname: node7\n"
	"# DXT, write_count: 1, read_count: 1\n"
	"# Module    Rank  Wt/Rd  Segment          Offset       Length    "
	"Start(s)      End(s)  [OST]\n"
	" X_MPIIO       3  write        0               0         4096"
	"      0.5000      0.7000\n"
	" X_POSIX       3  write        0               0         4096"
	"      0.5001      0.6000  [  3]  [ 4]\n"
	" X_POSIX       3   read        0            4096        65536"
	"      0.2500      0.2501\n";

static struct lp_io_trace *parse_text(const char *text)
{
	struct lp_io_trace *trace;
	struct lp_error err;

	if (lp_io_trace_parse("d", (const uint8_t *)text, strlen(text), &trace,
			      &err) < 0)
		fail_msg("%s", err.text);
	return trace;
}

static void darshan_text_is_a_trace_in_order_of_time(void **unused)
{
	struct lp_io_trace *trace = parse_text(dxt);
	const struct lp_io_operation *op = trace->operation;

	(void)unused;
	assert_int_equal(trace->n_operations, 2);
	assert_int_equal(op[0].kind, LP_IO_READ);
	assert_int_equal(op[0].start_ns, 250000000);
	assert_int_equal(op[0].duration_ns, 100000);
	assert_int_equal(op[0].offset, 4096);
	assert_int_equal(op[1].size, 4096);
	assert_int_equal(op[1].duration_ns, 99900000);
	assert_string_equal(trace->file[op[0].file].path, "/scratch/a b");
	assert_string_equal(trace->host, "node7");
	assert_string_equal(trace->command, "./ior -a POSIX");
	assert_int_equal(trace->task[op[0].task].process, 3);
	assert_int_equal(trace->start_ns, 1700000000 * INT64_C(1000000000));
	lp_io_trace_free(trace);
}

static void the_digits_of_darshan_text_say_what_its_clock_resolves(
	void **unused)
{
	static const char head[] = "# DXT, file_id: 1, file_name: a\n";
	static const struct {
		const char *times;
		int64_t resolution_ns;
	} cases[] = {
		{ "0.1000 0.2000", 100000 }, { "1 2.25", 10000000 },
		{ "1 2", 1000000000 },       { "0.000001 0.5", 1000 },
		{ "0.1234567891 1.5", 1 },
	};
	char text[256];

	(void)unused;
	for (size_t i = 0; i < lp_array_size(cases); i++) {
		struct lp_io_trace *trace;

		snprintf(text, sizeof(text), "%s X_POSIX 0 read 0 0 1 %s\n",
			 head, cases[i].times);
		trace = parse_text(text);
		assert_int_equal(trace->resolution_ns, cases[i].resolution_ns);
		assert_int_equal(trace->clock_ns, 0);
		lp_io_trace_free(trace);
	}
}

static void calls_of_mpi_io_are_taken_alone_and_counted_beside_posix(
	void **unused)
{
	static const char mpi[] = "# DXT, file_id: 1, file_name: a\n"
				  " X_MPIIO 0 read 0 0 7 0.1 0.2\n"
				  " X_MPIIO 0 read 0 0 7 0.3 0.4\n";
	static const char both[] = "# DXT, file_id: 1, file_name: a\n"
				   " X_MPIIO 0 read 0 0 7 0.1 0.2\n"
				   " X_POSIX 0 read 0 0 5 0.1 0.2\n"
				   " X_MPIIO 0 read 0 0 7 0.3 0.4\n";
	struct lp_io_trace *trace = parse_text(mpi);

	(void)unused;
	assert_int_equal(trace->n_operations, 2);
	assert_int_equal(trace->n_left_out, 0);
	lp_io_trace_free(trace);
	trace = parse_text(both);
	assert_int_equal(trace->n_operations, 1);
	assert_int_equal(trace->operation[0].size, 5);
	assert_int_equal(trace->n_left_out, 2);
	lp_io_trace_free(trace);
}

static void a_bad_line_of_darshan_text_is_named(void **unused)
{
	static const char *const bad[][2] = {
		{ "# DXT, x\nhello\n", "d: line 2: no line of" },
		{ "# DXT, x\n X_POSIX 0 read 0 0\n",
		  "d: line 2: an operation" },
		{ "# DXT, x\n X_POSIX 0 read 0 0 1 0.1 0.2\n",
		  "d: line 2: an operation before" },
		{ "# DXT, file_id: 1, file_name: a\n"
		  " X_POSIX 0 read 0 0 x 0.1 0.2\n",
		  "d: line 2: expected" },
	};

	(void)unused;
	for (size_t i = 0; i < lp_array_size(bad); i++) {
		struct lp_io_trace *trace;
		struct lp_error err;

		assert_int_equal(
			lp_io_trace_parse("d", (const uint8_t *)bad[i][0],
					  strlen(bad[i][0]), &trace, &err),
			-EINVAL);
		assert_memory_equal(err.text, bad[i][1], strlen(bad[i][1]));
	}
}

static void a_trace_as_csv_has_a_line_each(void **unused)
{
	struct lp_io_trace *trace = parse_text(dxt);
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	(void)unused;
	lp_io_trace_csv(trace, out);
	fclose(out);
	assert_string_equal(text, "start_ns,duration_ns,operation,offset,size,"
				  "result,process,thread,file\n"
				  "250000000,100000,read,4096,65536,65536,3,3,"
				  "/scratch/a b\n"
				  "500100000,99900000,write,0,4096,4096,3,3,"
				  "/scratch/a b\n");
	free(text);
	lp_io_trace_free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_reads_back_as_it_was_put),
		cmocka_unit_test(
			a_sequential_workload_needs_at_most_8_bytes_each),
		cmocka_unit_test(a_flipped_bit_costs_its_block_only),
		cmocka_unit_test(
			a_trace_cut_anywhere_gives_its_whole_blocks_or_a_line),
		cmocka_unit_test(rubbish_is_refused_with_its_offset),
		cmocka_unit_test(darshan_text_is_a_trace_in_order_of_time),
		cmocka_unit_test(
			the_digits_of_darshan_text_say_what_its_clock_resolves),
		cmocka_unit_test(
			calls_of_mpi_io_are_taken_alone_and_counted_beside_posix),
		cmocka_unit_test(a_bad_line_of_darshan_text_is_named),
		cmocka_unit_test(a_trace_as_csv_has_a_line_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
