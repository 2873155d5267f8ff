/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/sender.h"

#include "base/json.h"
#include "serve/answers.h"
#include "serve/post.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* An Alertmanager forgets an alert at its end: it is told again before. */
#define AGAIN_NS (60 * LP_NS_PER_S)
#define LAPSE_NS (300 * LP_NS_PER_S)
/* After so long without the same the alert is over, too: what comes and goes
   every ten minutes is one alert. */
#define CALM_NS (1800 * LP_NS_PER_S)
/* One that cannot be reached is tried again after. */
#define RETRY_NS (30 * LP_NS_PER_S)
#define COMMAND_S 30

enum receiver_kind { ALERTMANAGER, WEBHOOK, COMMAND, RECEIVERS };

struct receiver {
	const char *name; /* in the store; NULL: there is none */
	const char *target;
	struct lp_url url;
	int64_t retry_ns; /* of lp_monotonic_now */
	bool away;
};

struct lp_sender {
	struct lp_service *service;
	char url[300];
	struct receiver receivers[RECEIVERS];
};

/* One thing to tell one receiver. */
struct message {
	int64_t id;
	bool over; /* it is resolved */
	char *text;
	size_t size;
};

struct messages {
	struct message *items;
	size_t n, capacity;
};

/* ---- receivers ---- */

/* What an Alertmanager is reached by; its API has one path. */
static int add_path(char *text, size_t room, const char *url)
{
	size_t n = strlen(url);

	while (n && url[n - 1] == '/')
		n--;
	return snprintf(text, room, "%.*s/api/v2/alerts", (int)n, url);
}

static void set_receivers(struct lp_sender *s)
{
	const struct lp_settings *set = &s->service->settings;
	struct receiver *r = s->receivers;
	char text[1024];

	if (set->alertmanager) {
		add_path(text, sizeof(text), set->alertmanager);
		if (lp_url_parse(text, &r[ALERTMANAGER].url, NULL) == 0)
			r[ALERTMANAGER].name = "alertmanager";
	}
	if (set->webhook &&
	    lp_url_parse(set->webhook, &r[WEBHOOK].url, NULL) == 0)
		r[WEBHOOK].name = "webhook";
	r[COMMAND].target = set->command;
	r[COMMAND].name = set->command ? "command" : NULL;
}

struct lp_sender *lp_sender_new(struct lp_service *service, uint16_t port)
{
	struct lp_sender *s = calloc(1, sizeof(*s));
	bool v6 = strchr(service->settings.host, ':') != NULL;

	if (!s)
		return NULL;
	s->service = service;
	if (service->settings.url)
		snprintf(s->url, sizeof(s->url), "%s", service->settings.url);
	else
		snprintf(s->url, sizeof(s->url), "http://%s%s%s:%u",
			 v6 ? "[" : "", service->settings.host, v6 ? "]" : "",
			 (unsigned)port);
	set_receivers(s);
	return s;
}

void lp_sender_free(struct lp_sender *s)
{
	free(s);
}

/* ---- what is to be told ---- */

struct gathering {
	struct lp_sender *sender;
	enum receiver_kind kind;
	int64_t now_ns;
	struct messages messages;
};

static bool is_over(const struct lp_stored *f, int64_t now_ns)
{
	return f->resolved_ns && now_ns - f->resolved_ns >= CALM_NS;
}

static void put_labels(struct lp_json *json, const struct lp_stored *f)
{
	lp_json_key(json, "labels");
	lp_json_object(json);
	lp_put_text(json, "alertname", "limpid");
	/* What is resolved and comes back is the same alert. */
	lp_put_text(json, "component", f->component);
	lp_put_text(json, "resource", f->resource);
	if (f->host[0])
		lp_put_text(json, "host", f->host);
	lp_put_text(json, "cause", f->cause);
	if (f->group[0])
		lp_put_text(json, "group", f->group);
	lp_json_end(json);
}

