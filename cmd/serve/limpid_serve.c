/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-serve: the live service. Follows archives, keeps findings, answers on
 * loopback, alerts.
 */
#include "command.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/signals.h"
#include "serve/notify.h"
#include "serve/replay.h"
#include "serve/sender.h"
#include "serve/server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct options {
	struct lp_settings settings; /* what the command line says */
	const char *config, *replay, *speed;
	bool check_config;
};

#define SETTING(name, field, what, text)                                       \
	{                                                                      \
		.long_name = name, .type = LP_OPTION_STRING, .value = what,    \
		.offset = offsetof(struct options, settings.field),            \
		.help = text                                                   \
	}

static const struct lp_option table[] = {
	SETTING("listen", listen, "ADDRESS:PORT",
		"answer there (default 127.0.0.1:8765); loopback only"),
	SETTING("state", state, "DIR",
		"keep findings there (default /var/lib/limpid)"),
	SETTING("period", period, "TIME",
		"how often the archives grow (default 10s)"),
	SETTING("step", step, "TIME",
		"compare in steps of this length (default: the interval of "
		"the recorders)"),
	SETTING("keep", keep, "TIME",
		"forget findings that were resolved so long ago (default "
		"365d)"),
	SETTING("quiet", quiet, "TIME",
		"a finding is resolved after so long without a difference "
		"(default 5m)"),
	SETTING("method", method, "NAME", "the method, as of limpid diagnose"),
	SETTING("cluster", cluster, "FILE",
		"the cluster file, limpid-cluster(5)"),
	SETTING("calibration", calibration, "FILE",
		"what 'limpid calibrate' measured on this site"),
	SETTING("false-alarms", false_alarms, "RATE",
		"accept so many false alerts (default 1/month)"),
	SETTING("alert-after", alert_after, "TIME",
		"alert when a finding lasted so long (default 5m)"),
	SETTING("alertmanager", alertmanager, "URL",
		"send alerts to this Alertmanager"),
	SETTING("webhook", webhook, "URL", "send alerts there as JSON"),
	SETTING("command", command, "COMMAND",
		"run this for each alert, with the alert as JSON on its "
		"standard input"),
	SETTING("url", url, "URL",
		"how people reach this service, for links in alerts"),
	{ .long_name = "config",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, config),
	  .help = "read settings from this file; the command line counts "
		  "more" },
	{ .long_name = "check-config",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, check_config),
	  .help = "check the settings, and do nothing else" },
	{ .long_name = "replay",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct options, replay),
	  .help = "feed these recordings as if they were recorded now" },
	{ .long_name = "speed",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct options, speed),
	  .help = "with --replay: so many times as fast (default 1)" },
};

static const struct lp_usage usage = {
	.command = "limpid serve",
	.summary = "Follows the recordings of all servers and shows what "
		   "differs now.",
	.operands = "[DIR...]",
	.max_operands = LP_OPERANDS_ANY,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "Answers on loopback only. SIGTERM and SIGINT stop it, SIGHUP "
		 "reads the\nconfiguration, the cluster file and the "
		 "calibration again.\n",
};

/* ---- the log ---- */

/* key=value; a value with anything but plain letters is quoted. */
static void put_value(FILE *out, const char *text)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789-_./:>,+";

	if (text[0] && text[strspn(text, plain)] == '\0') {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text,
		      out);
	}
	fputc('"', out);
}

static void write_log(void *user, const char *event, const char *const *fields)
{
	char now[LP_TIME_TEXT];

	(void)user;
	flockfile(stderr);
	fprintf(stderr, "time=%s event=%s",
		lp_time_format(lp_time_now() / LP_NS_PER_S * LP_NS_PER_S, now),
		event);
	for (; fields[0] && fields[1]; fields += 2) {
		fprintf(stderr, " %s=", fields[0]);
		put_value(stderr, fields[1]);
	}
	fputc('\n', stderr);
	funlockfile(stderr);
}

/* ---- running ---- */

struct run {
	const struct options *options;
	struct lp_service service;
	struct lp_server *server;
	struct lp_sender *sender;
	struct lp_replay *replay; /* NULL: it is now */
	int signals;
	bool over; /* of the replay */
	bool stop;
};

static int load(const struct options *o, char **paths,
		struct lp_settings *settings, struct lp_error *err)
{
	int status = 0;

	*settings = o->settings;
	for (; *paths; paths++) {
		if (settings->n_paths == LP_SERVE_PATHS)
			return lp_fail(err, EINVAL, "at most %d directories",
				       LP_SERVE_PATHS);
		settings->paths[settings->n_paths++] = *paths;
	}
	if (o->config)
		status = lp_settings_read(settings, o->config, err);
	/* What is followed is made of what is replayed. */
	if (o->replay && settings->n_paths == 0)
		settings->paths[settings->n_paths++] = o->replay;
	return status ? status : lp_settings_check(settings, err);
}

static int start_replay(struct run *r, struct lp_settings *settings,
			struct lp_error *err)
{
	char to[4096];
	double speed = 1;

