/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "disk/drive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define S (1000 * MS)
#define DISK_BYTES (UINT64_C(1) << 30)

/* 1 MB/s, so that 1,000 bytes are one millisecond; a seek is 8 ms. */
static void begin(struct lab_drive *drive)
{
	struct lab_disk_settings settings;

	lab_disk_settings_default(&settings);
	settings.rate = 1000000;
	assert_int_equal(lab_drive_init(drive, DISK_BYTES, &settings, NULL), 0);
}

static void command(struct lab_drive *drive, int64_t now_ns, const char *line)
{
	char reply[LAB_DISK_LINE];

	lab_drive_command(drive, line, strlen(line), now_ns, reply);
	if (strncmp(reply, "ok ", 3) != 0)
		fail_msg("%s: %s", line, reply);
}

static int submit(struct lab_drive *drive, int64_t now_ns,
		  enum lab_request_kind kind, uint64_t offset, uint64_t bytes)
{
	struct lab_request request = { .kind = kind,
				       .offset = offset,
				       .bytes = bytes };

	lab_drive_judge(drive, &request);
	assert_int_equal(lab_drive_submit(drive, &request, now_ns), 0);
	return request.error;
}

static uint64_t figure(struct lab_drive *drive, const char *key)
{
	char reply[LAB_DISK_LINE];
	uint64_t v = 0;

	lab_drive_command(drive, "status", 6, 0, reply);
	assert_true(lab_disk_figure(reply + 3, key, &v));
	return v;
}

static void requests_are_answered_when_they_are_due(void **state)
{
	struct lab_request request;
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	assert_true(lab_drive_wait_ns(&drive, S) == -1);
	submit(&drive, S, LAB_READ, 0, 1000);
	submit(&drive, S, LAB_WRITE, 1000, 1000);
	assert_int_equal(lab_drive_wait_ns(&drive, S), MS);
	assert_false(lab_drive_take(&drive, S + MS - 1, &request));
	assert_true(lab_drive_take(&drive, S + MS, &request));
	assert_int_equal(request.kind, LAB_READ);
	assert_false(lab_drive_take(&drive, S + MS, &request));
	assert_int_equal(lab_drive_wait_ns(&drive, S + 5 * MS), 0);
	assert_true(lab_drive_take(&drive, S + 5 * MS, &request));
	assert_int_equal(request.kind, LAB_WRITE);
	assert_int_equal(figure(&drive, "late_us"), 3000);
	assert_int_equal(figure(&drive, "answered"), 2);
	lab_drive_done(&drive);
}

static void many_requests_leave_in_the_order_of_their_times(void **state)
{
	struct lab_queue queue = { .count = 0 };
	struct lab_request last = { .due_ns = -1 }, next;
	uint64_t x = 1;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		next = (struct lab_request){ .due_ns = (int64_t)(x >> 58),
					     .number = i };
		assert_int_equal(lab_queue_push(&queue, &next), 0);
		/* Some leave in between. */
		if (i % 3 == 2)
			lab_queue_pop(&queue);
	}
	while (queue.count) {
		next = lab_queue_pop(&queue);
		assert_true(next.due_ns > last.due_ns ||
			    (next.due_ns == last.due_ns &&
			     next.number > last.number));
		last = next;
	}
	free(queue.heap);
}

static void latency_delays_answers_and_not_the_spindle(void **state)
{
	struct lab_request request;
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	command(&drive, S, "latency 20");
	submit(&drive, S, LAB_READ, 0, 1000);
	submit(&drive, S, LAB_READ, 1000, 1000);
	assert_int_equal(lab_drive_wait_ns(&drive, S), 21 * MS);
	assert_true(lab_drive_take(&drive, S + 21 * MS, &request));
	assert_int_equal(lab_drive_wait_ns(&drive, S + 21 * MS), MS);
	lab_drive_done(&drive);
}

/* The times of 50 requests, each alone. */
static void jittered(const char *setting, int64_t waits[50])
{
	struct lab_request request;
	struct lab_drive drive;

	begin(&drive);
	command(&drive, 0, setting);
	for (int64_t i = 0; i < 50; i++) {
		submit(&drive, i * S, LAB_READ, (uint64_t)i * 1000, 1000);
		waits[i] = lab_drive_wait_ns(&drive, i * S);
		assert_in_range(waits[i], MS, 11 * MS);
		assert_true(lab_drive_take(&drive, (i + 1) * S, &request));
	}
	lab_drive_done(&drive);
}

static void jitter_is_by_chance_and_the_same_for_a_seed(void **state)
{
	int64_t a[50], b[50], other[50], low = S, high = 0;

	(void)state;
	jittered("jitter 10 5", a);
	jittered("jitter 10 5", b);
	jittered("jitter 10 6", other);
	assert_memory_equal(a, b, sizeof(a));
	assert_memory_not_equal(a, other, sizeof(a));
	for (size_t i = 0; i < 50; i++) {
		low = a[i] < low ? a[i] : low;
		high = a[i] > high ? a[i] : high;
	}
	assert_true(low < 3 * MS && high > 9 * MS);
}

