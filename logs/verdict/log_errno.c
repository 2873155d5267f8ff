/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/verdict/log_errno.h"

#include "base/number.h"

#include <string.h>

const struct lp_log_errno lp_log_errnos[] = {
	{ "EIO", 5, LP_LOG_DEVICE, { "Input/output error", "I/O error" } },
	{ "EROFS", 30, LP_LOG_DEVICE, { "Read-only file system" } },
	{ "ENODEV", 19, LP_LOG_DEVICE, { "No such device" } },
	{ "ENXIO", 6, LP_LOG_DEVICE, { "No such device or address" } },
	{ "ENETUNREACH",
	  101,
	  LP_LOG_NETWORK_SELF,
	  { "Network is unreachable", "unreachable network" } },
	{ "EADDRNOTAVAIL",
	  99,
	  LP_LOG_NETWORK_SELF,
	  { "Cannot assign requested address" } },
	{ "ENOTCONN",
	  107,
	  LP_LOG_NETWORK_PEER,
	  { "Transport endpoint is not connected" } },
	{ "ETIMEDOUT", 110, LP_LOG_NO_ANSWER, { "timed out", "timed-out" } },
	{ "EHOSTUNREACH", 113, LP_LOG_NO_ANSWER, { "No route to host" } },
	{ "ECONNREFUSED",
	  111,
	  LP_LOG_NO_ANSWER,
	  { "Connection refused", "Unable to establish connection" } },
	{ "ECONNRESET",
	  104,
	  LP_LOG_NETWORK_PEER,
	  { "Connection reset", "disconnect from" } },
	{ "ENOSPC", 28, LP_LOG_SPACE, { "No space left on device" } },
	{ "ENOENT",
	  2,
	  LP_LOG_INCONSISTENT,
	  { "No such file or directory", "does not exist" } },
	{ "ESTALE", 116, LP_LOG_INCONSISTENT, { "Stale file handle" } },
	{ "EUCLEAN", 117, LP_LOG_INCONSISTENT, { "needs cleaning" } },
	{ "EBUSY", 16, LP_LOG_UNKNOWN, { "resource busy" } },
	{ "EAGAIN", 11, LP_LOG_UNKNOWN, { "temporarily unavailable" } },
	{ 0 },
};

static bool has_text(const struct lp_log_errno *e, const char *template)
{
	for (size_t i = 0; i < 3 && e->texts[i]; i++)
		if (strstr(template, e->texts[i]))
			return true;
	return false;
}

static const struct lp_log_errno *by_number(uint64_t number)
{
	for (size_t i = 0; lp_log_errnos[i].name; i++)
		if ((uint64_t)lp_log_errnos[i].number == number)
			return &lp_log_errnos[i];
	return NULL;
}

/* Numbers that are not masked are those of errno: "rc = -5". */
static const struct lp_log_errno *first_number(const char *at)
{
	const struct lp_log_errno *found = NULL;
	const char *end = at + strlen(at);
	uint64_t number;

	while (!found && (at = strchr(at, '-'))) {
		at++;
		if (*at >= '1' && *at <= '9' && lp_scan_u64(&at, end, &number))
			found = by_number(number);
	}
	return found;
}

const struct lp_log_errno *lp_log_errno_of(const char *template)
{
	for (size_t i = 0; lp_log_errnos[i].name; i++)
		if (has_text(&lp_log_errnos[i], template))
			return &lp_log_errnos[i];
	return first_number(template);
}

bool lp_log_is_worded_as_failure(const char *template)
{
	static const char *const words[] = {
		"fail",    "error",     "timed out",   "unable",  "cannot",
		"can't",   "could not", "lost",        "refused", "unreachable",
		"corrupt", "abort",     "dead",        "evict",   "disconnect",
		"offline", "no reply",  "not respond",
	};

	for (size_t i = 0; i < lp_array_size(words); i++)
		if (strcasestr(template, words[i]))
			return true;
	return false;
}