	if (!r->options->replay)
		return 0;
	if (r->options->speed &&
	    (lp_parse_double(r->options->speed, strlen(r->options->speed),
			     &speed) < 0 ||
	     !(speed > 0)))
		return lp_fail(err, EINVAL,
			       "--speed: '%s' is not a number above 0",
			       r->options->speed);
	snprintf(to, sizeof(to), "%s/replay-%ld", settings->state,
		 (long)getpid());
	settings->paths[0] = lp_arena_string(&settings->arena, to);
	settings->n_paths = 1;
	return settings->paths[0] ? lp_replay_open(r->options->replay, to,
						   speed, &r->replay, err)
				  : lp_fail_memory(err);
}

static int64_t clock_of(const struct run *r)
{
	return r->replay ? lp_replay_now(r->replay) : lp_time_now();
}

static int step(struct run *r, struct lp_error *err)
{
	int64_t now = clock_of(r);
	bool was_over = r->over;
	int status = 0;

	if (r->replay)
		status = lp_replay_step(r->replay, now, &r->over, err);
	if (status == 0)
		status = lp_service_step(&r->service, now, r->over, err);
	if (status == 0 && r->over && !was_over)
		lp_service_log(&r->service, "replayed", "text",
			       "all recordings were read", NULL);
	if (status == 0)
		lp_sender_send(r->sender, now);
	lp_notify("WATCHDOG=1");
	return status;
}

static void take_signal(struct run *r)
{
	struct signalfd_siginfo info;
	struct lp_error err;

	while (read(r->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGHUP) {
			r->stop = true;
			continue;
		}
		lp_notify("RELOADING=1");
		if (lp_service_reload(&r->service, &err) < 0)
			lp_service_log(&r->service, "reload", "text", err.text,
				       NULL);
		else
			lp_service_log(&r->service, "reload", "text", "done",
				       NULL);
		lp_notify("READY=1");
	}
}

/* A step that fails is tried again: what it read it has. */
static int loop(struct run *r, struct lp_error *err)
{
	double speed = 1;
	int64_t period = r->service.settings.period_ns, next = 0;

	if (r->replay && r->options->speed)
		lp_parse_double(r->options->speed, strlen(r->options->speed),
				&speed);
	period = (int64_t)((double)period / speed);
	while (!r->stop) {
		struct pollfd signals = { r->signals, POLLIN, 0 };
		int64_t left = next - lp_monotonic_now();
		int wait_ms = left > LP_NS_PER_S ? 1000
			      : left <= 0        ? 0
						 : (int)(left / 1000000) + 1;

		if (poll(&signals, 1, wait_ms) > 0)
			take_signal(r);
		lp_server_tidy(r->server);
		if (lp_monotonic_now() < next || r->stop)
			continue;
		next = lp_monotonic_now() + period;
		if (step(r, err) < 0) {
			if (r->replay)
				return -EIO;
			lp_service_log(&r->service, "error", "text", err->text,
				       NULL);
		}
	}
	return 0;
}

static int open_all(struct run *r, struct lp_settings *settings,
		    struct lp_error *err)
{
	int status = lp_signals_open(err);

	if (status < 0)
		return status;
	r->signals = status;
	status = lp_service_open(&r->service, settings, write_log, NULL, err);
	if (status == 0)
		status = start_replay(r, &r->service.settings, err);
	if (status == 0)
		status = lp_server_open(&r->service, &r->server, err);
	if (status == 0) {
		r->sender =
			lp_sender_new(&r->service, lp_server_port(r->server));
		status = r->sender ? 0 : lp_fail_memory(err);
	}
	return status;
}

/* It may come later, and is looked for all the time; but it may be a slip. */
static void tell_missing(const struct lp_service *service)
{
	const struct lp_settings *settings = &service->settings;

	for (size_t i = 0; i < settings->n_paths; i++)
		if (access(settings->paths[i], R_OK) < 0)
			lp_service_log(service, "unreadable", "path",
				       settings->paths[i], "reason",
				       strerror(errno), NULL);
}

static int serve(const struct options *o, struct lp_settings *settings,
		 struct lp_error *err)
{
	struct run r = { .options = o, .signals = -1 };
	char port[16];
	int status = open_all(&r, settings, err);

	if (status == 0) {
		snprintf(port, sizeof(port), "%u",
			 (unsigned)lp_server_port(r.server));
		lp_service_log(&r.service, "listening", "address",
			       r.service.settings.host, "port", port, NULL);
		tell_missing(&r.service);
		lp_notify("READY=1");
		status = loop(&r, err);
		lp_notify("STOPPING=1");
	}
	lp_server_close(r.server);
	lp_sender_free(r.sender);
	lp_service_close(&r.service);
	lp_replay_close(r.replay);
	if (r.signals >= 0)
		close(r.signals);
	return status;
}

static int run(const struct options *o, char **paths, struct lp_error *err)
{
	struct lp_settings settings;
	int status = load(o, paths, &settings, err);

	if (status < 0) {
		lp_command_misuse(&usage, err);
		lp_settings_done(&settings);
		return LP_EXIT_USAGE;
	}
	if (o->check_config) {
		lp_settings_done(&settings);
		return lp_command_finish(&usage);
	}
	status = serve(o, &settings, err);
	lp_settings_done(&settings);
	return status < 0 ? lp_command_fail(&usage, err) : LP_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_error err;
	int status, first;

	if (lp_command_begin(&usage, argc, argv, &options, &first, &status))
		status = run(&options, argv + first, &err);
	return status;
}
