/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that does I/O in every way the preload library sees, and says on
 * standard output, a line each, what it did, so that the trace can be compared
 * with it: "read OFFSET SIZE RESULT", offset empty if it has none. It says so
 * by write() to a pipe, which is not traced.
 *
 * usage: io_app ways DIR | threads DIR | forks DIR | kill SIGNAL N DIR |
 *        many N DIR | locked DIR | raw DIR | map DIR | aio DIR | ring DIR
 *
 * The last four move 8 MiB in ways that it does not see.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	char line[256];
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (write(STDOUT_FILENO, line, (size_t)n) != n)
		abort();
}

static void did(const char *what, long offset, long size, long result)
{
	if (offset < 0)
		say("%s,,%ld,%ld\n", what, size, result);
	else
		say("%s,%ld,%ld,%ld\n", what, offset, size, result);
}

static void check(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "io_app: %s\n", what);
	exit(3);
}

static int open_new(const char *directory, const char *name, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, flags | O_CREAT, 0600);
	check(fd >= 0, "open");
	did("open", -1, 0, 0);
	return fd;
}

static void close_it(int fd)
{
	check(close(fd) == 0, "close");
	did("close", -1, 0, 0);
}

static void plain_calls(const char *directory)
{
	char buffer[8192] = "limpid";
	int fd = open_new(directory, "plain", O_RDWR);

	did("write", 0, 4096, write(fd, buffer, 4096));
	did("write", 4096, 100, write(fd, buffer, 100));
	did("seek", 50, 0, lseek(fd, 50, SEEK_SET) == 50 ? 0 : -1);
	did("read", 50, 8192, read(fd, buffer, sizeof(buffer)));
	did("read", 4196, 10, read(fd, buffer, 10));
	did("write", 9000, 7, pwrite(fd, buffer, 7, 9000));
	did("read", 8999, 100, pread(fd, buffer, 100, 8999));
	did("sync", -1, 0, fsync(fd));
	did("sync", -1, 0, fdatasync(fd));
	did("seek", 9007, 0, lseek(fd, 0, SEEK_END) == 9007 ? 0 : -1);
	close_it(fd);
}

static void vectors(const char *directory)
{
	char a[100] = "a", b[300] = "b";
	struct iovec v[2] = { { a, sizeof(a) }, { b, sizeof(b) } };
	int fd = open_new(directory, "vectors", O_RDWR);

	did("write", 0, 400, writev(fd, v, 2));
	did("write", 1000, 400, pwritev(fd, v, 2, 1000));
	did("write", 2000, 400, pwritev2(fd, v, 2, 2000, 0));
	did("write", 400, 400, pwritev2(fd, v, 2, -1, 0));
	did("read", 800, 400, readv(fd, v, 2));
	did("read", 10, 400, preadv(fd, v, 2, 10));
	did("read", 2100, 400, preadv2(fd, v, 2, 2100, 0));
	close_it(fd);
}

static void copies(const char *directory)
{
	char buffer[64] = "c";
	int fd = open_new(directory, "copies", O_RDWR), other, third;

	did("write", 0, 64, write(fd, buffer, 64));
	other = dup(fd);
	did("write", 64, 64, write(other, buffer, 64));
	did("write", 128, 64, write(fd, buffer, 64));
	third = fcntl(fd, F_DUPFD, 100);
	check(third >= 100, "F_DUPFD");
	did("write", 192, 64, write(third, buffer, 64));
	check(dup2(fd, other) == other, "dup2");
	did("write", 256, 64, write(other, buffer, 64));
	close_it(other);
	close_it(third);
	close_it(fd);
	/* A copy that is left alone, twice, with other copies in between. */
	fd = open_new(directory, "twins", O_RDWR);
	did("write", 0, 64, write(fd, buffer, 64));
	other = dup(fd);
	did("write", 64, 64, write(other, buffer, 64));
	close_it(fd);
	did("write", 128, 64, write(other, buffer, 64));
	did("write", 192, 64, write(other, buffer, 64));
	third = dup(other);
	fd = dup(other);
	did("write", 256, 64, write(third, buffer, 64));
	close_it(third);
	did("write", 320, 64, write(fd, buffer, 64));
	did("write", 384, 64, write(other, buffer, 64));
	close_it(fd);
	did("write", 448, 64, write(other, buffer, 64));
	close_it(other);
	fd = open_new(directory, "copies", O_WRONLY | O_APPEND);
	did("write", 320, 10, write(fd, buffer, 10));
	close_it(fd);
}