static void errors_are_of_a_kind_and_a_region(void **state)
{
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	command(&drive, 0, "errors read region 10000..20000");
	assert_int_equal(submit(&drive, 0, LAB_READ, 9000, 1000), 0);
	assert_int_equal(submit(&drive, 0, LAB_READ, 9000, 1001), EIO);
	assert_int_equal(submit(&drive, 0, LAB_READ, 19999, 1), EIO);
	assert_int_equal(submit(&drive, 0, LAB_READ, 20000, 1000), 0);
	assert_int_equal(submit(&drive, 0, LAB_WRITE, 15000, 1000), 0);
	assert_int_equal(figure(&drive, "failed"), 2);
	command(&drive, 0, "errors both");
	assert_int_equal(submit(&drive, 0, LAB_READ, 0, 1000), EIO);
	assert_int_equal(submit(&drive, 0, LAB_WRITE, 0, 1000), EIO);
	command(&drive, 0, "errors none");
	assert_int_equal(submit(&drive, 0, LAB_READ, 0, 1000), 0);
	lab_drive_done(&drive);
}

static void errors_can_begin_after_an_amount(void **state)
{
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	command(&drive, 0, "errors write after 2000");
	assert_int_equal(submit(&drive, 0, LAB_WRITE, 0, 1000), 0);
	assert_int_equal(submit(&drive, 0, LAB_READ, 0, 100000), 0);
	assert_int_equal(submit(&drive, 0, LAB_WRITE, 0, 1000), 0);
	assert_int_equal(submit(&drive, 0, LAB_WRITE, 0, 1000), EIO);
	command(&drive, 0, "errors write after 2000");
	assert_int_equal(submit(&drive, 0, LAB_WRITE, 0, 1000), 0);
	lab_drive_done(&drive);
}

static void flushes_fail_when_all_writing_fails(void **state)
{
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	command(&drive, 0, "errors write region 0..4096");
	assert_int_equal(submit(&drive, 0, LAB_FLUSH, 0, 0), 0);
	assert_int_equal(submit(&drive, 0, LAB_DISCARD, 0, 4096), EIO);
	command(&drive, 0, "errors write");
	assert_int_equal(submit(&drive, 0, LAB_FLUSH, 0, 0), EIO);
	/* Neither takes the spindle's time. */
	assert_int_equal(figure(&drive, "busy_us"), 0);
	lab_drive_done(&drive);
}

static void a_stuck_disk_answers_nothing_and_goes_on_where_it_was(void **state)
{
	struct lab_request request;
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	submit(&drive, S, LAB_READ, 0, 10000);
	command(&drive, S + 4 * MS, "stuck on");
	submit(&drive, S + 5 * MS, LAB_READ, 10000, 1000);
	assert_true(lab_drive_wait_ns(&drive, 60 * S) == -1);
	assert_false(lab_drive_take(&drive, 60 * S, &request));
	command(&drive, 60 * S, "stuck off");
	/* Six of ten milliseconds were left. */
	assert_int_equal(lab_drive_wait_ns(&drive, 60 * S), 6 * MS);
	assert_true(lab_drive_take(&drive, 60 * S + 6 * MS, &request));
	assert_int_equal(lab_drive_wait_ns(&drive, 60 * S + 6 * MS), MS);
	lab_drive_done(&drive);
}

static void reset_goes_back_to_the_first_settings(void **state)
{
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	command(&drive, 0, "rate 5M");
	command(&drive, 0, "errors both");
	command(&drive, 0, "stuck on");
	command(&drive, 0, "reset");
	assert_int_equal(figure(&drive, "rate"), 1000000);
	assert_int_equal(submit(&drive, 0, LAB_READ, 0, 1000), 0);
	assert_int_equal(lab_drive_wait_ns(&drive, 0), MS);
	lab_drive_done(&drive);
}

static void load_beneath_is_counted_apart_and_takes_time(void **state)
{
	struct lab_request request = { .kind = LAB_READ,
				       .beneath = true,
				       .bytes = 5000 };
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	lab_drive_judge(&drive, &request);
	lab_drive_submit(&drive, &request, 0);
	submit(&drive, 0, LAB_READ, 5000, 1000);
	assert_int_equal(figure(&drive, "under_bytes"), 5000);
	assert_int_equal(figure(&drive, "read_bytes"), 1000);
	assert_true(lab_drive_take(&drive, 5 * MS, &request));
	assert_int_equal(lab_drive_wait_ns(&drive, 5 * MS), MS);
	lab_drive_done(&drive);
}

