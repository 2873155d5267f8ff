/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The template of a line: what stays when what changes from line to line is
 * masked.
 *
 *     lustre-OST0001: transno 4294968772 is committed
 *     *: transno * is committed
 *
 * Masked are words with a digit (numbers, addresses, UUIDs, FIDs, names of
 * targets), hexadecimal words of 8 letters and more, and paths. Masks with
 * nothing but light punctuation between them are one. Numbers from -1 to -133
 * stay: they are error numbers.
 */
#ifndef LP_LOGS_MASK_H
#define LP_LOGS_MASK_H

#include "logs/input/log_format.h"

/* So much of a message is looked at, and so much of a template is kept. */
#define LP_LOG_MASKED_MOST ((size_t)4096)
#define LP_LOG_TEMPLATE_MOST ((size_t)1024)
#define LP_LOG_MASK '*'

/* Of format, level, function and masked message. */
uint64_t lp_log_mask_hash(const struct lp_log_line *line);
/*
 * "function: message", or "message", without control characters, terminated.
 * Its length.
 */
size_t lp_log_mask_text(const struct lp_log_line *line,
			char text[LP_LOG_TEMPLATE_MOST]);

#endif
