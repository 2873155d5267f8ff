/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/net/snmp and /proc/net/netstat: pairs of lines, names and values.
 *
 * Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens ...
 * Tcp: 1 200 120000 -1 512 77 ...
 *
 * The key is PROTOCOL.NAME, Tcp.ActiveOpens.
 */
#include "source/keyed.h"

#include <string.h>

#define KEY_SIZE 96

/* The next word in [*at, end); its length, 0 at the end. */
static size_t next_word(const char **at, const char *end, const char **word)
{
	while (*at < end && **at == ' ')
		(*at)++;
	*word = *at;
	while (*at < end && **at != ' ')
		(*at)++;
	return (size_t)(*at - *word);
}

/* Whether the line before begins with the same "Tcp:", names behind it. */
static bool is_value_line(const struct lp_keyed *keyed, const char *line,
			  size_t n)
{
	return (size_t)(keyed->before_end - keyed->before) >= n + 3 &&
	       memcmp(keyed->before, line, n + 1) == 0 &&
	       (unsigned char)(keyed->before[n + 2] - '0') > 9;
}

static bool understand(const struct lp_keyed *keyed, size_t file,
		       const char *line, const char *end,
		       const struct lp_row *row)
{
	const char *colon = memchr(line, ':', (size_t)(end - line));
	size_t n = colon ? (size_t)(colon - line) : 0, name_length;
	const char *names = keyed->before + n + 1, *values, *name, *value;
	char key[KEY_SIZE];

	(void)file;
	if (!colon || n + 2 > sizeof(key) || !is_value_line(keyed, line, n))
		return true;
	memcpy(key, line, n);
	key[n++] = '.';
	values = colon + 1;
	while ((name_length = next_word(&names, keyed->before_end, &name)) &&
	       next_word(&values, end, &value)) {
		if (name_length > sizeof(key) - n)
			continue;
		memcpy(key + n, name, name_length);
		if (!lp_keyed_put(keyed, key, n + name_length, value, values,
				  row))
			return false;
	}
	return true;
}

static const struct lp_keyed_format format_snmp = {
	.origin = "snmp",
	.paths = (const char *const[]){ "proc/net/snmp", NULL },
	.understand = understand,
};

static int open_snmp(const struct lp_reader_context *context, void **state)
{
	return lp_keyed_open(&format_snmp, context, state);
}

const struct lp_reader lp_reader_snmp = {
	.name = "snmp",
	.class = &lp_class_host,
	.open = open_snmp,
	.fetch = lp_keyed_fetch,
	.parse = lp_keyed_parse,
	.close = lp_keyed_close,
};

static const struct lp_keyed_format format_netstat = {
	.origin = "netstat",
	.paths = (const char *const[]){ "proc/net/netstat", NULL },
	.understand = understand,
};

static int open_netstat(const struct lp_reader_context *context, void **state)
{
	return lp_keyed_open(&format_netstat, context, state);
}

const struct lp_reader lp_reader_netstat = {
	.name = "netstat",
	.class = &lp_class_host,
	.open = open_netstat,
	.fetch = lp_keyed_fetch,
	.parse = lp_keyed_parse,
	.close = lp_keyed_close,
};
