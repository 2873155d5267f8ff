/* SPDX-License-Identifier: Apache-2.0 */
/* Files of rules that a user may have written, and a line for each rule. */
#include "logs/verdict/log_rules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char message[] = "no reply from 10.0.0.1@tcp (-110)";
	struct lp_log_line line = { .message = { message, strlen(message) } };
	struct lp_log_text groups[LP_LOG_GROUPS];
	struct lp_log_rules rules = { 0 };
	char *text = strndup((const char *)data, size);
	char peer[LP_LOG_PEER_TEXT];
	struct lp_error err;
	bool too_long;

	if (text && lp_log_rules_parse(&rules, "input", text, &err) == 0)
		for (size_t i = 0; i < rules.n; i++)
			if (lp_log_rule_matches(&rules.all[i], &line, groups,
						&too_long) &&
			    rules.all[i].peer)
				lp_log_rule_name(rules.all[i].peer, groups,
						 peer);
	lp_log_rules_done(&rules);
	free(text);
	return 0;
}
