/* SPDX-License-Identifier: Apache-2.0 */
#include "base/process.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define READ_SIZE 65536
#define COMPLAINT_SIZE 300

struct lp_process {
	pid_t pid;
	int out, errors; /* our ends of its pipes; -1: at the end */
	char *bytes;     /* read and not yet given away: [begin, end) */
	size_t capacity, begin, end;
	/* The last line of standard error, and the one being written. */
	char complaint[COMPLAINT_SIZE], unfinished[COMPLAINT_SIZE];
	size_t n_unfinished;
	char name[64];
};

/*
 * The variables that we set, whatever the user's environment says. S_COLORS is
 * sysstat's: "always" would put escape sequences into a pipe.
 */
static const char *const fixed_environment[] = { "LC_ALL=C", "TZ=UTC",
						 "S_COLORS=never" };

static bool is_fixed(const char *variable)
{
	for (size_t i = 0; i < lp_array_size(fixed_environment); i++) {
		const char *fixed = fixed_environment[i];
		size_t n = strcspn(fixed, "=") + 1;

		if (strncmp(variable, fixed, n) == 0)
			return true;
	}
	return false;
}

/* The strings are not copied; free the array. NULL: out of memory. */
static char **child_environment(void)
{
	size_t n = 0, used = 0;
	char **variables;

	while (environ && environ[n])
		n++;
	variables = calloc(n + lp_array_size(fixed_environment) + 1,
			   sizeof(*variables));
	if (!variables)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!is_fixed(environ[i]))
			variables[used++] = environ[i];
	for (size_t i = 0; i < lp_array_size(fixed_environment); i++)
		variables[used++] = (char *)fixed_environment[i];
	return variables;
}

/*
 * A limpid that ignores SIGPIPE or blocks signals must not hand that on: the
 * child could then go on writing to a pipe that nobody reads.
 */
static int set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, defaults;
	int status;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGTERM);
	status = posix_spawnattr_setsigmask(attributes, &none);
	if (status == 0)
		status = posix_spawnattr_setsigdefault(attributes, &defaults);
	if (status == 0)
		status = posix_spawnattr_setflags(
			attributes,
			POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	return status;
}

static int set_files(posix_spawn_file_actions_t *actions, int out, int errors)
{
	int status =
		posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);

	if (status == 0)
		status = posix_spawn_file_actions_adddup2(actions, errors,
							  STDERR_FILENO);
	if (status == 0)
		status = posix_spawn_file_actions_addopen(
			actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	return status;
}

/* 0 or an errno, as posix_spawn does. */
static int spawn(const char *const *argv, int out, int errors, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	lp_auto_free char **variables = child_environment();
	int status;

	if (!variables)
		return ENOMEM;
	status = posix_spawn_file_actions_init(&actions);
	if (status != 0)
		return status;
	status = posix_spawnattr_init(&attributes);
	if (status == 0) {
		status = set_signals(&attributes);
		if (status == 0)
			status = set_files(&actions, out, errors);
		if (status == 0)
			status = posix_spawnp(pid, argv[0], &actions,
					      &attributes, (char *const *)argv,
					      variables);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

static struct lp_process *process_new(const char *program)
{
	struct lp_process *process = calloc(1, sizeof(*process));
	const char *slash = strrchr(program, '/');

	if (!process)
		return NULL;
	process->pid = -1;
	process->out = process->errors = -1;
	strncpy(process->name, slash ? slash + 1 : program,
		sizeof(process->name) - 1);
	return process;
}

/* Opens the pipes, starts the child, and keeps our ends only. */
static int start(struct lp_process *process, const char *const *argv)
{
	lp_auto_close int child_out = -1;
	lp_auto_close int child_errors = -1;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	process->out = ends[0];
	child_out = ends[1];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	process->errors = ends[0];
	child_errors = ends[1];
	if (fcntl(process->out, F_SETFL, O_NONBLOCK) < 0 ||
	    fcntl(process->errors, F_SETFL, O_NONBLOCK) < 0)
		return errno;
	return spawn(argv, child_out, child_errors, &process->pid);
}

int lp_process_open(const char *const *argv, const char *package,
		    struct lp_process **process, struct lp_error *err)
{
	struct lp_process *made = process_new(argv[0]);
	int status;

	if (!made)
		return lp_fail_memory(err);
	status = start(made, argv);
	if (status == 0) {
		*process = made;
		return 0;
	}
	made->pid = -1;
	lp_process_close(made);
	if (status == ENOENT)
		return lp_fail(err, status,
			       "the program %s is not installed: it comes with "
			       "the package %s (apt-get install %s)",
			       argv[0], package, package);
	if (status == EMFILE || status == ENFILE)
		return lp_fail(err, status,
			       "cannot run %s: too many open files; use fewer "
			       "files at once, or raise the limit (ulimit -Hn)",
			       argv[0]);
	return lp_fail_errno(err, status, "cannot run %s", argv[0]);
}

static void end_complaint_line(struct lp_process *process)
{
	process->unfinished[process->n_unfinished] = '\0';
	if (process->n_unfinished > 0)
		memcpy(process->complaint, process->unfinished,
		       process->n_unfinished + 1);
	process->n_unfinished = 0;
}

static void keep_complaint(struct lp_process *process, const char *bytes,
			   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '\n')
			end_complaint_line(process);
		else if (process->n_unfinished < COMPLAINT_SIZE - 1)
			process->unfinished[process->n_unfinished++] =
				c < ' ' || c == 0x7f ? ' ' : (char)c;
	}
}

static void close_end(int *fd)
{
	close(*fd);
	*fd = -1;
}

