/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The board: all that limpid watch shows at a moment, as plain data. It is
 * collected from a case (watch_collect.h) and drawn on a grid (watch_draw.h).
 */
#ifndef LP_CMD_WATCH_BOARD_H
#define LP_CMD_WATCH_BOARD_H

#include "base/memory.h"
#include "base/zone.h"
#include "model/finding.h"

/* Blocks that the map remembers: half an hour of 10 s. */
#define LP_BOARD_TRAIL 180
#define LP_BOARD_COLUMNS 16
#define LP_BOARD_SCORES 8
#define LP_BOARD_TABLES 8
#define LP_BOARD_TEXT 256

/* One component in one block. */
enum lp_board_mark {
	LP_MARK_NONE, /* not compared */
	LP_MARK_LIKE, /* like its peers */
	LP_MARK_NEAR, /* more than halfway to an accusation */
	LP_MARK_ACCUSED,
	LP_MARKS,
};

/* A quantity, as of the last block. NaN: not known. */
struct lp_board_score {
	const char *name, *unit;
	double value, low, median, high; /* its own; those of its peers */
	double effect, gate;    /* what it differs by, and what matters; in % */
	double distance, limit; /* how sure that is, and has to be */
	bool compared, accused;
};

struct lp_board_row {
	const char *label;
	const char *group;   /* NULL: it is not compared */
	size_t group_number; /* as limpid inventory has it; 0: none */
	size_t n_peers;
	const char *left_out; /* why it is not compared; or NULL */
	bool idle;            /* nothing moved lately */
	bool suspect;         /* a finding that goes on is about it */
	double nearness;      /* 1: it is accused; NaN: not compared */
	double values[LP_BOARD_COLUMNS], medians[LP_BOARD_COLUMNS];
	uint8_t trail[LP_BOARD_TRAIL]; /* the oldest first, of lp_board_mark */
	struct lp_board_score scores[LP_BOARD_SCORES];
	size_t n_scores;
};

struct lp_board_column {
	const char *name, *unit;
};

/* The components of a class. */
struct lp_board_table {
	const char *name, *plural; /* "disk", "disks" */
	struct lp_board_column columns[LP_BOARD_COLUMNS];
	size_t n_columns;
	size_t busy; /* the column that says how busy each is; or none */
	struct lp_board_row *rows;
	size_t n_rows;
};

struct lp_board_suspect {
	const char *component, *title; /* "loop3", "slow disk" */
	const char *text, *evidence, *next;
	int64_t since_ns, until_ns;
	bool lasting;
};

/* Zero-initialise. */
struct lp_board {
	const char *source; /* "vm", "/var/lib/limpid: 12 hosts" */
	struct lp_zone zone;
	int64_t now_ns, interval_ns, block_ns;
	struct lp_board_table tables[LP_BOARD_TABLES];
	size_t n_tables;
	bool judged; /* there is a verdict, or a reason why there is none */
	enum lp_outcome outcome;
	const char *reason;  /* of "undecided" */
	int64_t first_in_ns; /* until the first verdict; 0: it was given */
	int64_t watched_ns;  /* how long */
	struct lp_board_suspect *suspects; /* those that last first */
	size_t n_suspects;
	const char *note; /* one line, or "" */
	struct lp_arena arena;
};

/* How the board is looked at. */
enum lp_watch_page { LP_WATCH_LIST, LP_WATCH_ONE, LP_WATCH_HELP };

#define LP_WATCH_LABEL 128

/* What a list is sorted by: the order below, then by a column. */
enum { LP_SORT_SUSPICION, LP_SORT_NAME, LP_SORT_COLUMNS };

/* Zero-initialise. */
struct lp_watch_view {
	enum lp_watch_page page;
	size_t table;
	size_t sort;
	bool reversed, paused, all, over;
	char chosen[LP_WATCH_LABEL]; /* the row that the cursor is on; "" */
	size_t top;                  /* the first row shown */
	size_t lines;                /* rows that there was room for */
};

/*
 * The rows of a table that are shown, in their order: order[n_rows] gets their
 * indices. Returns how many.
 */
size_t lp_board_order(const struct lp_board_table *table,
		      const struct lp_watch_view *view, size_t *order);
/* Where in the order the chosen row is; 0 if it is not there. */
size_t lp_board_chosen(const struct lp_board_table *table,
		       const struct lp_watch_view *view, const size_t *order,
		       size_t n);
/* The table that is looked at; NULL: there is none. */
const struct lp_board_table *lp_board_table(const struct lp_board *board,
					    const struct lp_watch_view *view);

/* "Nothing differs from its peers": the verdict in a line. */
const char *lp_board_verdict(const struct lp_board *board,
			     char text[LP_BOARD_TEXT]);

/* "12.3", "4.1k", "-": in so few places that columns stay narrow. */
#define LP_BOARD_NUMBER 16
const char *lp_board_number(double v, char text[LP_BOARD_NUMBER]);

#endif
