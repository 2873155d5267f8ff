/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The live service without its network: the life of findings, the store, what
 * people decide, answers.
 */
#include "unit.h"

#include "scratch.h"
#include "serve/answers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define S LP_NS_PER_S
#define BEGIN (1800000000 * S)
#define MINUTE (60 * S)

struct world {
	struct scratch *scratch;
	struct lp_store store;
	unsigned events[LP_LIFE_EVENTS];
	bool silent;
};

static void count(void *user, enum lp_life_event event,
		  const struct lp_stored *stored,
		  const struct lp_finding *finding)
{
	struct world *w = user;

	(void)stored;
	(void)finding;
	w->events[event]++;
}

static bool is_silent(void *user, const char *host)
{
	(void)host;
	return ((const struct world *)user)->silent;
}

static void open_store(struct world *w)
{
	struct lp_error err;

	if (lp_store_open(&w->store, scratch_root(w->scratch), LP_STORE_SERVE,
			  &err) < 0)
		fail_msg("%s", err.text);
}

static void begin(struct world *w)
{
	*w = (struct world){ .scratch = scratch_new() };
	open_store(w);
}

static void end(struct world *w)
{
	lp_store_close(&w->store);
	scratch_free(w->scratch);
}

static struct lp_finding slow_disk(int64_t since, int64_t until)
{
	return (struct lp_finding){
		.component = "oss3/sdc",
		.id = "oss3/wwid:1",
		.host = "oss3",
		.cause = LP_CAUSE_DISK_BUSY,
		.since_ns = since,
		.until_ns = until,
		.score = 3,
		.group = "12 disks",
	};
}

/* What a diagnosis says at this time, of n findings. */
static void apply(struct world *w, int64_t now, struct lp_finding *items,
		  size_t n)
{
	struct lp_findings findings = { .items = items,
					.n = n,
					.outcome = n ? LP_OUTCOME_FAULT
						     : LP_OUTCOME_NONE };
	struct lp_life life = {
		.now_ns = now, .unknown = is_silent, .told = count, .user = w
	};
	struct lp_error err;

	if (lp_life_apply(&life, &w->store, &findings, &err) < 0)
		fail_msg("%s", err.text);
}

static void assert_events(const struct world *w, unsigned opened,
			  unsigned reopened, unsigned resolved)
{
	assert_int_equal(w->events[LP_LIFE_OPENED], opened);
	assert_int_equal(w->events[LP_LIFE_REOPENED], reopened);
	assert_int_equal(w->events[LP_LIFE_RESOLVED], resolved);
}

/* ---- the life of a finding ---- */

static void what_lasts_is_one_finding(void **state)
{
	struct lp_finding f = slow_disk(BEGIN, BEGIN);
	struct world w;

	(void)state;
	begin(&w);
	for (int i = 0; i < 20; i++) {
		f.until_ns = BEGIN + i * MINUTE;
		/* The cause becomes clearer. */
		f.cause = i < 5 ? LP_CAUSE_UNKNOWN : LP_CAUSE_DISK_BUSY;
		apply(&w, f.until_ns, &f, 1);
	}
	assert_events(&w, 1, 0, 0);
	/* It is over, and still in the history that is judged. */
	apply(&w, f.until_ns + 4 * MINUTE, &f, 1);
	assert_events(&w, 1, 0, 0);
	apply(&w, f.until_ns + 6 * MINUTE, &f, 1);
	apply(&w, f.until_ns + 7 * MINUTE, NULL, 0);
	assert_events(&w, 1, 0, 1);
	end(&w);
}

static void what_comes_back_within_a_day_is_the_same(void **state)
{
	struct lp_finding f;
	struct lp_arena arena = { 0 };
	struct lp_stored stored;
	struct lp_error err;
	struct world w;

	(void)state;
	begin(&w);
	for (int i = 0; i < 3; i++) {
		int64_t at = BEGIN + i * 60 * MINUTE;

		f = slow_disk(at, at + 10 * MINUTE);
		apply(&w, at + 10 * MINUTE, &f, 1);
		apply(&w, at + 30 * MINUTE, NULL, 0);
	}
	assert_events(&w, 1, 2, 3);
	assert_int_equal(lp_stored_get(&w.store, 1, &arena, &stored, &err), 1);
	assert_int_equal(stored.episodes, 3);
	assert_string_equal(stored.state, "resolved");
	/* Two days later it is another one. */
	f = slow_disk(BEGIN + 48 * 60 * MINUTE, BEGIN + 49 * 60 * MINUTE);
	apply(&w, f.until_ns, &f, 1);
	assert_events(&w, 2, 2, 3);
	lp_arena_done(&arena);
	end(&w);
}

