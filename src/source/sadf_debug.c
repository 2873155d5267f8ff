/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf -r -U -O debug FILE -- -d -j SID; all one line each:
 *
 *   # uptime_cs; 150995; ust_time; 1794776550; extra_next; 0; record_type; 1;
 *     HH:MM:SS; 21:02:30
 *   # name; A_DISK; nr_curr; 1; nr_alloc; 1; nr_ini; 1
 *   1794776551; major; 254; minor; 0; DEV; vda; tps; 42232; 42240; rkB/s;
 *     2995610; 2995610; ... aqu-sz; 22156; 22158;
 *   1794776551; major; 7; minor; 0; DEV [NEW]; loop0; tps; 0; 12; ...
 *   1794776551; IFACE; lo; rxpck/s [DEC]; 29; 3; ... speed; 0; duplex; 0;
 *   1794776790; LINUX-RESTART (2 CPU)
 *
 * Behind a label stand the raw values of the record before and of this one,
 * whatever unit the label claims: "rkB/s" is a pair of sector counts, "aqu-sz"
 * one of weighted milliseconds. [NEW] and [BCK] (it went and came back) mean
 * that the value before is 0 and no sample; [DEC] that it decreased.
 */
#include "source/sadf.h"

#include "base/number.h"

#include <string.h>

/* sysstat's struct stats_disk; its times are 32 bits wide. */
static const struct lp_sadf_field disk_fields[] = {
	{ "tps", NULL, "ios" },
	{ "rkB/s", "rd_sec/s", "rd_sectors" },
	{ "wkB/s", "wr_sec/s", "wr_sectors" },
	{ "dkB/s", "dc_sec/s", "dc_sectors" },
	{ "rd_ticks", NULL, "rd_ms" },
	{ "wr_ticks", NULL, "wr_ms" },
	{ "dc_ticks", NULL, "dc_ms" },
	{ "tot_ticks", NULL, "io_ms" },
	{ "aqu-sz", "avgqu-sz", "weighted_ms" },
};

/* struct stats_net_dev */
static const struct lp_sadf_field net_fields[] = {
	{ "rxpck/s", NULL, "rx_packets" },
	{ "txpck/s", NULL, "tx_packets" },
	{ "rxkB/s", NULL, "rx_bytes" },
	{ "txkB/s", NULL, "tx_bytes" },
	{ "rxcmp/s", NULL, "rx_compressed" },
	{ "txcmp/s", NULL, "tx_compressed" },
	{ "rxmcst/s", NULL, "rx_multicast" },
};

/* struct stats_net_edev */
static const struct lp_sadf_field net_error_fields[] = {
	{ "rxerr/s", NULL, "rx_errs" },   { "txerr/s", NULL, "tx_errs" },
	{ "coll/s", NULL, "tx_colls" },   { "rxdrop/s", NULL, "rx_drop" },
	{ "txdrop/s", NULL, "tx_drop" },  { "txcarr/s", NULL, "tx_carrier" },
	{ "rxfram/s", NULL, "rx_frame" }, { "rxfifo/s", NULL, "rx_fifo" },
	{ "txfifo/s", NULL, "tx_fifo" },
};

static const char *const disk_options[] = { "-d", "-j", "SID", NULL };
static const char *const net_options[] = { "-n", "DEV", NULL };
static const char *const net_error_options[] = { "-n", "EDEV", NULL };

const struct lp_sadf_activity lp_sadf_activities[LP_SADF_ACTIVITIES] = {
	{ .name = "A_DISK",
	  .options = disk_options,
	  .item = "DEV",
	  .numbered = true,
	  .from_zero = true,
	  .class = &lp_class_disk,
	  .fields = disk_fields,
	  .n_fields = lp_array_size(disk_fields) },
	{ .name = "A_NET_DEV",
	  .options = net_options,
	  .item = "IFACE",
	  .class = &lp_class_net,
	  .fields = net_fields,
	  .n_fields = lp_array_size(net_fields) },
	{ .name = "A_NET_EDEV",
	  .options = net_error_options,
	  .item = "IFACE",
	  .class = &lp_class_net,
	  .fields = net_error_fields,
	  .n_fields = lp_array_size(net_error_fields) },
};

_Static_assert(lp_array_size(disk_fields) <= LP_SADF_FIELDS, "disk");
_Static_assert(lp_array_size(net_error_fields) <= LP_SADF_FIELDS, "net");

struct token {
	const char *at;
	size_t n;
};

struct cursor {
	const char *at, *end;
};

/*
 * Up to the next ';' that a blank or the line's end follows: the name of an
 * interface may hold a ';', but no blank.
 */
