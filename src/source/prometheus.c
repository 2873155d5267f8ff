/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a Prometheus keeps: "prometheus:http://prometheus:9090". limpid itself
 * does not link libcurl: the helper limpid-prometheus fetches it and writes an
 * archive into the file that it is given.
 */
#include "source/convert.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "prometheus:"

static bool recognise(const char *path, const uint8_t *head, size_t n)
{
	(void)head;
	return n == 0 && strncmp(path, PREFIX, strlen(PREFIX)) == 0;
}

/* Whoever waits at a terminal sees how far it is. */
static void lend_terminal(struct lp_convert *convert, int *terminal,
			  char text[16])
{
	*terminal = isatty(STDERR_FILENO) ? dup(STDERR_FILENO) : -1;
	if (*terminal < 0)
		return;
	snprintf(text, 16, "%d", *terminal);
	lp_convert_option(convert, "--terminal", text);
}

static int convert(const char *path, const struct lp_source_options *options,
		   const struct lp_query *query, int fd,
		   char lost[LP_LOST_TEXT], struct lp_error *err)
{
	struct lp_convert c = { 0 };
	const char *url = path;
	struct lp_error said;
	lp_auto_close int terminal = -1;
	char terminal_text[16];
	int status;

	if (strncmp(path, PREFIX, strlen(PREFIX)) == 0)
		url += strlen(PREFIX);
	if (lp_convert_begin(&c, "prometheus") < 0)
		return lp_fail(err, ENOENT,
			       "%s: reading from Prometheus needs %s, which is "
			       "not installed: build limpid with libcurl "
			       "(Debian: apt-get install libcurl4-gnutls-dev)",
			       path, c.program);
	if (!query || query->since_ns == LP_TIME_MIN)
		return lp_fail(err, EINVAL,
			       "%s: say which time is to be fetched: "
			       "--since -2h",
			       path);
	lp_convert_period(&c, query);
	for (size_t i = 0; i < options->prometheus.count; i++)
		lp_convert_option(&c, "--set", options->prometheus.text[i]);
	lend_terminal(&c, &terminal, terminal_text);
	status = lp_convert_run(&c, url, fd, lost, &said);
	if (status < 0) {
		const char *what = strstr(said.text, "limpid-prometheus: ");

		return lp_fail(err, -status, "%s: %s", path,
			       what ? what + strlen("limpid-prometheus: ")
				    : said.text);
	}
	return 0;
}

const struct lp_source lp_source_prometheus = {
	.name = "prometheus",
	.summary = "what a Prometheus keeps: prometheus:http://HOST:9090",
	.recognise = recognise,
	.by_time = true,
	.remote = true,
	.convert = convert,
};
