/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library is put into a process of our own, which reads a file with several
 * threads meanwhile.
 */
#include "scratch.h"

#include "base/timestamp.h"
#include "inject/deed.h"
#include "inject/inject.h"
#include "inject/symbol_address.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define READERS 3
#define PIECE 512

struct victim {
	struct scratch *scratch;
	pid_t pid;
	int fd;
	/* Counted by the victim: right reads, wrong ones; waits that ended. */
	struct counts {
		atomic_uint reads, wrong, rounds;
	} * counts;
	struct lab_deed deed;
	struct lp_error err;
};

static struct counts *counts;
static int the_file;

static void *read_on(void *none)
{
	char bytes[PIECE];

	for (;;) {
		ssize_t n = pread(the_file, bytes, sizeof(bytes), PIECE);

		if (n == PIECE && bytes[0] == 'b' && bytes[PIECE - 1] == 'b')
			atomic_fetch_add(&counts->reads, 1);
		else
			atomic_fetch_add(&counts->wrong, 1);
		poll(NULL, 0, 1);
	}
	return none;
}

static void be_victim(void)
{
	pthread_t thread;

	for (int i = 0; i < READERS; i++)
		if (pthread_create(&thread, NULL, read_on, NULL) != 0)
			_exit(1);
	/* The registers of whoever waits must be the same afterwards. */
	for (double sum = 1.5;; sum += 0.25) {
		double before = sum;

		poll(NULL, 0, 20);
		if (before != sum)
			atomic_fetch_add(&counts->wrong, 1);
		atomic_fetch_add(&counts->rounds, 1);
	}
}

static bool reaches(const atomic_uint *what, unsigned wanted)
{
	for (int i = 0; i < 3000; i++) {
		if (atomic_load(what) >= wanted)
			return true;
		poll(NULL, 0, 20);
	}
	return false;
}

static size_t threads_of(pid_t pid)
{
	char path[64];
	size_t n = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	assert_non_null(tasks);
	for (const struct dirent *entry; (entry = readdir(tasks));)
		n += entry->d_name[0] != '.';
	closedir(tasks);
	return n;
}

static bool has_threads(pid_t pid, size_t wanted)
{
	for (int i = 0; i < 3000; i++) {
		if (threads_of(pid) == wanted)
			return true;
		poll(NULL, 0, 20);
	}
	return false;
}

static int start_victim(void **state)
{
	struct victim *v = calloc(1, sizeof(*v));
	char path[300], bytes[2 * PIECE];

	v->scratch = scratch_new();
	snprintf(path, sizeof(path), "%s/file", scratch_root(v->scratch));
	memset(bytes, 'a', PIECE);
	memset(bytes + PIECE, 'b', PIECE);
	the_file = v->fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_int_equal(write(v->fd, bytes, sizeof(bytes)), sizeof(bytes));
	counts = v->counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(v->counts != MAP_FAILED);
	v->pid = fork();
	if (v->pid == 0)
		be_victim();
	assert_true(reaches(&v->counts->reads, 10));
	*state = v;
	return 0;
}

static int end_victim(void **state)
{
	struct victim *v = *state;

	kill(v->pid, SIGKILL);
	waitpid(v->pid, NULL, 0);
	lab_deed_done(&v->deed);
	close(v->fd);
	munmap(v->counts, sizeof(*v->counts));
	scratch_free(v->scratch);
	free(v);
	return 0;
}

static void put_into(struct victim *v, enum payload_deed kind, uint32_t amount)
{
	assert_int_equal(lab_deed_make(scratch_root(v->scratch), kind, amount,
				       &v->deed, &v->err),
			 0);
	if (lab_inject(v->pid, v->deed.library, &v->err) < 0)
		fail_msg("%s", v->err.text);
}

static bool does(const struct victim *v, uint64_t at_least)
{
	for (int i = 0; i < 3000; i++) {
		if (atomic_load(&v->deed.page->done) >= at_least)
			return true;
		poll(NULL, 0, 20);
	}
	return false;
}

/* It reads and waits as before, and made no mistake. */
static void is_well(const struct victim *v)
{
	assert_true(reaches(&v->counts->reads,
			    atomic_load(&v->counts->reads) + 10));
	assert_true(reaches(&v->counts->rounds,
			    atomic_load(&v->counts->rounds) + 3));
	assert_int_equal(atomic_load(&v->counts->wrong), 0);
}

static void a_library_that_does_nothing_leaves_no_thread_and_no_trace(
	void **state)
{
	struct victim *v = *state;
	size_t before = threads_of(v->pid);

	for (int i = 0; i < 5; i++) {
		put_into(v, PAYLOAD_NOTHING, 0);
		is_well(v);
		lab_deed_done(&v->deed);
	}
	assert_int_equal(threads_of(v->pid), before);
}

