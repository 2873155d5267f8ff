/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-disk: one file served like one spindle.
 *
 * One thread does everything: it waits for a request of the kernel's, a
 * command, a signal, or the time at which the next answer is due. Requests
 * never wait for each other but in the arithmetic of the spindle.
 */
#include "command.h"

#include "base/memory.h"
#include "base/signals.h"
#include "base/timestamp.h"
#include "disk/console.h"
#include "disk/doors.h"
#include "disk/guard.h"
#include "disk/store.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

struct options {
	const char *backing, *mount, *control, *size, *rate, *seek;
	struct lp_option_list set;
};

static const struct lp_option table[] = {
	{ .long_name = "backing",
	  .type = LP_OPTION_REQUIRED,
	  .value = "FILE",
	  .offset = offsetof(struct options, backing),
	  .help = "file with the disk's bytes; --size creates it" },
	{ .long_name = "mount",
	  .type = LP_OPTION_REQUIRED,
	  .value = "DIR",
	  .offset = offsetof(struct options, mount),
	  .help = "directory for the files disk and under" },
	{ .long_name = "control",
	  .type = LP_OPTION_REQUIRED,
	  .value = "SOCKET",
	  .offset = offsetof(struct options, control),
	  .help = "socket for commands" },
	{ .long_name = "size",
	  .type = LP_OPTION_STRING,
	  .value = "BYTES",
	  .offset = offsetof(struct options, size),
	  .help = "size of the disk, for example 2Gi" },
	{ .long_name = "rate",
	  .type = LP_OPTION_STRING,
	  .value = "BYTES",
	  .offset = offsetof(struct options, rate),
	  .help = "bytes per second of the disk (default 12M)" },
	{ .long_name = "seek",
	  .type = LP_OPTION_STRING,
	  .value = "MS",
	  .offset = offsetof(struct options, seek),
	  .help = "extra time of a request that is not sequential (default "
		  "8)" },
	{ .long_name = "set",
	  .type = LP_OPTION_LIST,
	  .value = "COMMAND",
	  .offset = offsetof(struct options, set),
	  .help = "start with this setting, for example 'latency 2'" },
};

static const struct lp_usage usage = {
	.command = "limpid-disk",
	.summary = "Provides a virtual disk with adjustable speed and errors.",
	.operands = "",
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "'limpid-disk ctl SOCKET COMMAND...' changes a disk in use: "
		 "rate, seek,\nlatency, jitter, errors, stuck, bus, cache, "
		 "power, gone, back, flip, status,\nreset. SIGTERM ends it.\n",
};

static const struct lp_usage ctl_usage = {
	.command = "limpid-disk ctl",
	.summary = "Changes a disk in use, or shows its state.",
	.operands = "SOCKET COMMAND...",
	.min_operands = 2,
	.max_operands = LP_OPERANDS_ANY,
};

struct server {
	struct lab_drive drive;
	struct lab_doors doors;
	struct lab_unflushed unflushed;
	struct lab_console console;
	int signals;
};

static int ctl(int argc, char **argv)
{
	char command[LAB_DISK_LINE] = "", reply[LAB_DISK_LINE];
	struct lp_error err;
	size_t used = 0;
	int first, status;

	if (!lp_command_begin(&ctl_usage, argc, argv, NULL, &first, &status))
		return status;
	for (int i = first + 1; i < argc && used < sizeof(command); i++)
		used += (size_t)snprintf(command + used, sizeof(command) - used,
					 "%s%s", used ? " " : "", argv[i]);
	if (lab_disk_control(argv[first], command, reply, &err) < 0)
		return lp_command_fail(&ctl_usage, &err);
	puts(reply);
	return lp_command_finish(&ctl_usage);
}

static int set(struct lab_disk_settings *settings, const char *command,
	       struct lp_error *err)
{
	int verb =
		lab_disk_settings_take(settings, command, strlen(command), err);

	return verb < 0 ? verb : 0;
}

/* "--rate 12M" is the command "rate 12M"; without a value nothing is set. */
static int set_option(struct lab_disk_settings *settings, const char *name,
		      const char *value, struct lp_error *err)
{
	char command[LAB_DISK_LINE];

	if (!value)
		return 0;
	snprintf(command, sizeof(command), "%s %s", name, value);
	return set(settings, command, err);
}

static int take_settings(const struct options *options,
			 struct lab_disk_settings *settings,
			 struct lp_error *err)
{
	int status;

	lab_disk_settings_default(settings);
	status = set_option(settings, "rate", options->rate, err);
	if (status == 0)
		status = set_option(settings, "seek", options->seek, err);
	for (size_t i = 0; status == 0 && i < options->set.count; i++)
		status = set(settings, options->set.text[i], err);
	return status;
}

static int take_size(const struct options *options, uint64_t *size,
		     struct lp_error *err)
{
	*size = 0;
	if (options->size &&
	    lab_bytes_parse(options->size, strlen(options->size), size) < 0)
		return lp_fail(err, EINVAL,
			       "--size %s: expected bytes, for example 2Gi",
			       options->size);
	return 0;
}