static void put_alert(const struct gathering *g, struct lp_json *json,
		      const struct lp_stored *f)
{
	char url[400], summary[400];

	snprintf(url, sizeof(url), "%s/#finding-%lld", g->sender->url,
		 (long long)f->id);
	snprintf(summary, sizeof(summary), "%.200s: %.150s", f->component,
		 f->title);
	lp_json_array(json);
	lp_json_object(json);
	put_labels(json, f);
	lp_json_key(json, "annotations");
	lp_json_object(json);
	lp_put_text(json, "summary", summary);
	lp_json_end(json);
	lp_put_time(json, "startsAt", f->since_ns);
	/* The receiver's clock counts, and not that of a replay. */
	lp_put_time(json, "endsAt",
		    is_over(f, g->now_ns) ? lp_time_now()
					  : lp_time_now() + LAPSE_NS);
	lp_put_text(json, "generatorURL", url);
	lp_json_end(json);
	lp_json_end(json);
}

static void put_event(const struct gathering *g, struct lp_json *json,
		      const struct lp_stored *f)
{
	char url[400];

	snprintf(url, sizeof(url), "%s/#finding-%lld", g->sender->url,
		 (long long)f->id);
	lp_json_object(json);
	lp_put_text(json, "format", "limpid-alert");
	lp_put_number(json, "version", 1);
	lp_put_text(json, "status",
		    is_over(f, g->now_ns) ? "resolved" : "firing");
	lp_put_text(json, "url", url);
	lp_json_key(json, "finding");
	lp_json_object(json);
	lp_put_stored(json, f);
	lp_json_end(json);
	lp_json_end(json);
}

static int add_message(struct gathering *g, const struct lp_stored *f)
{
	struct message m = { .id = f->id, .over = is_over(f, g->now_ns) };
	struct lp_json json;
	FILE *out = open_memstream(&m.text, &m.size);

	if (!out)
		return -ENOMEM;
	lp_json_init(&json, out);
	if (g->kind == ALERTMANAGER)
		put_alert(g, &json, f);
	else
		put_event(g, &json, f);
	if (fclose(out) != 0 ||
	    lp_grow(&g->messages.items, &g->messages.capacity,
		    g->messages.n + 1, sizeof(m)) < 0) {
		free(m.text);
		return -ENOMEM;
	}
	g->messages.items[g->messages.n++] = m;
	return 0;
}

/* "", "firing" or "resolved", and when that was said. */
static int said_of(struct gathering *g, int64_t id, char said[16],
		   int64_t *sent_ns)
{
	struct lp_store *store = &g->sender->service->store;
	sqlite3_stmt *s;
	int status = lp_store_prepare(
		store, &s, NULL,
		"SELECT said, sent_ns FROM delivery WHERE receiver = ? AND "
		"finding = ?",
		"si", g->sender->receivers[g->kind].name, id);

	said[0] = '\0';
	*sent_ns = 0;
	if (status < 0)
		return status;
	status = lp_store_step(store, s, NULL);
	if (status > 0) {
		snprintf(said, 16, "%s", lp_store_text(s, 0));
		*sent_ns = sqlite3_column_int64(s, 1);
	}
	sqlite3_finalize(s);
	return status < 0 ? status : 0;
}

/* Whether it is worth an alert at all, once it is told. */
static bool lasted(const struct gathering *g, const struct lp_stored *f)
{
	return f->alerting && !f->maintenance &&
	       f->until_ns - f->since_ns >=
		       g->sender->service->settings.alert_after_ns;
}

static int look_at(void *user, const struct lp_stored *f)
{
	struct gathering *g = user;
	bool over = is_over(f, g->now_ns);
	bool known = strcmp(f->state, "acknowledged") == 0;
	int64_t sent_ns;
	char said[16];
	int status = said_of(g, f->id, said, &sent_ns);
	bool firing = strcmp(said, "firing") == 0;

	if (status < 0)
		return status;
	if (firing && over)
		return add_message(g, f);
	/* It is told again before it would lapse. */
	if (firing && g->kind == ALERTMANAGER &&
	    lp_time_now() - sent_ns >= AGAIN_NS)
		return add_message(g, f);
	if (firing || known || !lasted(g, f))
		return 0;
	/* Came and went while nobody could be told: once. */
	if (over && strcmp(said, "resolved") == 0 && sent_ns >= f->resolved_ns)
		return 0;
	if (over && f->resolved_ns < g->now_ns - LP_LIFE_REOPEN_NS)
		return 0;
	return add_message(g, f);
}