static void a_thread_spins_until_it_is_told_to_end(void **state)
{
	struct victim *v = *state;
	size_t before = threads_of(v->pid);

	put_into(v, PAYLOAD_SPIN, 50);
	assert_true(has_threads(v->pid, before + 1));
	assert_true(does(v, 50 * LP_NS_PER_MS));
	assert_int_equal(lab_deed_end(v->deed.page_path, &v->err), 0);
	assert_true(has_threads(v->pid, before));
	is_well(v);
}

static void a_thread_polls_until_it_is_told_to_end(void **state)
{
	struct victim *v = *state;
	size_t before = threads_of(v->pid);

	put_into(v, PAYLOAD_POLL, 0);
	assert_true(does(v, 1000));
	assert_int_equal(lab_deed_end(v->deed.page_path, &v->err), 0);
	assert_true(has_threads(v->pid, before));
	is_well(v);
}

static void what_is_read_is_summed_and_stays_what_it_is(void **state)
{
	struct victim *v = *state;

	put_into(v, PAYLOAD_CHECKSUM, 2);
	assert_true(atomic_load(&v->deed.page->hooked) > 0);
	assert_true(does(v, 20 * PIECE));
	is_well(v);
	assert_int_equal(lab_deed_end(v->deed.page_path, &v->err), 0);
	is_well(v);
}

static void readers_wait_for_a_lock_one_after_the_other(void **state)
{
	struct victim *v = *state;

	put_into(v, PAYLOAD_CONVOY, 2000);
	assert_true(does(v, 20));
	is_well(v);
	assert_int_equal(lab_deed_end(v->deed.page_path, &v->err), 0);
	is_well(v);
}

static void a_library_that_cannot_be_loaded_is_told_and_harms_nothing(
	void **state)
{
	struct victim *v = *state;

	assert_int_equal(lab_inject(v->pid, "/nowhere.so", &v->err), -EIO);
	assert_non_null(strstr(v->err.text, "cannot load /nowhere.so"));
	is_well(v);
}

static void a_process_that_is_not_there_is_told(void **state)
{
	struct lp_error err;

	(void)state;
	assert_true(lab_inject(0x3fffffff, "/nowhere.so", &err) < 0);
	assert_non_null(strstr(err.text, "/proc/"));
}

static void a_page_that_is_gone_has_ended(void **state)
{
	struct lp_error err;

	(void)state;
	assert_int_equal(lab_deed_end("/nowhere/x.so.page", &err), 0);
	assert_int_equal(lab_deed_end("/etc/passwd", &err), -EINVAL);
}

static void functions_are_found_where_the_loader_finds_them(void **state)
{
	struct lp_error err;
	uint64_t address;
	void *real = dlsym(RTLD_DEFAULT, "process_vm_writev");

	(void)state;
	assert_int_equal(lab_symbol_address(getpid(), "libc.so",
					    "process_vm_writev", &address,
					    &err),
			 0);
	assert_int_equal(address, (uintptr_t)real);
	assert_int_equal(lab_symbol_address(getpid(), "libc.so",
					    "no_such_function", &address, &err),
			 -ENOENT);
	assert_int_equal(lab_symbol_address(getpid(), "libnone.so", "dlopen",
					    &address, &err),
			 -ENOENT);
}

/* Where the library is that was built with this test. */
static int use_built_library(void **state)
{
	const char *build = getenv("LIMPID_BUILD");
	char path[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/lab/inject", build ? build : ".");
	return setenv("LIMPID_LIBEXEC", path, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define INJECTED(name)                                                         \
	cmocka_unit_test_setup_teardown(name, start_victim, end_victim)
		INJECTED(
			a_library_that_does_nothing_leaves_no_thread_and_no_trace),
		INJECTED(a_thread_spins_until_it_is_told_to_end),
		INJECTED(a_thread_polls_until_it_is_told_to_end),
		INJECTED(what_is_read_is_summed_and_stays_what_it_is),
		INJECTED(readers_wait_for_a_lock_one_after_the_other),
		INJECTED(
			a_library_that_cannot_be_loaded_is_told_and_harms_nothing),
		cmocka_unit_test(a_process_that_is_not_there_is_told),
		cmocka_unit_test(a_page_that_is_gone_has_ended),
		cmocka_unit_test(
			functions_are_found_where_the_loader_finds_them),
	};

	return cmocka_run_group_tests(tests, use_built_library, NULL);
}
