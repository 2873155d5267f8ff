/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hostname.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST 255

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	return false;
}

int lp_host_name_check(const char *option, const char *name,
		       struct lp_error *err)
{
	if (!name)
		return 0;
	if (!name[0])
		return lp_fail(err, EINVAL, "%s must not be empty", option);
	if (has_control(name))
		return lp_fail(err, EINVAL,
			       "%s must not contain control characters",
			       option);
	if (strlen(name) > LONGEST)
		return lp_fail(err, EINVAL,
			       "%s must not be longer than %d bytes", option,
			       LONGEST);
	return 0;
}
