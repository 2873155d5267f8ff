/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How busy the machine under the lab was: all its servers share the cores, so
 * a run that was made while they were short is worth less.
 */
#ifndef LAB_CAMPAIGN_STRAIN_H
#define LAB_CAMPAIGN_STRAIN_H

#include "base/json.h"

/* Sums since the boot; what the kernel does not tell is NaN. */
struct lab_strain {
	double total_s, idle_s, steal_s; /* of all CPUs, /proc/stat */
	double cpu_s, io_s, memory_s;    /* "some" of /proc/pressure */
	int64_t at_ns;
};

/* root: "" for this machine. */
void lab_strain_read(const char *root, struct lab_strain *strain);

/*
 * An object with what happened between the two, as shares of the time: idle,
 * steal, cpu_pressure, io_pressure, memory_pressure; null if it is not known.
 */
void lab_strain_json(struct lp_json *json, const struct lab_strain *before,
		     const struct lab_strain *after);

/* The share of the time in which somebody waited for a CPU, or NaN. */
double lab_strain_cpu_pressure(const struct lab_strain *before,
			       const struct lab_strain *after);

#endif
