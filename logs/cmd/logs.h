/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of `limpid logs`, and what they share.
 *
 * To add one: a file logs_NAME.c with its struct lp_word, declared below; one
 * line in limpid_logs.c and one in meson.build; its SYNOPSIS and its options
 * in man/limpid-logs.1.scd; a test.
 */
#ifndef LP_LOGS_LOGS_H
#define LP_LOGS_LOGS_H

#include "base/option.h"
#include "base/when.h"
#include "choose.h"
#include "logs/verdict/accuse.h"

extern const struct lp_word lp_logs_word_classify, lp_logs_word_learn;

/* Options of all words. */
struct lp_logs_common {
	const char *zone, *model;
	struct lp_when onset;
	struct lp_option_list rules;
	bool no_rules, json;
};

#define LP_LOGS_OPTION_ZONE(fields)                                            \
	{                                                                      \
		.long_name = "zone", .type = LP_OPTION_STRING,                 \
		.value = "ZONE", .offset = offsetof(fields, common.zone),      \
		.help = "zone of times that name none (default: local)"        \
	}
#define LP_LOGS_OPTION_RULES(fields)                                           \
	{                                                                      \
		.long_name = "rules", .type = LP_OPTION_LIST, .value = "PATH", \
		.offset = offsetof(fields, common.rules),                      \
		.help = "further rules: a file or a directory; they go "       \
			"before those of limpid"                               \
	}
#define LP_LOGS_OPTION_NO_RULES(fields)                                        \
	{                                                                      \
		.long_name = "no-rules", .type = LP_OPTION_FLAG,               \
		.offset = offsetof(fields, common.no_rules),                   \
		.help = "judge by templates and error numbers alone"           \
	}
#define LP_LOGS_OPTION_MODEL(fields)                                           \
	{                                                                      \
		.long_name = "model", .type = LP_OPTION_STRING,                \
		.value = "MODEL", .offset = offsetof(fields, common.model),    \
		.help = "what healthy logs say, by 'limpid logs learn'"        \
	}
#define LP_LOGS_OPTION_ONSET(fields)                                           \
	{                                                                      \
		.long_name = "onset", .type = LP_OPTION_WHEN, .value = "TIME", \
		.offset = offsetof(fields, common.onset),                      \
		.help = "nothing was wrong before; without a model, these "    \
			"lines are the healthy ones"                           \
	}
#define LP_LOGS_OPTION_JSON(fields)                                            \
	{                                                                      \
		.long_name = "json", .type = LP_OPTION_FLAG,                   \
		.offset = offsetof(fields, common.json), .help = "write JSON"  \
	}

/* The study of these files, not yet run. Zeroed, or done, at failure. */
int lp_logs_prepare(struct lp_log_study *study,
		    const struct lp_logs_common *common, char **paths, size_t n,
		    struct lp_error *err);
/* Read them, learn before the onset if that is asked for, and resolve names. */
int lp_logs_study(struct lp_log_study *study,
		  const struct lp_logs_common *common, struct lp_error *err);
/* What could not be read, on standard error. */
void lp_logs_print_notes(const struct lp_usage *usage,
			 const struct lp_log_study *study);

/* The verdict. */
void lp_logs_text(const struct lp_log_study *study,
		  const struct lp_log_verdict *verdict, FILE *out);
void lp_logs_json(const struct lp_log_study *study,
		  const struct lp_log_verdict *verdict, FILE *out);

#endif
