/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "base/textfile.h"
#include "base/timestamp.h"
#include "workload/evict.h"
#include "workload/passes.h"
#include "workload/postmark.h"
#include "workload/stages.h"
#include "workload/worklog.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define S LP_NS_PER_S

/* ---- pace ---- */

static void records_are_due_at_the_rate(void **state)
{
	struct lab_pace pace;

	(void)state;
	lab_pace_init(&pace, 1000, 500, 0, 0);
	assert_int_equal(lab_pace_take(&pace, 500, 0), 0);
	assert_int_equal(lab_pace_take(&pace, 500, 0), S / 2);
	/* What a record took does not come on top. */
	assert_int_equal(lab_pace_take(&pace, 500, S * 6 / 5), 0);
	assert_int_equal(lab_pace_take(&pace, 500, S * 6 / 5), S * 3 / 10);
}

static void who_was_held_up_for_long_does_not_catch_up(void **state)
{
	struct lab_pace pace;

	(void)state;
	lab_pace_init(&pace, 1000, 500, 0, 0);
	assert_int_equal(lab_pace_take(&pace, 500, 0), 0);
	assert_int_equal(lab_pace_take(&pace, 500, 60 * S), 0);
	assert_int_equal(lab_pace_take(&pace, 500, 60 * S), S / 2);
}

static void a_short_delay_is_caught_up(void **state)
{
	struct lab_pace pace;

	(void)state;
	lab_pace_init(&pace, 1000, 100, 0, 0);
	assert_int_equal(lab_pace_take(&pace, 100, S / 2), 0);
	assert_int_equal(lab_pace_take(&pace, 100, S / 2), 0);
	assert_int_equal(pace.due_ns, S / 5);
}

static void processes_begin_one_after_the_other(void **state)
{
	struct lab_pace pace;

	(void)state;
	lab_pace_init(&pace, 1000, 500, 0.5, 7 * S);
	assert_int_equal(lab_pace_take(&pace, 500, 7 * S), S / 4);
}

static void without_a_pace_nothing_waits(void **state)
{
	struct lab_pace pace;

	(void)state;
	lab_pace_init(&pace, 0, 500, 0.5, 7 * S);
	for (int i = 0; i < 5; i++)
		assert_int_equal(lab_pace_take(&pace, 500, 7 * S), 0);
}

/* ---- logs ---- */

static const char worklog[] = LAB_WORKLOG_HEADER "2026-11-15T20:00:00Z,0,0\n"
						 "2026-11-15T20:00:01Z,100,1\n"
						 "2026-11-15T20:00:02Z,300,3\n"
						 "2026-11-15T20:00:06Z,400,4\n";

static int64_t at(const char *text)
{
	int64_t ns;

	assert_int_equal(lp_time_parse(text, strlen(text), &ns), 0);
	return ns;
}

static void rows_in_the_span_are_summed(void **state)
{
	const int64_t begin = at("2026-11-15T20:00:00Z");
	struct lab_moved moved = { 0 };
	size_t line;

	(void)state;
	assert_int_equal(lab_worklog_sum(worklog, sizeof(worklog) - 1, begin,
					 begin + 2 * S, &moved, &line),
			 0);
	assert_float_equal((float)moved.bytes, 400, 1e-3);
	assert_float_equal((float)moved.operations, 4, 1e-3);
	assert_int_equal(moved.covered_ns, 2 * S);
}

static void a_late_row_counts_with_the_part_inside(void **state)
{
	const int64_t begin = at("2026-11-15T20:00:00Z");
	struct lab_moved moved = { 0 };
	size_t line;

	(void)state;
	assert_int_equal(lab_worklog_sum(worklog, sizeof(worklog) - 1,
					 begin + 3 * S, begin + 100 * S, &moved,
					 &line),
			 0);
	assert_float_equal((float)moved.bytes, 300, 1e-3);
	assert_int_equal(moved.covered_ns, 3 * S);
}