/*
 * A disk does not wait for a processor: where it is permitted, this goes
 * before everything else. It needs little time, and answers to the
 * microsecond, not to the 50 of a timer's usual slack. Nor does it wait for
 * memory that is freed by writing to this very disk, or behind all the others
 * who write: that is what an I/O flusher is spared.
 */
static void be_a_device(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	prctl(PR_SET_TIMERSLACK, 1);
	prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first);
}

static void answer_command(void *context, const char *line, size_t n,
			   char reply[LAB_DISK_LINE])
{
	struct server *server = context;

	lab_drive_command(&server->drive, line, n, lp_monotonic_now(), reply);
}

/* Until something happens or an answer is due. */
static int wait_for(const struct server *server, struct pollfd *fds, nfds_t n)
{
	int64_t wait = lab_drive_wait_ns(&server->drive, lp_monotonic_now());
	struct timespec limit = { wait / LP_NS_PER_S, wait % LP_NS_PER_S };

	return ppoll(fds, n, wait < 0 ? NULL : &limit, NULL);
}

static int serve(struct server *server, struct lp_error *err)
{
	struct pollfd fds[2 + LAB_CONSOLE_FDS];
	bool said = false;
	int status = 0;

	while (status == 0 && !server->doors.gone) {
		fds[0] = (struct pollfd){ lab_doors_fd(&server->doors), POLLIN,
					  0 };
		fds[1] = (struct pollfd){ server->signals, POLLIN, 0 };
		lab_console_poll(&server->console, fds + 2);
		if (wait_for(server, fds, lp_array_size(fds)) < 0)
			continue;
		lab_doors_answer(&server->doors, lp_monotonic_now());
		if (fds[1].revents)
			return 0;
		if (fds[0].revents)
			status = lab_doors_receive(&server->doors, err);
		lab_console_serve(&server->console, fds + 2, answer_command,
				  server);
		if (server->doors.ready && !said) {
			said = true;
			puts("ready");
			fflush(stdout);
		}
	}
	return status;
}

static int mount_and_serve(struct server *server, const char *dir,
			   struct lp_error *err)
{
	int status;

	server->doors.drive = &server->drive;
	be_a_device();
	status = lab_doors_open(&server->doors, dir, err);
	if (status < 0)
		return status;
	status = serve(server, err);
	lab_doors_close(&server->doors);
	return status;
}

/* The backing file is made last, when nothing else can be refused. */
static int open_and_serve(struct server *server, const struct options *options,
			  const struct lab_disk_settings *settings,
			  uint64_t size, struct lp_error *err)
{
	lp_auto_close int store = -1;
	int status = lab_doors_check(options->mount, err);

	if (status < 0)
		return status;
	store = lab_store_open(options->backing, size, &size, err);
	if (store < 0)
		return store;
	server->doors.store = store;
	server->unflushed =
		(struct lab_unflushed){ .store = store,
					.keeps = settings->is_volatile };
	status = lab_drive_init(&server->drive, size, settings, err);
	if (status < 0)
		return status;
	server->drive.unflushed = &server->unflushed;
	status = mount_and_serve(server, options->mount, err);
	lab_drive_done(&server->drive);
	lab_unflushed_done(&server->unflushed);
	return status;
}

static int listen_and_serve(struct server *server,
			    const struct options *options,
			    const struct lab_disk_settings *settings,
			    uint64_t size, struct lp_error *err)
{
	lp_auto_close int signals = lp_signals_open(err);
	int status = signals;

	server->signals = signals;
	if (status >= 0)
		status = lab_guard_start(options->mount, err);
	if (status >= 0)
		status = lab_console_open(&server->console, options->control,
					  err);
	if (status < 0)
		return status;
	status = open_and_serve(server, options, settings, size, err);
	lab_console_close(&server->console);
	return status;
}

static int run(const struct options *options, struct server *server)
{
	struct lab_disk_settings settings;
	struct lp_error err;
	uint64_t size;

	if (take_size(options, &size, &err) < 0 ||
	    take_settings(options, &settings, &err) < 0)
		return lp_command_misuse(&usage, &err);
	if (listen_and_serve(server, options, &settings, size, &err) < 0)
		return lp_command_fail(&usage, &err);
	return LP_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct options options = { .backing = NULL };
	lp_auto_free struct server *server = calloc(1, sizeof(*server));
	int status, first;

	if (argc > 1 && strcmp(argv[1], "ctl") == 0)
		return ctl(argc - 1, argv + 1);
	if (!server) {
		fputs("limpid-disk: out of memory\n", stderr);
		return LP_EXIT_ERROR;
	}
	if (lp_command_begin(&usage, argc, argv, &options, &first, &status))
		status = run(&options, server);
	lp_option_list_done(&options.set);
	return status;
}