static int gather_messages(struct gathering *g)
{
	/* What was resolved long ago was told. */
	struct lp_stored_filter recent = { .since_ns = g->now_ns -
						       2 * LP_LIFE_REOPEN_NS };
	struct lp_service *service = g->sender->service;
	int status;

	pthread_mutex_lock(&service->lock);
	status = lp_stored_list(&service->store, &recent, look_at, g, NULL);
	pthread_mutex_unlock(&service->lock);
	return status;
}

/* ---- telling ---- */

static void note_sent(struct gathering *g, const struct message *m)
{
	struct lp_service *service = g->sender->service;

	pthread_mutex_lock(&service->lock);
	lp_store_run(&service->store, NULL,
		     "INSERT INTO delivery (receiver, finding, said, sent_ns) "
		     "VALUES (?1, ?2, ?3, ?4) ON CONFLICT (receiver, finding) "
		     "DO UPDATE SET said = ?3, sent_ns = ?4",
		     "sisi", g->sender->receivers[g->kind].name, m->id,
		     m->over ? "resolved" : "firing",
		     m->over ? g->now_ns : lp_time_now());
	pthread_mutex_unlock(&service->lock);
}

static void feed_command(int fd, const struct message *m)
{
	const char *at = m->text;
	size_t left = m->size;

	while (left) {
		ssize_t done = write(fd, at, left);

		if (done <= 0)
			break;
		at += done;
		left -= (size_t)done;
	}
	close(fd);
}

static int wait_for(pid_t child, struct lp_error *err)
{
	int64_t until = lp_monotonic_now() + COMMAND_S * LP_NS_PER_S;
	int how = 0;

	while (waitpid(child, &how, WNOHANG) == 0) {
		if (lp_monotonic_now() > until) {
			kill(child, SIGKILL);
			waitpid(child, &how, 0);
			return lp_fail(err, ETIMEDOUT,
				       "the command took longer than %d s",
				       COMMAND_S);
		}
		usleep(10000);
	}
	return WIFEXITED(how) && WEXITSTATUS(how) == 0
		       ? 0
		       : lp_fail(err, EIO, "the command failed");
}

/* The end of the pipe that is written is closed when a program is run. */
static int spawn(const char *command, int input, pid_t *child)
{
	char *const argv[] = { "sh", "-c", (char *)command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t how;
	sigset_t none, usual;
	int code;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, 0);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK |
					       POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &usual);
	code = posix_spawn(child, "/bin/sh", &actions, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&actions);
	return -code;
}

static int run_command(const char *command, const struct message *m,
		       struct lp_error *err)
{
	int ends[2], status;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return lp_fail_errno(err, errno, "cannot run the command");
	status = spawn(command, ends[0], &child);
	close(ends[0]);
	if (status < 0) {
		close(ends[1]);
		return lp_fail_errno(err, -status, "cannot run the command");
	}
	feed_command(ends[1], m);
	return wait_for(child, err);
}

static int tell(struct receiver *r, enum receiver_kind kind,
		const struct message *m, struct lp_error *err)
{
	return kind == COMMAND ? run_command(r->target, m, err)
			       : lp_post(&r->url, m->text, m->size, err);
}

static void tell_all(struct gathering *g)
{
	struct receiver *r = &g->sender->receivers[g->kind];
	struct lp_error err;

	for (size_t i = 0; i < g->messages.n; i++) {
		const struct message *m = &g->messages.items[i];
		int status = tell(r, g->kind, m, &err);

		if (status == 0)
			note_sent(g, m);
		if ((status < 0) != r->away)
			lp_service_log(g->sender->service, "receiver", "name",
				       r->name, "text",
				       status < 0 ? err.text : "it is back",
				       NULL);
		r->away = status < 0;
		if (status < 0) {
			r->retry_ns = lp_monotonic_now() + RETRY_NS;
			return;
		}
	}
}

void lp_sender_send(struct lp_sender *s, int64_t now_ns)
{
	for (int kind = 0; kind < RECEIVERS; kind++) {
		struct gathering g = { .sender = s,
				       .kind = (enum receiver_kind)kind,
				       .now_ns = now_ns };
		struct receiver *r = &s->receivers[kind];

		if (!r->name || lp_monotonic_now() < r->retry_ns)
			continue;
		if (gather_messages(&g) == 0)
			tell_all(&g);
		for (size_t i = 0; i < g.messages.n; i++)
			free(g.messages.items[i].text);
		free(g.messages.items);
	}
}