static void rows_are_spread_over_their_seconds(void **state)
{
	const int64_t begin = at("2026-11-15T20:00:00Z");
	char dir[] = "/tmp/limpid-log-XXXXXX", path[64];
	struct lab_moved each[5] = { 0 };
	struct lp_error err;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/w-c1-0.csv", dir);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(worklog, file);
	fclose(file);
	/* From the midst of a second on. */
	assert_int_equal(
		lab_worklog_seconds(dir, "c1", begin + S / 2, each, 2, &err),
		0);
	assert_float_equal((float)each[0].bytes, 200, 1e-3);
	assert_float_equal((float)each[1].bytes, 200, 1e-3);
	memset(each, 0, sizeof(each));
	assert_int_equal(
		lab_worklog_seconds(dir, NULL, begin + S, each, 5, &err), 0);
	assert_float_equal((float)each[0].bytes, 300, 1e-3);
	for (int i = 1; i < 5; i++)
		assert_float_equal((float)each[i].bytes, 100, 1e-3);
	unlink(path);
	rmdir(dir);
}

static void a_row_that_is_being_written_is_left_out(void **state)
{
	const int64_t begin = at("2026-11-15T20:00:00Z");
	struct lab_moved moved = { 0 };
	size_t line;

	(void)state;
	assert_int_equal(lab_worklog_sum(worklog, sizeof(worklog) - 4, begin,
					 begin + 100 * S, &moved, &line),
			 0);
	assert_float_equal((float)moved.bytes, 400, 1e-3);
}

static void a_line_that_is_no_row_is_named(void **state)
{
	static const char *const bad[] = {
		"time,bytes\n",
		LAB_WORKLOG_HEADER "2026-11-15T20:00:00Z,1\n",
		LAB_WORKLOG_HEADER "2026-11-15T20:00:00Z,1,x\n",
		LAB_WORKLOG_HEADER "yesterday,1,1\n",
		LAB_WORKLOG_HEADER "2026-11-15T20:00:00Z,-1,1\n",
		LAB_WORKLOG_HEADER "\n",
	};
	struct lab_moved moved = { 0 };
	size_t line;

	(void)state;
	for (size_t i = 0; i < lp_array_size(bad); i++) {
		assert_int_equal(lab_worklog_sum(bad[i], strlen(bad[i]), 0, S,
						 &moved, &line),
				 -EINVAL);
		assert_int_equal(line, i == 0 ? 1 : 2);
	}
	assert_true(moved.bytes == 0);
}

static void postmarks_report_is_read(void **state)
{
	uint64_t bytes = 7, operations = 7;

	(void)state;
	assert_true(lab_postmark_report("2 1 100.00 97.00 50.00 47.00 53.00 "
					"47.00 97.00 44.00 53.00 22128.00 "
					"36958.00",
					&bytes, &operations));
	assert_int_equal(bytes, 2 * (22128 + 36958));
	assert_int_equal(operations, 2 * (97 + 53 + 47 + 97));
	bytes = 7;
	assert_false(lab_postmark_report("Creating files...Done", &bytes,
					 &operations));
	assert_false(lab_postmark_report("1 2 3", &bytes, &operations));
	assert_int_equal(bytes, 7);
}

/* ---- a process, in a plain directory ---- */

struct place {
	char dir[32], log[64];
	struct lab_tally *tally;
	struct lab_workload_spec spec;
	struct lab_worker worker;
};