static void disks_on_a_bus_share_its_rate(void **state)
{
	char path[] = "/tmp/limpid-bus-XXXXXX", line[64];
	struct lab_drive one, two;
	struct lab_request request;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	begin(&one);
	begin(&two);
	/* Half of a disk's rate, for both. */
	snprintf(line, sizeof(line), "bus %s 500000", path);
	command(&one, S, line);
	snprintf(line, sizeof(line), "bus %s", path);
	command(&two, S, line);
	assert_int_equal(figure(&two, "bus_rate"), 500000);
	submit(&one, S, LAB_READ, 0, 1000);
	submit(&two, S, LAB_READ, 0, 1000);
	/* Both spindles are done after 1 ms, then the bus takes 2 ms each. */
	assert_false(lab_drive_take(&one, S + MS, &request));
	assert_false(lab_drive_take(&two, S + MS, &request));
	assert_int_equal(lab_drive_wait_ns(&one, S + MS), 2 * MS);
	assert_int_equal(lab_drive_wait_ns(&two, S + MS), 4 * MS);
	assert_true(lab_drive_take(&two, S + 5 * MS, &request));
	command(&one, S, "bus none");
	assert_int_equal(figure(&one, "bus_rate"), 0);
	lab_drive_done(&one);
	lab_drive_done(&two);
	unlink(path);
}

static void a_bus_that_is_none_is_refused(void **state)
{
	char path[] = "/tmp/limpid-bus-XXXXXX", line[64], reply[LAB_DISK_LINE];
	struct lab_drive drive;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	begin(&drive);
	snprintf(line, sizeof(line), "bus %s", path);
	lab_drive_command(&drive, line, strlen(line), 0, reply);
	assert_non_null(strstr(reply, "is a new bus: set its rate"));
	assert_int_equal(write(fd, "hello", 5), 5);
	snprintf(line, sizeof(line), "bus %s 1M", path);
	lab_drive_command(&drive, line, strlen(line), 0, reply);
	assert_non_null(strstr(reply, "is not the file of a bus"));
	lab_drive_command(&drive, "bus /no/such/dir 1M", 19, 0, reply);
	assert_non_null(strstr(reply, "error cannot open the bus"));
	assert_string_equal(drive.settings.bus, "");
	close(fd);
	unlink(path);
	lab_drive_done(&drive);
}

static void an_unplugged_disk_fails_what_waits(void **state)
{
	struct lab_request request;
	struct lab_drive drive;

	(void)state;
	begin(&drive);
	submit(&drive, S, LAB_WRITE, 0, 1000);
	command(&drive, S, "stuck on");
	assert_false(lab_drive_take(&drive, 9 * S, &request));
	command(&drive, 9 * S, "gone");
	assert_int_equal(lab_drive_wait_ns(&drive, 9 * S), 0);
	assert_true(lab_drive_take(&drive, 9 * S, &request));
	assert_int_equal(request.error, EIO);
	assert_int_equal(submit(&drive, 9 * S, LAB_READ, 0, 1000), EIO);
	assert_true(lab_drive_take(&drive, 9 * S, &request));
	assert_int_equal(figure(&drive, "failed"), 2);
	command(&drive, 9 * S, "back");
	command(&drive, 9 * S, "stuck off");
	assert_int_equal(submit(&drive, 10 * S, LAB_READ, 0, 1000), 0);
	command(&drive, 10 * S, "power cut");
	assert_true(lab_drive_take(&drive, 10 * S, &request));
	assert_int_equal(request.error, EIO);
	command(&drive, 10 * S, "reset");
	assert_int_equal(submit(&drive, 10 * S, LAB_READ, 0, 1000), 0);
	lab_drive_take(&drive, 90 * S, &request);
	lab_drive_done(&drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_answered_when_they_are_due),
		cmocka_unit_test(
			many_requests_leave_in_the_order_of_their_times),
		cmocka_unit_test(latency_delays_answers_and_not_the_spindle),
		cmocka_unit_test(jitter_is_by_chance_and_the_same_for_a_seed),
		cmocka_unit_test(errors_are_of_a_kind_and_a_region),
		cmocka_unit_test(errors_can_begin_after_an_amount),
		cmocka_unit_test(flushes_fail_when_all_writing_fails),
		cmocka_unit_test(
			a_stuck_disk_answers_nothing_and_goes_on_where_it_was),
		cmocka_unit_test(reset_goes_back_to_the_first_settings),
		cmocka_unit_test(load_beneath_is_counted_apart_and_takes_time),
		cmocka_unit_test(disks_on_a_bus_share_its_rate),
		cmocka_unit_test(a_bus_that_is_none_is_refused),
		cmocka_unit_test(an_unplugged_disk_fails_what_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