static void drain_errors(struct lp_process *process)
{
	char bytes[1024];
	ssize_t n = 1;

	while (process->errors >= 0 && n > 0) {
		n = read(process->errors, bytes, sizeof(bytes));
		if (n > 0)
			keep_complaint(process, bytes, (size_t)n);
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			close_end(&process->errors);
	}
}

/*
 * Wait until there is output. Standard error is read meanwhile: a child that
 * filled that pipe would wait for us for ever.
 */
static int wait_for_output(struct lp_process *process)
{
	struct pollfd fds[2] = {
		{ .fd = process->out, .events = POLLIN },
		{ .fd = process->errors, .events = POLLIN },
	};

	while (!fds[0].revents) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -errno;
		if (fds[1].revents)
			drain_errors(process);
		fds[1].fd = process->errors;
	}
	return 0;
}

/* Bytes from the pipe itself. 1, 0 or -errno. */
static int fill(struct lp_process *process, void *bytes, size_t room,
		size_t *got)
{
	ssize_t n;
	int status;

	while (process->out >= 0) {
		n = read(process->out, bytes, room);
		if (n > 0) {
			*got = (size_t)n;
			return 1;
		}
		if (n == 0) {
			close_end(&process->out);
			break;
		}
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		status = wait_for_output(process);
		if (status < 0)
			return status;
	}
	return 0;
}

int lp_process_read(struct lp_process *process, void *bytes, size_t room,
		    size_t *got, struct lp_error *err)
{
	size_t kept = process->end - process->begin;
	int status;

	if (kept > 0) {
		*got = kept < room ? kept : room;
		memcpy(bytes, process->bytes + process->begin, *got);
		process->begin += *got;
		return 1;
	}
	status = fill(process, bytes, room, got);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot read what %s prints",
				     process->name);
	return status;
}

/* Read more behind what is kept; moves it to the front of the buffer. */
static int read_more(struct lp_process *process, struct lp_error *err)
{
	size_t kept = process->end - process->begin, got;
	int status;

	if (kept >= LP_PROCESS_LINE)
		return lp_fail(err, EOVERFLOW,
			       "%s printed a line of over %d bytes",
			       process->name, LP_PROCESS_LINE);
	if (kept > 0 && process->begin > 0)
		memmove(process->bytes, process->bytes + process->begin, kept);
	process->begin = 0;
	process->end = kept;
	/* One more for the NUL behind an unended last line. */
	if (lp_grow(&process->bytes, &process->capacity, kept + READ_SIZE + 1,
		    1) < 0)
		return lp_fail_memory(err);
	status = fill(process, process->bytes + kept, READ_SIZE, &got);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot read what %s prints",
				     process->name);
	if (status > 0)
		process->end += got;
	return status;
}

int lp_process_line(struct lp_process *process, char **line, size_t *length,
		    struct lp_error *err)
{
	size_t searched = 0, kept;
	char *newline = NULL;
	int status;

	for (;;) {
		kept = process->end - process->begin;
		if (kept > searched)
			newline = memchr(process->bytes + process->begin +
						 searched,
					 '\n', kept - searched);
		if (newline)
			break;
		searched = kept;
		status = read_more(process, err);
		if (status < 0)
			return status;
		if (status > 0)
			continue;
		if (kept == 0)
			return 0;
		newline = process->bytes + process->end;
		process->end++;
		break;
	}
	*newline = '\0';
	*line = process->bytes + process->begin;
	*length = (size_t)(newline - *line);
	process->begin += *length + 1;
	return 1;
}

const char *lp_process_complaint(const struct lp_process *process)
{
	return process->complaint;
}

/* Its wait status; 0 too when the system has forgotten it (SIGCHLD ignored). */
static int reap(struct lp_process *process)
{
	int status = 0;

	while (waitpid(process->pid, &status, 0) < 0) {
		if (errno == EINTR)
			continue;
		status = 0;
		break;
	}
	process->pid = -1;
	return status;
}

static int judge(const struct lp_process *process, int status,
		 struct lp_error *err)
{
	const char *words = process->complaint;

	if (WIFSIGNALED(status))
		return lp_fail(err, EIO, "%s was ended by signal %d (%s)",
			       process->name, WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == 0)
		return 0;
	if (words[0])
		return lp_fail(err, EIO, "%s: %s", process->name, words);
	return lp_fail(err, EIO, "%s failed with status %d and printed nothing",
		       process->name, WEXITSTATUS(status));
}

/* Read both pipes to their ends. */
static int discard_rest(struct lp_process *process, struct lp_error *err)
{
	char bytes[4096];
	size_t got;
	int status;

	do
		status = lp_process_read(process, bytes, sizeof(bytes), &got,
					 err);
	while (status > 0);
	if (status < 0)
		return status;
	while (process->errors >= 0) {
		struct pollfd fd = { .fd = process->errors, .events = POLLIN };

		if (poll(&fd, 1, -1) > 0)
			drain_errors(process);
	}
	end_complaint_line(process);
	return 0;
}

int lp_process_finish(struct lp_process *process, struct lp_error *err)
{
	int status = discard_rest(process, err);

	if (status == 0)
		status = judge(process, reap(process), err);
	lp_process_close(process);
	return status;
}

void lp_process_close(struct lp_process *process)
{
	if (!process)
		return;
	if (process->out >= 0)
		close(process->out);
	if (process->errors >= 0)
		close(process->errors);
	if (process->pid > 0) {
		kill(process->pid, SIGKILL);
		reap(process);
	}
	free(process->bytes);
	free(process);
}
