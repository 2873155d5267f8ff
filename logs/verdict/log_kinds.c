/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/verdict/log_rules.h"

const struct lp_log_kind_row lp_log_kinds[LP_LOG_KINDS] = {
	[LP_LOG_UNKNOWN] = { .name = "unknown",
			     .says = "something that healthy logs do not say" },
	[LP_LOG_DEVICE] = { .name = "device",
			    .says = "its storage does not work" },
	[LP_LOG_NETWORK_SELF] = { .name = "network-self",
				  .says = "its own network does not work" },
	[LP_LOG_NETWORK_PEER] = { .name = "network-peer",
				  .says = "a connection is lost",
				  .is_hearsay = true },
	[LP_LOG_NO_ANSWER] = { .name = "no-answer",
			       .says = "a peer does not answer",
			       .is_hearsay = true },
	[LP_LOG_RESTART] = { .name = "restart", .says = "it was restarted" },
	[LP_LOG_INCONSISTENT] = { .name = "inconsistent",
				  .says = "its data are inconsistent" },
	[LP_LOG_SPACE] = { .name = "space", .says = "it has no space left" },
	[LP_LOG_ASSERT] = { .name = "assert", .says = "a program ended" },
	[LP_LOG_CONFIG] = { .name = "config",
			    .says = "its configuration is at fault" },
	[LP_LOG_NAME] = { .name = "name", .is_naming = true },
	[LP_LOG_ALIAS] = { .name = "alias", .is_naming = true },
};
