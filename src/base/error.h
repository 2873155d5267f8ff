/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line that says what went wrong.
 *
 * The library never prints. A function that can fail returns 0 or -errno and
 * writes one line, without a newline, for a person: the file, the line or
 * offset, what was expected and what to do. The command prints it once.
 */
#ifndef LP_BASE_ERROR_H
#define LP_BASE_ERROR_H

struct lp_error {
	char text[512];
};

/* Fill err (may be NULL) and return -code. */
int lp_fail(struct lp_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with ": strerror(code)" behind the text. */
int lp_fail_errno(struct lp_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* -ENOMEM with the usual words. */
int lp_fail_memory(struct lp_error *err);

/* clang's analyser cannot see into error.c: failing is always below 0. */
#ifdef __clang_analyzer__
#define lp_fail(err, ...) (lp_fail(err, __VA_ARGS__), -1)
#define lp_fail_errno(err, ...) (lp_fail_errno(err, __VA_ARGS__), -1)
#define lp_fail_memory(err) (lp_fail_memory(err), -1)
#endif

#endif
