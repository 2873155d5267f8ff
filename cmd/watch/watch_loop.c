/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_loop.h"

#include "command.h"
#include "screen.h"
#include "watch_collect.h"
#include "watch_draw.h"
#include "watch_feed.h"
#include "watch_terminal.h"

#include "base/memory.h"
#include "base/signals.h"
#include "base/visible.h"
#include "report/verdict.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

/* Samples are looked for so long after the tick at which they are taken. */
#define LATE_NS (100 * LP_NS_PER_MS)
/* Archives grow every ten seconds. */
#define LOOK_NS (2 * LP_NS_PER_S)
#define TOP 10
#define MOST_WAIT_NS (61 * LP_NS_PER_S)

struct watcher {
	const struct lp_watch_options *options;
	struct lp_feed *feed;
	struct lp_diagnose_options judging;
	struct lp_recall recall;
	struct lp_findings findings;
	bool has_findings;
	int64_t judged; /* the number of the block that was judged last */
	struct lp_board board;
	struct lp_watch_view view;
	struct lp_watch_grid grid;
	struct lp_terminal terminal;
	int signal_fd;
	int64_t began_ns; /* monotonic */
	char note[LP_BOARD_TEXT];
	bool interactive, over;
};

/* Before the screen there is, and without one, to standard error. */
static void say(void *user, const char *line)
{
	struct watcher *w = user;

	if (w->interactive)
		lp_visible_text(w->note, sizeof(w->note), line);
	else
		fprintf(stderr, "%s: %s\n", w->options->command,
			lp_shown(line));
}

/* ---- judging ---- */

static int64_t step_of(const struct watcher *w)
{
	struct lp_case *c = lp_feed_case(w->feed);

	return c ? lp_case_input(c)->step_ns : w->options->interval_ns;
}

static struct lp_detector_params params_of(const struct watcher *w)
{
	return lp_detector_params_at(lp_detector_main(w->judging.methods),
				     &w->judging.params, step_of(w));
}

static int64_t block_of(const struct watcher *w)
{
	return (int64_t)params_of(w).window * step_of(w);
}

static int64_t watched(const struct watcher *w)
{
	struct lp_case *c = lp_feed_case(w->feed);
	int64_t first;

	return c ? (int64_t)lp_matrix_points(lp_case_input(c)->matrix, &first) *
			       step_of(w)
		 : 0;
}

/*
 * What it takes to tell disks apart of which only the load tells whether they
 * are peers; if others are compared, the verdict does not wait for them.
 */
static int64_t likeness_needs(const struct watcher *w)
{
	struct lp_case *c = lp_feed_case(w->feed);
	struct lp_reach reach;

	if (!c || w->options->n_paths ||
	    lp_case_input(c)->plan->refusal == LP_REFUSAL_NONE)
		return 0;
	reach = lp_reach_of(step_of(w), watched(w));
	return reach.needed_ns + LP_FEED_PLAN_NS;
}

/*
 * How long until the first verdict: the case plans when it has seen enough, and
 * then the detector needs as much as the findings say.
 */
static int64_t first_in(const struct watcher *w)
{
	struct lp_detector_params p = params_of(w);
	int64_t least = (int64_t)(p.window + p.smooth +
				  (2 * (size_t)p.k + 1) * p.shift) *
			step_of(w);
	int64_t like = likeness_needs(w), left;

	if (w->has_findings && w->findings.needed_ns > least)
		least = w->findings.needed_ns;
	least += block_of(w);
	left = (like > least ? like : least) - watched(w);
	if (left <= 0)
		return 0;
	return (left + LP_NS_PER_S - 1) / LP_NS_PER_S * LP_NS_PER_S;
}

/* At the ends of blocks: in between, nothing new is known. True: it did. */
static int judge(struct watcher *w, bool *judged, struct lp_error *err)
{
	int64_t horizon = lp_feed_horizon(w->feed), block = block_of(w);
	struct lp_findings findings;
	int status;

	*judged = false;
	if (!lp_feed_case(w->feed) || horizon == LP_TIME_MIN ||
	    horizon / block == w->judged)
		return 0;
	status = lp_feed_findings(w->feed, &findings, err);
	if (status < 0)
		return status;
	if (w->has_findings)
		lp_findings_done(&w->findings);
	w->findings = findings;
	w->has_findings = *judged = true;
	w->judged = horizon / block;
	return 0;
}