static bool next_token(struct cursor *cursor, struct token *token)
{
	const char *p = cursor->at, *end = cursor->end;

	while (p < end && *p == ' ')
		p++;
	if (p == end)
		return false;
	token->at = p;
	for (;;) {
		p = memchr(p, ';', (size_t)(end - p));
		if (!p || p + 1 == end || p[1] == ' ')
			break;
		p++;
	}
	token->n = (size_t)((p ? p : end) - token->at);
	cursor->at = p ? p + 1 : end;
	return true;
}

static bool token_is(const struct token *token, const char *text)
{
	return strlen(text) == token->n &&
	       memcmp(token->at, text, token->n) == 0;
}

/* Cut off a mark such as " [NEW]"; false: there is none of this kind. */
static bool take_mark(struct token *token, const char *mark)
{
	size_t n = strlen(mark);

	if (token->n < n || memcmp(token->at + token->n - n, mark, n) != 0)
		return false;
	token->n -= n;
	return true;
}

static bool next_number(struct cursor *cursor, uint64_t *v)
{
	struct cursor trial = *cursor;
	struct token token;

	if (!next_token(&trial, &token) ||
	    lp_parse_u64(token.at, token.n, v) < 0)
		return false;
	*cursor = trial;
	return true;
}

static bool next_labelled(struct cursor *cursor, const char *label, uint64_t *v)
{
	struct token token;

	return next_token(cursor, &token) && token_is(&token, label) &&
	       next_number(cursor, v);
}

/* The year 2200: far from the end of int64 nanoseconds. */
#define LIMIT_S UINT64_C(7258118400)
#define LIMIT_UPTIME_CS (LIMIT_S * 100)

bool lp_sadf_parse_head(const char *line, size_t n, struct lp_sadf_head *head)
{
	struct cursor cursor = { line, line + n };
	uint64_t uptime, time, extra, type;

	if (!next_labelled(&cursor, "# uptime_cs", &uptime) ||
	    !next_labelled(&cursor, "ust_time", &time) ||
	    !next_labelled(&cursor, "extra_next", &extra) ||
	    !next_labelled(&cursor, "record_type", &type))
		return false;
	if (time > LIMIT_S || uptime > LIMIT_UPTIME_CS)
		return false;
	head->uptime_cs = uptime;
	head->time_s = (int64_t)time;
	head->type = type > 255 ? 255 : (unsigned)type;
	return true;
}

static bool field_is(const struct lp_sadf_field *field,
		     const struct token *token)
{
	return token_is(token, field->label) ||
	       (field->older && token_is(token, field->older));
}

/* Fields come in the table's order: try the one behind the last first. */
static size_t find_field(const struct lp_sadf_activity *activity,
			 const struct token *token, size_t hint)
{
	if (hint < activity->n_fields &&
	    field_is(&activity->fields[hint], token))
		return hint;
	for (size_t i = 0; i < activity->n_fields; i++)
		if (field_is(&activity->fields[i], token))
			return i;
	return activity->n_fields;
}

static const char *parse_fields(const struct lp_sadf_activity *activity,
				struct cursor *cursor, struct lp_sadf_row *row)
{
	struct token token;
	size_t field = 0;
	uint64_t skipped;

	while (next_token(cursor, &token)) {
		take_mark(&token, " [DEC]");
		field = find_field(activity, &token, field);
		if (field == activity->n_fields) {
			/* Of a later sysstat, or "speed" and "duplex". */
			while (next_number(cursor, &skipped))
				;
			field = 0;
			continue;
		}
		if (!next_number(cursor, &row->before[field]) ||
		    !next_number(cursor, &row->now[field]))
			return "two numbers after each label";
		row->present |= 1u << field++;
	}
	return row->present ? NULL : "at least one value";
}

static const char *parse_numbers(struct cursor *cursor, struct lp_sadf_row *row)
{
	uint64_t major, minor;

	if (!next_labelled(cursor, "major", &major) ||
	    !next_labelled(cursor, "minor", &minor) || major > UINT32_MAX ||
	    minor > UINT32_MAX)
		return "the device's major and minor number";
	row->major = (unsigned)major;
	row->minor = (unsigned)minor;
	return NULL;
}

const char *lp_sadf_parse_row(const struct lp_sadf_activity *activity,
			      const char *line, size_t n,
			      struct lp_sadf_row *row)
{
	struct cursor cursor = { line, line + n };
	const char *expected = NULL;
	struct token token;
	uint64_t time;

	memset(row, 0, sizeof(*row));
	if (!next_number(&cursor, &time))
		return "a time";
	if (activity->numbered)
		expected = parse_numbers(&cursor, row);
	if (expected)
		return expected;
	if (!next_token(&cursor, &token))
		return activity->item;
	row->is_new = take_mark(&token, " [NEW]");
	row->is_back = take_mark(&token, " [BCK]");
	if (!token_is(&token, activity->item))
		return activity->item;
	if (!next_token(&cursor, &token) || token.n == 0)
		return "a name";
	row->name = token.at;
	row->name_length = token.n;
	return parse_fields(activity, &cursor, row);
}