/* Errors are the program's own, before and after. */
static void errors(const char *directory)
{
	char buffer[16];
	int fd = open_new(directory, "errors", O_WRONLY);

	errno = 4711;
	did("write", 0, 16, write(fd, buffer, 16));
	check(errno == 4711, "errno after a good call");
	check(read(fd, buffer, 16) == -1 && errno == EBADF, "EBADF");
	did("read", 16, 16, -EBADF);
	check(lseek(fd, -5, SEEK_SET) == -1 && errno == EINVAL, "EINVAL");
	did("seek", -1, 0, -EINVAL);
	close_it(fd);
	check(read(fd, buffer, 1) == -1 && errno == EBADF, "closed");
	check(open("/not/there", O_RDONLY) == -1 && errno == ENOENT, "ENOENT");
	check(close(-1) == -1 && errno == EBADF, "close(-1)");
}

static void maps_and_streams(const char *directory)
{
	char path[4096], line[64];
	int fd = open_new(directory, "map", O_RDWR);
	FILE *file;
	void *map;

	did("write", 0, 64, write(fd, path, 64));
	map = mmap(NULL, 64, PROT_READ, MAP_SHARED, fd, 0);
	check(map != MAP_FAILED, "mmap");
	did("map", 0, 64, 64);
	close_it(fd);
	snprintf(path, sizeof(path), "%s/stream", directory);
	file = fopen(path, "w+");
	did("open", -1, 0, 0);
	did("buffered write", -1, 12,
	    (long)fwrite("hello\nworld\n", 1, 12, file));
	did("buffered write", -1, 4, fprintf(file, "%d\n", 123));
	did("buffered write", -1, 0, fflush(file));
	rewind(file);
	check(fgets(line, sizeof(line), file) && !strcmp(line, "hello\n"),
	      "fgets");
	did("buffered read", -1, 6, 6);
	did("buffered read", -1, 40, (long)fread(line, 4, 10, file) * 4);
	check(fclose(file) == 0, "fclose");
	did("close", -1, 0, 0);
}

/* From file to file, to a pipe and from it; with and without an offset. */
static void kernel_copies(const char *directory)
{
	char buffer[8192] = "k";
	int from = open_new(directory, "from", O_RDWR), pipes[2];
	int to = open_new(directory, "to", O_RDWR);
	off64_t in = 100, out = 5000;
	off_t begin = 4;

	check(pipe(pipes) == 0, "pipe");
	did("write", 0, 8192, write(from, buffer, 8192));
	did("seek", 0, 0, lseek(from, 0, SEEK_SET) == 0 ? 0 : -1);
	did("copy", 0, 1000, copy_file_range(from, NULL, to, NULL, 1000, 0));
	did("copy", 5000, 300, copy_file_range(from, &in, to, &out, 300, 0));
	did("read", 1000, 10, read(from, buffer, 10));
	did("write", 1000, 7, write(to, buffer, 7));
	did("copy", 1007, 200, sendfile(to, from, &begin, 200));
	did("copy", 1207, 20, sendfile(to, from, NULL, 20));
	did("splice", 1030, 500, splice(from, NULL, pipes[1], NULL, 500, 0));
	did("splice", 1227, 500, splice(pipes[0], NULL, to, NULL, 500, 0));
	did("read", 1530, 9, read(from, buffer, 9));
	did("write", 1727, 9, write(to, buffer, 9));
	close_it(from);
	close_it(to);
}

static void *one_thread(void *directory)
{
	char name[32], buffer[512];
	int fd;

	snprintf(name, sizeof(name), "thread-%ld", (long)gettid());
	fd = open_new(directory, name, O_RDWR);
	for (int i = 0; i < 500; i++)
		did("write", i * 512L, 512, write(fd, buffer, 512));
	close_it(fd);
	return NULL;
}

static void threads(char *directory)
{
	pthread_t thread[8];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 8; i++)
			check(pthread_create(&thread[i], NULL, one_thread,
					     directory) == 0,
			      "pthread_create");
		for (int i = 0; i < 8; i++)
			pthread_join(thread[i], NULL);
	}
}

/* Parent and children go on with one position; one runs another program. */
static void forks(char *self, char *directory)
{
	char *argv[] = { self, "ways", directory, NULL };
	int fd = open_new(directory, "shared", O_RDWR), status;

	did("write", 0, 8, write(fd, "parent  ", 8));
	for (int i = 0; i < 4; i++) {
		pid_t child = fork();

		if (child == 0) {
			did("write", 8 + 16 * i, 8, write(fd, "child   ", 8));
			if (i == 3)
				execv("/proc/self/exe", argv);
			close_it(fd);
			_exit(0);
		}
		check(waitpid(child, &status, 0) == child && status == 0,
		      "waitpid");
		did("write", 16 + 16 * i, 8, write(fd, "parent  ", 8));
	}
	close_it(fd);
}

static void many(const char *directory, long n)
{
	char buffer[16] = "";
	int fd = open_new(directory, "many", O_RDWR);

	for (long i = 0; i < n; i++)
		check(pwrite(fd, buffer, 16, i % 64 * 16) == 16, "pwrite");
}