/* ---- without a screen ---- */

static void print_verdict(const struct watcher *w)
{
	static const struct lp_zone local = { .kind = LP_ZONE_LOCAL };
	const struct lp_verdict_report report = {
		.findings = &w->findings,
		.top = TOP,
		.zone = &local,
		.colour = lp_screen_colours(),
	};

	if (w->options->json)
		lp_verdict_json(&report, stdout);
	else
		lp_verdict_text(&report, stdout);
	fflush(stdout);
}

/* Ended before there was any: it is said why. */
static void print_last(const struct watcher *w)
{
	bool printed = w->has_findings && first_in(w) == 0;

	if (!w->interactive && !printed && w->has_findings)
		print_verdict(w);
}

static int print_if_due(struct watcher *w, bool judged)
{
	if (!judged || first_in(w) > 0)
		return 0;
	print_verdict(w);
	w->over |= w->options->once || ferror(stdout);
	return 0;
}

/* ---- the screen ---- */

static int draw(struct watcher *w)
{
	size_t width, height;
	int status;

	lp_terminal_size(&w->terminal, &width, &height);
	status = lp_watch_grid_begin(&w->grid, width, height);
	if (status == 0)
		status = lp_watch_draw(&w->board, &w->view, &w->grid);
	if (status == 0)
		lp_terminal_show(&w->terminal, &w->grid);
	return status;
}

static int collect(struct watcher *w)
{
	const struct lp_watch_sources from = {
		.open = lp_feed_case(w->feed),
		.findings = w->has_findings ? &w->findings : NULL,
		.recall = &w->recall,
		.horizon_ns = lp_feed_horizon(w->feed),
	};
	int64_t horizon = lp_feed_horizon(w->feed);

	if (w->view.paused)
		return 0;
	w->board.source = lp_feed_source(w->feed);
	w->board.zone.kind = LP_ZONE_LOCAL;
	w->board.now_ns = horizon == LP_TIME_MIN ? lp_time_now() : horizon;
	w->board.interval_ns = step_of(w);
	w->board.first_in_ns = first_in(w);
	w->board.note = w->note;
	return lp_board_collect(&w->board, &from);
}

/* Whatever is pressed, and a new size, which is a key, too. */
static int press_keys(struct watcher *w)
{
	int key = lp_terminal_key(&w->terminal), status = 0;

	if (key == LP_KEY_NONE)
		return 0;
	w->note[0] = '\0';
	for (; status == 0 && key != LP_KEY_NONE;
	     key = lp_terminal_key(&w->terminal))
		status = lp_watch_press(&w->board, &w->view, key);
	w->over |= w->view.over;
	return status ? status : draw(w);
}

/* ---- from tick to tick ---- */

static int tick(struct watcher *w, struct lp_error *err)
{
	bool judged;
	int status = lp_feed_look(w->feed, err);

	if (status == 0)
		status = judge(w, &judged, err);
	if (status < 0)
		return status;
	if (!w->interactive)
		return print_if_due(w, judged);
	status = collect(w);
	if (status == 0)
		status = draw(w);
	return status < 0 ? lp_fail_memory(err) : 0;
}

static int64_t next_tick(const struct watcher *w)
{
	int64_t every = w->options->n_paths ? LOOK_NS : w->options->interval_ns;
	int64_t late = every / 4 < LATE_NS ? every / 4 : LATE_NS;
	int64_t now = lp_time_now();

	return ((now - late) / every + 1) * every + late;
}

static bool is_time_up(const struct watcher *w)
{
	return w->options->for_ns &&
	       lp_monotonic_now() - w->began_ns >= w->options->for_ns;
}

/* A terminal that was closed can be read, and gives nothing. */
static int handle(struct watcher *w, const struct pollfd *fds, int64_t *due,
		  struct lp_error *err)
{
	int status = 0;

