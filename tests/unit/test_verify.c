/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "verify/ledger.h"
#include "verify/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct lab_selfblock wanted = { 7, 3, 2 };

static enum lab_verdict check(const unsigned char *bytes)
{
	return lab_selfblock_check(bytes, &wanted);
}

static void a_block_says_what_it_is(void **state)
{
	unsigned char bytes[LAB_SELFBLOCK], old[LAB_SELFBLOCK];

	(void)state;
	lab_selfblock_make(bytes, &wanted);
	assert_int_equal(check(bytes), LAB_IS_OK);
	bytes[2000] ^= 4;
	assert_int_equal(check(bytes), LAB_IS_CORRUPT);
	lab_selfblock_make(bytes, &(struct lab_selfblock){ 8, 3, 2 });
	assert_int_equal(check(bytes), LAB_IS_FOREIGN);
	lab_selfblock_make(bytes, &(struct lab_selfblock){ 7, 4, 2 });
	assert_int_equal(check(bytes), LAB_IS_FOREIGN);
	lab_selfblock_make(old, &(struct lab_selfblock){ 7, 3, 1 });
	assert_int_equal(check(old), LAB_IS_OLD);
	memset(bytes, 0, sizeof(bytes));
	assert_int_equal(check(bytes), LAB_IS_ZEROS);
	/* The first sectors are new, the others old, or empty. */
	lab_selfblock_make(bytes, &wanted);
	memcpy(bytes + 1024, old + 1024, sizeof(bytes) - 1024);
	assert_int_equal(check(bytes), LAB_IS_TORN);
	lab_selfblock_make(bytes, &wanted);
	memset(bytes + 2560, 0, sizeof(bytes) - 2560);
	assert_int_equal(check(bytes), LAB_IS_TORN);
	memset(bytes, 0xa5, sizeof(bytes));
	assert_int_equal(check(bytes), LAB_IS_CORRUPT);
}

static void every_verdict_has_a_word(void **state)
{
	(void)state;
	for (int i = 0; i < LAB_VERDICTS; i++)
		assert_int_equal(
			lab_verdict_find(lab_verdict_word((enum lab_verdict)i)),
			i);
	assert_int_equal(lab_verdict_find("fine"), LAB_VERDICTS);
	assert_int_equal(lab_verdict_of_errno(ENOTCONN), LAB_IS_UNREACHED);
	assert_int_equal(lab_verdict_of_errno(EXDEV), LAB_IS_OTHER);
}

static void the_ledger_remembers_the_last_word(void **state)
{
	static const char text[] = "acked 1 1 96\nsynced 2 1 4\n"
				   "synced 1 2 97\nacked 3 1";
	struct lab_ledger ledger;
	struct lp_error err;

	(void)state;
	assert_int_equal(lab_ledger_parse(text, strlen(text), &ledger, &err),
			 0);
	assert_int_equal(ledger.n, 2);
	assert_int_equal(ledger.file[0].file, 1);
	assert_int_equal(ledger.file[0].generation, 2);
	assert_int_equal(ledger.file[0].blocks, 97);
	assert_true(ledger.file[0].synced);
	lab_ledger_done(&ledger);
	assert_int_equal(lab_ledger_parse("synced 2 1\n", 11, &ledger, &err),
			 -EINVAL);
	assert_string_equal(err.text, "line 1 of the ledger is damaged");
	lab_ledger_done(&ledger);
}

/* ---- the steps, in a plain directory ---- */

static char dir[] = "/tmp/limpid-verify-XXXXXX";
static char ledger_path[64];

static struct lab_verify_result run(enum lab_verify_step step)
{
	const struct lab_verify_spec spec = {
		.ledger = ledger_path,
		.files = 6,
		.bytes = 600000,
		.seed = 3,
		.passes = 2,
	};
	struct lab_verify_result result = { 0 };

	lab_verify_do(dir, step, &spec, &result);
	return result;
}

static int begin(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(ledger_path, sizeof(ledger_path), "%s/ledger", dir);
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command);
}

static void path_of(unsigned file, char path[128])
{
	snprintf(path, 128, "%s/limpid-verify/v-%06u", dir, file);
}

static void what_was_written_is_read(void **state)
{
	struct lab_verify_result r;

	(void)state;
	r = run(LAB_VERIFY_WRITE);
	assert_int_equal(lab_verify_verdict(&r), LAB_IS_OK);
	assert_int_equal(r.count[LAB_IS_OK], 6);
	r = run(LAB_VERIFY_READ);
	assert_int_equal(lab_verify_verdict(&r), LAB_IS_OK);
	assert_int_equal(r.done, 12);
	assert_int_equal(r.wanted, 12);
	assert_int_equal(r.count[LAB_IS_OK], 6);
	r = run(LAB_VERIFY_ASYNC);
	assert_int_equal(r.count[LAB_IS_OK], 6);
	r = run(LAB_VERIFY_SYNC);
	assert_int_equal(r.count[LAB_IS_OK], 6);
	r = run(LAB_VERIFY_AGE);
	assert_int_equal(lab_verify_verdict(&r), LAB_IS_OK);
}

static void damage_is_named(void **state)
{
	struct lab_verify_result r;
	char path[128];
	int fd;

	(void)state;
	path_of(0, path);
	fd = open(path, O_RDWR);
	assert_int_equal(pwrite(fd, "x", 1, 100), 1);
	close(fd);
	path_of(1, path);
	assert_int_equal(unlink(path), 0);
	path_of(2, path);
	assert_int_equal(truncate(path, 0), 0);
	/* Written and never synced: it may be gone. */
	path_of(200000, path);
	assert_int_equal(unlink(path), 0);
	r = run(LAB_VERIFY_READ);
	assert_int_equal(lab_verify_verdict(&r), LAB_IS_LOST);
	assert_int_equal(r.count[LAB_IS_CORRUPT], 1);
	assert_int_equal(r.count[LAB_IS_LOST], 1);
	assert_int_equal(r.count[LAB_IS_SHORT], 1);
	assert_int_equal(r.count[LAB_IS_OK], 15);
	assert_int_equal(r.bad_of_pass[0], 3);
	assert_int_equal(r.bad_of_pass[1], 3);
	assert_int_equal(r.legal, 2);
	assert_string_equal(r.first, "v-000000: block 0 is corrupt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_says_what_it_is),
		cmocka_unit_test(every_verdict_has_a_word),
		cmocka_unit_test(the_ledger_remembers_the_last_word),
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(damage_is_named),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