static void ways(const char *directory)
{
	plain_calls(directory);
	vectors(directory);
	copies(directory);
	errors(directory);
	maps_and_streams(directory);
	kernel_copies(directory);
}

/* ---- what the preload library does not see ---- */

#define UNSEEN (8l << 20)

static char big[UNSEEN];

/* Around the C library. */
static void raw(const char *directory)
{
	int fd = open_new(directory, "raw", O_RDWR);

	check(syscall(SYS_write, fd, big, UNSEEN) == UNSEEN, "raw write");
	check(syscall(SYS_pread64, fd, big, UNSEEN, 0L) == UNSEEN, "raw read");
	close_it(fd);
}

static void map_all(const char *directory)
{
	int fd = open_new(directory, "mapped", O_RDWR);
	char *map;

	check(ftruncate(fd, UNSEEN) == 0, "ftruncate");
	/* Longer than the file, as some databases do. */
	map = mmap(NULL, 64 * UNSEEN, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   0);
	check(map != MAP_FAILED, "mmap");
	memset(map, 1, UNSEEN);
	close_it(fd);
}

/* The kernel's aio as libaio would use it, which need not be there. */
static void aio(const char *directory)
{
	int fd = open_new(directory, "aio", O_RDWR);
	struct iocb one = { .aio_lio_opcode = IOCB_CMD_PWRITE,
			    .aio_fildes = (uint32_t)fd,
			    .aio_buf = (uintptr_t)big,
			    .aio_nbytes = UNSEEN },
		    *list = &one;
	int (*submit)(aio_context_t, long, struct iocb **) =
		(int (*)(aio_context_t, long, struct iocb **))dlsym(
			RTLD_DEFAULT, "io_submit");
	aio_context_t context = 0;
	struct io_event event;

	check(syscall(SYS_io_setup, 1, &context) == 0, "io_setup");
	check((submit ? submit(context, 1, &list)
		      : (int)syscall(SYS_io_submit, context, 1L, &list)) == 1,
	      "io_submit");
	check(syscall(SYS_io_getevents, context, 1L, 1L, &event, NULL) == 1 &&
		      event.res == UNSEEN,
	      "io_getevents");
	close_it(fd);
}

/* One write by a ring of its own; 77: this kernel has none. */
static void ring(const char *directory)
{
	struct io_uring_params p = { 0 };
	long fd = syscall(SYS_io_uring_setup, 1, &p);
	int file = open_new(directory, "ring", O_RDWR);
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
	char *queue;

	if (fd < 0)
		exit(77);
	queue = mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof(*cqe),
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, (int)fd,
		     IORING_OFF_SQ_RING);
	sqe = mmap(NULL, sizeof(*sqe), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_POPULATE, (int)fd, IORING_OFF_SQES);
	check(queue != MAP_FAILED && sqe != MAP_FAILED, "ring");
	*sqe = (struct io_uring_sqe){ .opcode = IORING_OP_WRITE,
				      .fd = file,
				      .addr = (uintptr_t)big,
				      .len = UNSEEN };
	*(uint32_t *)(queue + p.sq_off.array) = 0;
	__atomic_store_n((uint32_t *)(queue + p.sq_off.tail), 1,
			 __ATOMIC_RELEASE);
	check(syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS,
		      NULL, 0) == 1,
	      "io_uring_enter");
	cqe = (struct io_uring_cqe *)(queue + p.cq_off.cqes);
	check(cqe->res == UNSEEN, "io_uring");
	close_it(file);
}

/* Opening a file would kill it now; so must not the library. */
static void lock_in(const char *directory)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, rules };

	close_it(open_new(directory, "locked", O_RDWR));
	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
	      "seccomp");
}

int main(int argc, char **argv)
{
	char *what = argc > 2 ? argv[1] : "", *directory = argv[argc - 1];

	if (!strcmp(what, "ways"))
		ways(directory);
	else if (!strcmp(what, "threads"))
		threads(directory);
	else if (!strcmp(what, "forks"))
		forks(argv[0], directory);
	else if (!strcmp(what, "raw"))
		raw(directory);
	else if (!strcmp(what, "map"))
		map_all(directory);
	else if (!strcmp(what, "aio"))
		aio(directory);
	else if (!strcmp(what, "locked"))
		lock_in(directory);
	else if (!strcmp(what, "ring"))
		ring(directory);
	else if (!strcmp(what, "many"))
		many(directory, strtol(argv[2], NULL, 10));
	else if (!strcmp(what, "kill")) {
		many(directory, strtol(argv[3], NULL, 10));
		raise((int)strtol(argv[2], NULL, 10));
	} else
		return 2;
	return 0;
}