static void place_make(struct place *place, const char *workload)
{
	*place = (struct place){ .dir = "/tmp/limpid-work-XXXXXX" };
	assert_non_null(mkdtemp(place->dir));
	place->tally = mmap(NULL, sizeof(*place->tally), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(place->tally, MAP_FAILED);
	place->spec = (struct lab_workload_spec){
		.workload = lab_workload_find(workload),
		.processes = 1,
		.seed = 1,
	};
	assert_non_null(place->spec.workload);
	snprintf(place->log, sizeof(place->log), "%s/w-c1-0.csv", place->dir);
	/* One of many: its files are small. */
	place->worker = (struct lab_worker){
		.spec = &place->spec,
		.client = "c1",
		.mount = place->dir,
		.of = 128,
		.sharers = 128,
		.log = open(place->log, O_CREAT | O_WRONLY | O_APPEND, 0600),
		.tally = place->tally,
	};
	assert_true(place->worker.log >= 0);
}

static void place_clear(struct place *place)
{
	char command[64];

	close(place->worker.log);
	munmap(place->tally, sizeof(*place->tally));
	snprintf(command, sizeof(command), "rm -rf %s", place->dir);
	assert_int_equal(system(command), 0);
}

/* Let it work until it has moved some, and a row is written; then end it. */
static void let_work(struct place *place)
{
	struct stat st = { 0 };
	pid_t pid;
	int status;

	if (place->spec.workload->prepare)
		assert_int_equal(lab_worker_prepare(&place->worker), 0);
	atomic_store(&place->tally->ended, 0);
	atomic_store(&place->tally->bytes, 0);
	pid = fork();
	if (pid == 0)
		_exit(lab_worker_work(&place->worker) < 0);
	while (atomic_load(&place->tally->ended) == 0 &&
	       (atomic_load(&place->tally->bytes) < 4 * LAB_RECORD_MAX ||
		(stat(place->log, &st) == 0 && st.st_size < 80)))
		lab_sleep_ns(S / 50);
	assert_int_equal(atomic_load(&place->tally->ended), 0);
	kill(pid, SIGTERM);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

/* All of it is of the one client that there is. */
static void check_clients(const struct place *place, double bytes)
{
	struct lab_moved moved;
	struct lp_error err;

	assert_int_equal(lab_worklog_read(place->dir, "c1", LP_TIME_MIN,
					  LP_TIME_MAX, &moved, &err),
			 0);
	assert_true(moved.bytes == bytes);
	assert_int_equal(lab_worklog_read(place->dir, "c2", LP_TIME_MIN,
					  LP_TIME_MAX, &moved, &err),
			 -ENOENT);
}

static void check_log(const struct place *place)
{
	struct lab_moved moved;
	struct lp_error err;

	assert_int_equal(lab_worklog_read(place->dir, NULL, LP_TIME_MIN,
					  LP_TIME_MAX, &moved, &err),
			 0);
	assert_true(moved.bytes > 0);
	assert_true(moved.operations > 0);
	assert_true(moved.bytes <= (double)atomic_load(&place->tally->bytes));
	assert_true(moved.covered_ns > 0);
	check_clients(place, moved.bytes);
}

static void every_own_workload_moves_bytes_and_says_so(void **state)
{
	(void)state;
	for (size_t i = 0; lab_workloads[i]; i++) {
		struct place place;

		if (lab_workloads[i]->program)
			continue;
		place_make(&place, lab_workloads[i]->name);
		let_work(&place);
		check_log(&place);
		place_clear(&place);
	}
}

/* A seed whose first stages need no other program and do something. */
static uint64_t plain_seed(const struct lab_stage_lengths *lengths)
{
	struct lab_stages stages;

	for (uint64_t seed = 1;; seed++) {
		size_t n = 0;

		lab_stages_init(&stages, seed, lengths);
		do
			lab_stages_next(&stages);
		while (stages.now.workload && !stages.now.workload->program &&
		       ++n < 8);
		if (n == 8)
			return seed;
	}
}

static void varied_does_one_stage_after_the_other(void **state)
{
	struct place place;

	(void)state;
	place_make(&place, "varied");
	place.spec.stages = (struct lab_stage_lengths){ 0.4, 0.4 };
	place.spec.seed = plain_seed(&place.spec.stages);
	place.spec.begun_ns = lp_monotonic_now();
	/* This one's part of it: 16 MB/s. */
	place.spec.pace = 128 * 16000000;
	let_work(&place);
	check_log(&place);
	place_clear(&place);
}

static void what_is_due_after_the_end_is_not_done(void **state)
{
	struct lab_worker w = { .until_ns = lp_monotonic_now() + S / 10 };

	(void)state;
	lab_pace_init(&w.pace, 1000, 500, 0, lp_monotonic_now());
	assert_int_equal(lab_worker_due(&w, 1000), 0);
	assert_int_equal(lab_worker_due(&w, 1000), -ECANCELED);
	assert_true(lp_monotonic_now() >= w.until_ns);
}

static void what_is_prepared_is_not_written_again(void **state)
{
	struct place place;
	char path[128];
	struct stat before, after;

	(void)state;
	place_make(&place, "ddr");
	assert_int_equal(lab_worker_prepare(&place.worker), 0);
	snprintf(path, sizeof(path), "%s/%s/c1-0/%s", place.dir, LAB_WORK_DIR,
		 LAB_READ_NAME);
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(before.st_size, LAB_READ_SET / 128);
	assert_int_equal(lab_worker_prepare(&place.worker), 0);
	assert_int_equal(stat(path, &after), 0);
	assert_memory_equal(&before.st_mtim, &after.st_mtim,
			    sizeof(after.st_mtim));
	place_clear(&place);
}

static void a_reader_without_its_file_says_so(void **state)
{
	struct place place;

	(void)state;
	place_make(&place, "ddr");
	assert_true(lab_worker_work(&place.worker) < 0);
	assert_true(atomic_load(&place.tally->ended) < 0);
	assert_non_null(strstr(place.tally->error, "ddr on c1, process 1: "));
	place_clear(&place);
}

static void a_file_is_dropped_from_the_cache(void **state)
{
	struct place place;
	char path[128];
	struct lp_error err;
	int fd;

	(void)state;
	place_make(&place, "ddr");
	assert_int_equal(lab_worker_prepare(&place.worker), 0);
	snprintf(path, sizeof(path), "%s/%s/c1-0/%s", place.dir, LAB_WORK_DIR,
		 LAB_READ_NAME);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_true(lab_resident(fd) > 0.9);
	assert_int_equal(lab_evict_fd(fd, &err), 0);
	/* Where the file system keeps all in memory nothing can be dropped. */
	if (lab_resident(fd) < 1)
		assert_true(lab_resident(fd) < 0.1);
	close(fd);
	place_clear(&place);
}

static void contents_differ_from_record_to_record(void **state)
{
	struct lab_content content;
	unsigned char *first;
	size_t equal = 0;

	(void)state;
	assert_int_equal(lab_content_init(&content, 65536), 0);
	first = malloc(65536);
	assert_non_null(first);
	memcpy(first, lab_content_next(&content, 65536), 65536);
	for (int i = 0; i < 16; i++) {
		const unsigned char *more = lab_content_next(&content, 65536);

		assert_memory_not_equal(first, more, 64);
		for (size_t j = 0; j < 4096; j++)
			equal += more[j] == 0;
	}
	/* Zeros are as rare as chance has them: 256 are expected. */
	assert_in_range(equal, 100, 500);
	assert_null(lab_content_next(&content, 65537));
	free(first);
	lab_content_done(&content);
}

static void every_workload_can_be_found_by_its_name(void **state)
{
	(void)state;
	for (size_t i = 0; lab_workloads[i]; i++) {
		const struct lab_workload *workload = lab_workloads[i];

		assert_ptr_equal(lab_workload_find(workload->name), workload);
		assert_non_null(workload->summary);
		assert_non_null(workload->work);
		assert_true(!workload->program || workload->package);
	}
	assert_null(lab_workload_find("dd"));
}

static void room_is_left_for_clients_that_are_added_later(void **state)
{
	struct lab_worker all = { .mount = "/tmp", .dir = "/tmp", .of = 4 };
	struct lab_worker first = { .mount = "/tmp", .dir = "/tmp", .of = 2 };
	uint64_t own, of_first;
	struct lp_error err;

	(void)state;
	all.sharers = first.sharers = 4;
	assert_int_equal(lab_worker_room(&all, &own, &err), 0);
	assert_int_equal(lab_worker_room(&first, &of_first, &err), 0);
	assert_true(of_first == own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_due_at_the_rate),
		cmocka_unit_test(who_was_held_up_for_long_does_not_catch_up),
		cmocka_unit_test(a_short_delay_is_caught_up),
		cmocka_unit_test(processes_begin_one_after_the_other),
		cmocka_unit_test(without_a_pace_nothing_waits),
		cmocka_unit_test(rows_in_the_span_are_summed),
		cmocka_unit_test(a_late_row_counts_with_the_part_inside),
		cmocka_unit_test(rows_are_spread_over_their_seconds),
		cmocka_unit_test(a_row_that_is_being_written_is_left_out),
		cmocka_unit_test(a_line_that_is_no_row_is_named),
		cmocka_unit_test(postmarks_report_is_read),
		cmocka_unit_test(every_own_workload_moves_bytes_and_says_so),
		cmocka_unit_test(varied_does_one_stage_after_the_other),
		cmocka_unit_test(what_is_due_after_the_end_is_not_done),
		cmocka_unit_test(what_is_prepared_is_not_written_again),
		cmocka_unit_test(a_reader_without_its_file_says_so),
		cmocka_unit_test(a_file_is_dropped_from_the_cache),
		cmocka_unit_test(contents_differ_from_record_to_record),
		cmocka_unit_test(every_workload_can_be_found_by_its_name),
		cmocka_unit_test(room_is_left_for_clients_that_are_added_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