	if (fds[0].revents)
		w->over = true;
	if (fds[1].revents)
		lp_feed_watch(w->feed);
	if (fds[2].revents & (POLLHUP | POLLERR | POLLNVAL))
		w->over = true;
	if (w->over)
		return 0;
	if (w->interactive && press_keys(w) < 0)
		return lp_fail_memory(err);
	if (lp_time_now() >= *due) {
		status = tick(w, err);
		*due = next_tick(w);
	}
	return status;
}

static int wait_ms(int64_t *due)
{
	int64_t now = lp_time_now();

	/* The clock was set back. */
	if (*due - now > MOST_WAIT_NS)
		*due = now;
	return *due > now ? (int)((*due - now) / LP_NS_PER_MS) + 1 : 0;
}

static int run(struct watcher *w, struct lp_error *err)
{
	int64_t due = next_tick(w);
	int status = w->interactive && (collect(w) < 0 || draw(w) < 0)
			     ? lp_fail_memory(err)
			     : 0;

	w->began_ns = lp_monotonic_now();
	while (status == 0 && !w->over && !is_time_up(w)) {
		struct pollfd fds[] = {
			{ w->signal_fd, POLLIN, 0 },
			{ lp_feed_alarm(w->feed), POLLIN, 0 },
			{ w->interactive ? STDIN_FILENO : -1, POLLIN, 0 },
		};

		if (poll(fds, lp_array_size(fds), wait_ms(&due)) < 0 &&
		    errno != EINTR)
			return lp_fail_errno(err, errno, "cannot poll");
		status = handle(w, fds, &due, err);
	}
	if (status == 0)
		print_last(w);
	return status;
}

/* ---- beginning and end ---- */

static int begin(struct watcher *w, struct lp_error *err)
{
	const struct lp_watch_options *o = w->options;
	struct lp_feed_config config = {
		.paths = o->paths,
		.n_paths = o->n_paths,
		.root = o->root ? o->root : "",
		.interval_ns = o->interval_ns,
		.say = say,
		.user = w,
	};

	w->judging.blocks = lp_recall_block;
	w->judging.blocks_user = &w->recall;
	config.options = w->judging;
	w->signal_fd = lp_signals_open(err);
	if (w->signal_fd < 0)
		return w->signal_fd;
	if (w->interactive) {
		int status = lp_terminal_open(&w->terminal, lp_screen_colours(),
					      err);

		if (status < 0)
			return status;
	}
	return lp_feed_open(&config, &w->feed, err);
}

static bool end(struct watcher *w)
{
	bool closed;

	lp_terminal_close(&w->terminal);
	closed = lp_feed_close(w->feed);
	if (w->signal_fd >= 0)
		close(w->signal_fd);
	if (w->has_findings)
		lp_findings_done(&w->findings);
	lp_recall_done(&w->recall);
	lp_watch_grid_done(&w->grid);
	lp_arena_done(&w->board.arena);
	return closed;
}

int lp_watch_run(const struct lp_watch_options *options, int *outcome,
		 bool *stuck, struct lp_error *err)
{
	static const int outcomes[LP_OUTCOMES] = {
		[LP_OUTCOME_NONE] = LP_EXIT_OK,
		[LP_OUTCOME_FAULT] = LP_EXIT_FAULT,
		[LP_OUTCOME_UNDECIDED] = LP_EXIT_UNDECIDED,
	};
	const struct lp_detector *methods[] = { lp_detector_main(NULL), NULL };
	struct watcher w = { .options = options,
			     .signal_fd = -1,
			     .interactive = !options->once && !options->json };
	int status;

	/* The map is what a joint detector says: limpid's own. */
	for (size_t i = 0; lp_detectors[i] && !methods[0]->joint; i++)
		if (lp_detectors[i]->joint)
			methods[0] = lp_detectors[i];
	w.judging.methods = methods;
	status = begin(&w, err);
	if (status == 0)
		status = run(&w, err);
	*outcome = w.interactive     ? LP_EXIT_OK
		   : !w.has_findings ? LP_EXIT_UNDECIDED
				     : outcomes[w.findings.outcome];
	*stuck = !end(&w);
	return status;
}