static void a_restart_neither_doubles_nor_reopens(void **state)
{
	struct lp_finding f = slow_disk(BEGIN, BEGIN + 10 * MINUTE);
	struct world w;

	(void)state;
	begin(&w);
	apply(&w, BEGIN + 10 * MINUTE, &f, 1);
	apply(&w, BEGIN + 20 * MINUTE, &f, 1);
	assert_events(&w, 1, 0, 1);
	lp_store_close(&w.store);
	open_store(&w);
	/* The history is read again, and with it what was resolved. */
	apply(&w, BEGIN + 21 * MINUTE, &f, 1);
	apply(&w, BEGIN + 22 * MINUTE, &f, 1);
	assert_events(&w, 1, 0, 1);
	end(&w);
}

static void who_is_not_heard_is_not_cured(void **state)
{
	struct lp_finding f = slow_disk(BEGIN, BEGIN + MINUTE);
	struct world w;

	(void)state;
	begin(&w);
	apply(&w, BEGIN + MINUTE, &f, 1);
	w.silent = true;
	apply(&w, BEGIN + 60 * MINUTE, NULL, 0);
	assert_events(&w, 1, 0, 0);
	w.silent = false;
	apply(&w, BEGIN + 61 * MINUTE, NULL, 0);
	assert_events(&w, 1, 0, 1);
	end(&w);
}

static void acknowledged_stays_so_until_it_is_over(void **state)
{
	struct lp_finding f = slow_disk(BEGIN, BEGIN + MINUTE);
	struct lp_error err;
	struct world w;
	int64_t n;

	(void)state;
	begin(&w);
	apply(&w, BEGIN + MINUTE, &f, 1);
	assert_int_equal(
		lp_stored_acknowledge(&w.store, 1, BEGIN, "ann", "known", &err),
		0);
	f.until_ns += MINUTE;
	apply(&w, f.until_ns, &f, 1);
	assert_int_equal(lp_stored_count(&w.store, "acknowledged", &n, &err),
			 0);
	assert_int_equal(n, 1);
	apply(&w, f.until_ns + 6 * MINUTE, NULL, 0);
	assert_int_equal(
		lp_stored_acknowledge(&w.store, 1, BEGIN, "ann", "late", &err),
		-EINVAL);
	assert_int_equal(
		lp_stored_acknowledge(&w.store, 2, BEGIN, "ann", "none", &err),
		-ENOENT);
	end(&w);
}

/* ---- the store ---- */

static void a_store_has_one_service_and_others_share_it(void **state)
{
	struct lp_store other;
	struct lp_error err;
	struct world w;

	(void)state;
	begin(&w);
	assert_int_equal(lp_store_open(&other, scratch_root(w.scratch),
				       LP_STORE_SERVE, &err),
			 -EBUSY);
	assert_int_equal(lp_store_open(&other, scratch_root(w.scratch),
				       LP_STORE_SHARE, &err),
			 0);
	lp_store_close(&other);
	lp_store_run(&w.store, &err, "PRAGMA user_version = 99", "");
	lp_store_close(&w.store);
	assert_int_equal(lp_store_open(&other, scratch_root(w.scratch),
				       LP_STORE_SERVE, &err),
			 -ENOTSUP);
	end(&w);
}

static void a_damaged_store_is_moved_aside(void **state)
{
	char path[512];
	struct world w;
	int fd;

	(void)state;
	begin(&w);
	lp_store_close(&w.store);
	snprintf(path, sizeof(path), "%s/" LP_STORE_FILE,
		 scratch_root(w.scratch));
	fd = open(path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, path, 300), 300);
	close(fd);
	open_store(&w);
	assert_true(w.store.moved);
	end(&w);
}

/* ---- planned work ---- */

static void maintenance_recurs_until_its_end(void **state)
{
	struct lp_maintenance m = { .target = "oss3",
				    .from_ns = BEGIN,
				    .to_ns = BEGIN + 10 * MINUTE,
				    .every_ns = 60 * MINUTE,
				    .until_ns = BEGIN + 125 * MINUTE,
				    .who = "ann",
				    .why = "backup" };
	struct lp_error err;
	struct world w;

	(void)state;
	begin(&w);
	assert_int_equal(lp_maintenance_add(&w.store, &m, &err), 0);
	assert_false(lp_maintenance_covers(&m, BEGIN - 1));
	assert_true(lp_maintenance_covers(&m, BEGIN));
	assert_false(lp_maintenance_covers(&m, BEGIN + 10 * MINUTE));
	assert_true(lp_maintenance_covers(&m, BEGIN + 125 * MINUTE));
	assert_false(lp_maintenance_covers(&m, BEGIN + 180 * MINUTE));
	m.ended_ns = BEGIN + 60 * MINUTE;
	assert_false(lp_maintenance_covers(&m, BEGIN + 65 * MINUTE));
	m.until_ns = 0;
	assert_int_equal(lp_maintenance_add(&w.store, &m, &err), -EINVAL);
	m.every_ns = MINUTE;
	assert_int_equal(lp_maintenance_add(&w.store, &m, &err), -EINVAL);
	m.to_ns = m.from_ns;
	assert_int_equal(lp_maintenance_add(&w.store, &m, &err), -EINVAL);
	end(&w);
}

