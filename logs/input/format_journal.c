/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of systemd, as `journalctl -o json` and `-o export` write it. */
#include "logs/input/log_scan.h"

#include "base/memory.h"

#include <jansson.h>
#include <stdlib.h>

/* A record's fields, while it is gathered; texts are in memory->record. */
enum { MESSAGE, HOST, NAME, FIELDS };

static enum lp_log_level level_of(char digit)
{
	static const enum lp_log_level levels[8] = {
		LP_LOG_CRITICAL, LP_LOG_CRITICAL, LP_LOG_CRITICAL, LP_LOG_ERROR,
		LP_LOG_WARNING,  LP_LOG_NOTICE,   LP_LOG_INFO,     LP_LOG_DEBUG,
	};

	return lp_log_is_digit(digit) ? levels[(digit - '0') & 7] : LP_LOG_INFO;
}

static void set_time(struct lp_log_line *line, const char *text, size_t n)
{
	struct lp_log_scan s = { text, text + n };
	int64_t us;

	if (lp_log_number(&s, &us) && us < INT64_MAX / 1000)
		line->time_ns = us * 1000;
}

static void finish(struct lp_log_line *line)
{
	if (lp_log_text_is(line->function, "kernel")) {
		line->format = &lp_log_format_kernel;
		line->function.n = 0;
	}
	lp_log_look_inside(line);
}

static const char *string_of(const json_t *record, const char *key)
{
	const char *text = json_string_value(json_object_get(record, key));

	return text ? text : "";
}

/* The three texts, copied behind one another. */
static bool keep_texts(struct lp_log_memory *memory, const json_t *record,
		       struct lp_log_line *line)
{
	static const char *const keys[FIELDS] = { "MESSAGE", "_HOSTNAME",
						  "SYSLOG_IDENTIFIER" };
	struct lp_log_text *const texts[FIELDS] = { &line->message, &line->host,
						    &line->function };
	size_t n[FIELDS], all = 0;

	for (int i = 0; i < FIELDS; i++)
		all += n[i] = strlen(string_of(record, keys[i]));
	if (lp_grow(&memory->record, &memory->record_capacity, all + 1, 1) < 0)
		return false;
	for (int i = 0, at = 0; i < FIELDS; at += (int)n[i], i++) {
		memcpy(memory->record + at, string_of(record, keys[i]), n[i]);
		*texts[i] = (struct lp_log_text){ memory->record + at, n[i] };
	}
	return true;
}

/* {"__REALTIME_TIMESTAMP":"1794775514000000","PRIORITY":"3","MESSAGE":"..."} */
static bool parse_json(struct lp_log_memory *memory, const char *text, size_t n,
		       struct lp_log_line *line)
{
	json_t *record;
	const char *time;
	bool fits;

	if (n < 2 || text[0] != '{')
		return false;
	record = json_loadb(text, n, JSON_ALLOW_NUL, NULL);
	time = string_of(record, "__REALTIME_TIMESTAMP");
	fits = record && time[0] && keep_texts(memory, record, line);
	if (fits) {
		set_time(line, time, strlen(time));
		line->level = level_of(string_of(record, "PRIORITY")[0]);
		finish(line);
	}
	json_decref(record);
	return fits;
}

const struct lp_log_format lp_log_format_journal_json = {
	.name = "journal-json",
	.title = "journal as JSON",
	.parse = parse_json,
};

static bool is_field(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && (text[i] == '_' || (text[i] >= 'A' && text[i] <= 'Z') ||
			 lp_log_is_digit(text[i])))
		i++;
	return i > 1 && i < n && text[i] == '=';
}

/* For telling the format only: fields, one a line, and empty lines between. */
static bool parse_export(struct lp_log_memory *memory, const char *text,
			 size_t n, struct lp_log_line *line)
{
	(void)memory;
	(void)line;
	return is_field(text, n);
}

/* "MESSAGE=text" is kept as it is, zero-terminated, behind the others. */
static void keep_field(struct lp_log_memory *memory, const char *text, size_t n)
{
	static const char *const wanted[] = { "MESSAGE=", "_HOSTNAME=",
					      "SYSLOG_IDENTIFIER=", "PRIORITY=",
					      "__REALTIME_TIMESTAMP=" };

	for (size_t i = 0; i < lp_array_size(wanted); i++) {
		if (n < strlen(wanted[i]) ||
		    memcmp(text, wanted[i], strlen(wanted[i])) != 0)
			continue;
		if (lp_grow(&memory->record, &memory->record_capacity,
			    memory->record_n + n + 1, 1) < 0)
			return;
		memcpy(memory->record + memory->record_n, text, n);
		memory->record[memory->record_n + n] = '\0';
		memory->record_n += n + 1;
	}
}

static struct lp_log_text field(const struct lp_log_memory *memory,
				const char *name)
{
	size_t length = strlen(name);
	const char *end = memory->record + memory->record_n;

	for (const char *at = memory->record; at < end; at += strlen(at) + 1)
		if (strncmp(at, name, length) == 0)
			return (struct lp_log_text){ at + length,
						     strlen(at) - length };
	return (struct lp_log_text){ "", 0 };
}

static bool give(struct lp_log_memory *memory, struct lp_log_line *line)
{
	struct lp_log_text time, priority;

	if (memory->record_n == 0)
		return false;
	time = field(memory, "__REALTIME_TIMESTAMP=");
	priority = field(memory, "PRIORITY=");
	set_time(line, time.at, time.n);
	line->level = level_of(*priority.at);
	line->message = field(memory, "MESSAGE=");
	line->host = field(memory, "_HOSTNAME=");
	line->function = field(memory, "SYSLOG_IDENTIFIER=");
	memory->record_n = 0;
	finish(line);
	return line->message.n > 0;
}

/*
 * Fields that are not text have their length in binary and their bytes on the
 * lines that follow: these are no fields, and are passed over.
 */
static bool gather(struct lp_log_memory *memory, const char *text, size_t n,
		   struct lp_log_line *line)
{
	if (!text || n == 0)
		return give(memory, line);
	if (is_field(text, n))
		keep_field(memory, text, n);
	return false;
}

const struct lp_log_format lp_log_format_journal_export = {
	.name = "journal-export",
	.title = "journal in its export format",
	.parse = parse_export,
	.gather = gather,
};
