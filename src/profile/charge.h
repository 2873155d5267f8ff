/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To which function a sample is charged.
 */
#ifndef LP_PROFILE_CHARGE_H
#define LP_PROFILE_CHARGE_H

#include "profile/tasks.h"

#define LP_CHARGE_TEXT 700
#define LP_CHARGE_CHAIN 8

/* What is known of the machine's kernel. Zero-initialise. */
struct lp_kernel_names {
	struct lp_addresses addresses;
	char build[64]; /* its release */
	bool hidden;    /* names are not to be had */
};

struct lp_charge {
	uint32_t host;              /* LP_NAME_NONE: of none that is recorded */
	char text[LP_CHARGE_TEXT];  /* as in behavior/profile.h */
	char stack[LP_CHARGE_TEXT]; /* "": of the user's code */
	const char *program;
	bool moved;      /* from a late place to its caller */
	bool identified; /* a function, with or without a name */
	bool named, guessed;
	bool kernel;
};

/* Read the kernel's names. 0; -EPERM: they are hidden. */
int lp_kernel_names_read(struct lp_kernel_names *kernel);
void lp_kernel_names_done(struct lp_kernel_names *kernel);

/* False: out of memory. */
bool lp_charge(struct lp_tasks *tasks, const struct lp_kernel_names *kernel,
	       const struct lp_ring_record *sample, int64_t now_ns,
	       struct lp_charge *charge);

#endif
