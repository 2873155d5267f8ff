/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that make a fault by using something up, on one node each: one or
 * two, or one on each server; and a page of memory that they share with whoever
 * started them.
 */
#ifndef LAB_FAULT_HOG_H
#define LAB_FAULT_HOG_H

#include "fault/fault.h"
#include "site/node.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

struct lab_hog_page {
	int64_t begun_ns; /* CLOCK_MONOTONIC */
	atomic_uint_fast64_t bytes;
	atomic_int port;       /* where a receiver listens */
	_Atomic double share;  /* of the resource's time that is taken */
	_Atomic double factor; /* of latency that was reached; 0: not known */
	atomic_int ended;      /* -errno of the first that failed */
	char error[512];       /* written before ended */
};

struct lab_hog {
	struct lab *lab;
	struct lab_hog_page *page;
	size_t marks[LAB_MAX_SERVERS];
	pid_t pids[LAB_MAX_SERVERS];
	size_t n;
};

/* Start a process of it; context is copied by the fork. */
int lab_hog_fork(struct lab_hog *hog, const struct lab_node *node,
		 lab_node_body *body, void *context, struct lp_error *err);

/*
 * A fault that is one process, or begins with one: run->own is the hog. *page,
 * in the context, is its page when the body begins.
 */
int lab_hog_put_on(struct lab_fault_run *run, const struct lab_node *node,
		   lab_node_body *body, void *context,
		   struct lab_hog_page **page, struct lp_error *err);
/*
 * One on each server: aim is told which before each fork, to change the
 * context by it.
 */
typedef void lab_hog_aim(void *context, const struct lab_node *server,
			 size_t number);
int lab_hog_put_on_all(struct lab_fault_run *run, lab_node_body *body,
		       lab_hog_aim *aim, void *context,
		       struct lab_hog_page **page, struct lp_error *err);
/* The fault's stop: ends run->own. */
int lab_hog_take_off(struct lab_fault_run *run, struct lp_error *err);

/* In a hog: say why it ends; its exit status. */
int lab_hog_fail(struct lab_hog_page *page, const struct lp_error *err);
/* Outside: -EIO if one has ended, with those words or with how it was ended. */
int lab_hog_alive(const struct lab_hog *hog, struct lp_error *err);
/* MB/s since it began. */
double lab_hog_rate(const struct lab_hog *hog);

#endif
