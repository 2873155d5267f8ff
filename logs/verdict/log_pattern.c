/* SPDX-License-Identifier: Apache-2.0 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "logs/verdict/log_pattern.h"

#include <errno.h>
#include <pcre2.h>
#include <stdlib.h>

struct lp_log_pattern {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
};

static int complain(int code, size_t at, struct lp_error *err)
{
	PCRE2_UCHAR text[200];

	pcre2_get_error_message(code, text, sizeof(text));
	return lp_fail(err, EINVAL, "at %zu: %s", at + 1, (const char *)text);
}

struct lp_log_pattern *lp_log_pattern_new(const char *text,
					  struct lp_error *err)
{
	struct lp_log_pattern *p = calloc(1, sizeof(*p));
	size_t at;
	int code;

	if (!p) {
		lp_fail_memory(err);
		return NULL;
	}
	p->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
				PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);
	if (!p->code) {
		complain(code, at, err);
		lp_log_pattern_free(p);
		return NULL;
	}
	/* Where there is no compiler for this processor it is interpreted. */
	(void)pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	p->match = pcre2_match_data_create(LP_LOG_GROUPS, NULL);
	p->context = pcre2_match_context_create(NULL);
	if (!p->match || !p->context) {
		lp_fail_memory(err);
		lp_log_pattern_free(p);
		return NULL;
	}
	pcre2_set_match_limit(p->context, LP_LOG_PATTERN_STEPS);
	pcre2_set_depth_limit(p->context, LP_LOG_PATTERN_STEPS);
	pcre2_set_heap_limit(p->context, 1024);
	return p;
}

void lp_log_pattern_free(struct lp_log_pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->context);
	pcre2_match_data_free(p->match);
	pcre2_code_free(p->code);
	free(p);
}

bool lp_log_pattern_find(struct lp_log_pattern *p, struct lp_log_text text,
			 struct lp_log_text groups[LP_LOG_GROUPS],
			 bool *too_long)
{
	int n = pcre2_match(p->code, (PCRE2_SPTR)text.at, text.n, 0, 0,
			    p->match, p->context);
	const size_t *ends = pcre2_get_ovector_pointer(p->match);

	*too_long = n < 0 && n != PCRE2_ERROR_NOMATCH;
	if (n < 0)
		return false;
	for (int i = 0; i < LP_LOG_GROUPS; i++) {
		bool set = i < (n ? n : LP_LOG_GROUPS) &&
			   ends[2 * i] != PCRE2_UNSET &&
			   ends[2 * i] <= ends[2 * i + 1];

		groups[i] = set ? (struct lp_log_text){ text.at + ends[2 * i],
							ends[2 * i + 1] -
								ends[2 * i] }
				: (struct lp_log_text){ "", 0 };
	}
	return true;
}