/* ---- settings ---- */

static void settings_say_what_is_wrong(void **state)
{
	static const char *const wrong[] = {
		"listen = \"192.168.1.1:80\";",
		"period = \"fast\";",
		"directories = 3;",
		"lisen = \"x\";",
		"false_alarms = \"many\";",
		"webhook = \"ftp://x\";",
		"method = \"magic\";",
		"keep = \"1s\";",
	};

	(void)state;
	for (size_t i = 0; i < lp_array_size(wrong); i++) {
		struct lp_settings s = { .paths = { "x" }, .n_paths = 1 };
		struct lp_error err = { "" };
		int status = lp_settings_parse(&s, "a.conf", wrong[i], &err);

		if (status == 0)
			status = lp_settings_check(&s, &err);
		assert_int_equal(status, -EINVAL);
		assert_true(err.text[0] != '\0');
		lp_settings_done(&s);
	}
}

static void the_command_line_counts_more_than_the_file(void **state)
{
	struct lp_settings s = { .listen = "[::1]:0" };
	struct lp_error err;

	(void)state;
	assert_int_equal(
		lp_settings_parse(&s, "a.conf",
				  "directories = [\"a\", \"b\"];"
				  "listen = \"127.0.0.1:1\"; quiet = \"1m\";",
				  &err),
		0);
	assert_int_equal(lp_settings_check(&s, &err), 0);
	assert_string_equal(s.host, "::1");
	assert_int_equal(s.n_paths, 2);
	assert_true(s.quiet_ns == MINUTE);
	lp_settings_done(&s);
}

/* ---- answers ---- */

static void ask(struct lp_service *service, const char *path, const char *host,
		unsigned status, const char *said)
{
	struct lp_request request = { .method = "GET",
				      .path = path,
				      .host = host };
	struct lp_reply reply;

	assert_int_equal(lp_answer(service, &request, &reply), 0);
	assert_int_equal(reply.status, status);
	if (!memmem(reply.body, reply.size, said, strlen(said)))
		fail_msg("%s: no '%s' in '%.600s'", path, said, reply.body);
	free(reply.body);
}

/* Labels are texts of others. */
static void names_stay_text_in_all_answers(void **state)
{
	struct scratch *scratch = scratch_new();
	char dir[300];
	struct lp_settings settings = { .paths = { dir },
					.n_paths = 1,
					.state = dir };
	struct lp_stored stored = {
		.identity = "x",
		.kind = "disk",
		.component = "a\"\n\\\x01<b>",
		.host = "<script>",
		.cause = "disk-busy",
		.state = "open",
		.since_ns = BEGIN,
		.until_ns = BEGIN,
		.episodes = 1,
	};
	struct lp_service service;
	struct lp_error err;

	(void)state;
	snprintf(dir, sizeof(dir), "%s", scratch_root(scratch));
	assert_int_equal(lp_settings_check(&settings, &err), 0);
	assert_int_equal(lp_service_open(&service, &settings, NULL, NULL, &err),
			 0);
	assert_int_equal(lp_stored_put(&service.store, &stored, &err), 0);
	assert_int_equal(lp_service_step(&service, BEGIN, false, &err), 0);
	ask(&service, "/metrics", "localhost:1", 200,
	    "component=\"a\\\"\\n\\\\<b>\"");
	ask(&service, "/api/v1/now", "127.0.0.1", 200, "a\\\"\\n\\\\\\u0001");
	ask(&service, "/api/v1/now", "[::1]:8765", 200, "undecided");
	ask(&service, "/api/v1/now", "localhost:1x", 403, "Host");
	ask(&service, "/api/v1/now", NULL, 403, "Host");
	ask(&service, "/api/v1/map", "localhost", 200, "\"rows\":[]");
	ask(&service, "/", "localhost", 200, "<!DOCTYPE html>");
	lp_service_close(&service);
	scratch_free(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lasts_is_one_finding),
		cmocka_unit_test(what_comes_back_within_a_day_is_the_same),
		cmocka_unit_test(a_restart_neither_doubles_nor_reopens),
		cmocka_unit_test(who_is_not_heard_is_not_cured),
		cmocka_unit_test(acknowledged_stays_so_until_it_is_over),
		cmocka_unit_test(a_store_has_one_service_and_others_share_it),
		cmocka_unit_test(a_damaged_store_is_moved_aside),
		cmocka_unit_test(maintenance_recurs_until_its_end),
		cmocka_unit_test(settings_say_what_is_wrong),
		cmocka_unit_test(the_command_line_counts_more_than_the_file),
		cmocka_unit_test(names_stay_text_in_all_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
