/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --expect COMPONENT=rebuild[@FROM..TO]: work that is known, and that shall
 * accuse nobody.
 */
#ifndef LP_CMD_EXPECT_H
#define LP_CMD_EXPECT_H

#include "case_files.h"

/* Before anything is read. 0 or -EINVAL. */
int lp_expect_check(const struct lp_option_list *list, struct lp_error *err);

/*
 * Put them into the options of a case that is loaded; *wrong: they name no
 * component. They are freed by lp_expect_done.
 */
int lp_expect_read(struct lp_case_files *c, const struct lp_option_list *list,
		   bool *wrong, struct lp_error *err);
void lp_expect_done(struct lp_case_files *c);

#endif
