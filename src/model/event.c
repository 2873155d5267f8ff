/* SPDX-License-Identifier: Apache-2.0 */
#include "model/event.h"

const char *lp_event_kind_name(enum lp_event_kind kind)
{
	static const char *const names[LP_EVENT_KINDS] = {
		[LP_EVENT_START] = "start",   [LP_EVENT_STOP] = "stop",
		[LP_EVENT_BOOT] = "boot",     [LP_EVENT_LOST] = "lost",
		[LP_EVENT_READER] = "reader", [LP_EVENT_CLOCK] = "clock",
	};

	return kind < LP_EVENT_KINDS ? names[kind] : "unknown";
}
