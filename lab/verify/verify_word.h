/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `limpid lab run verify-NAME`: one step on the first client, and what it met.
 */
#ifndef LAB_VERIFY_VERIFY_WORD_H
#define LAB_VERIFY_VERIFY_WORD_H

#include "site/lab.h"

/* for_s: its limit; 0: the usual one. -EIO if not all was ok. */
int lab_verify_word(struct lab *lab, const char *name, double for_s,
		    uint64_t seed, struct lp_error *err);

#endif
