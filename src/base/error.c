/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Names in parentheses: not the macros of the same names. */
int(lp_fail)(struct lp_error *err, int code, const char *format, ...)
{
	va_list args;

	if (err) {
		va_start(args, format);
		vsnprintf(err->text, sizeof(err->text), format, args);
		va_end(args);
	}
	return -code;
}

int(lp_fail_errno)(struct lp_error *err, int code, const char *format, ...)
{
	va_list args;
	size_t used;

	if (!err)
		return -code;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s",
		 strerror(code));
	return -code;
}

int(lp_fail_memory)(struct lp_error *err)
{
	return lp_fail(err, ENOMEM, "out of memory");
}
