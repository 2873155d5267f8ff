/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What drivers have in common: how data is dispersed, what is asked of a
 * program and made on a disk, clients that are FUSE programs, logs that are in
 * a private directory of each node.
 */
#ifndef LAB_DRIVER_COMMON_H
#define LAB_DRIVER_COMMON_H

#include "driver/driver.h"
#include "site/lab.h"

#include <stdbool.h>

/*
 * Of each stripe, how many servers hold data and not redundancy: a power of
 * two, so that no stripe is read before it is written, and more than half of
 * them. 0: there is none for so many servers.
 */
unsigned long lab_data_parts(unsigned long servers);
/* Can a dispersed layout have these servers? */
int lab_check_dispersed(const struct lab_spec *spec, struct lp_error *err);

/* What PROGRAM --version says, to be freed; PACKAGE is what it comes with. */
int lab_ask_version(const char *program, const char *package, char **output,
		    struct lp_error *err);

/* What is asked again and again until the answer is yes. */
struct lab_question {
	struct lab *lab;
	const struct lab_node *server, *client; /* where it is about one */
	struct lp_error why;                    /* of the last "no" */
};
typedef bool lab_question_fn(struct lab_question *question);

/*
 * Ask at most so long. -ETIME: "WHAT: " and the last answer; -EINTR. One call
 * may take a while itself.
 */
int lab_ask(struct lab_question *question, lab_question_fn *yes, double limit_s,
	    const char *what, struct lp_error *err);

/* Make a directory on the server's mounted disk. */
int lab_make_on_disk(const struct lab_node *server, const char *name,
		     struct lp_error *err);

/* Is the client's mount there, with the file system's own root? */
bool lab_fuse_mounted(const struct lab_node *client);

/*
 * Start the program that serves the client's mount (argv ends with where it
 * is), noted before it is made; its output goes to the node's file `log`.
 */
int lab_fuse_start(struct lab *lab, const struct lab_node *client,
		   const char *const *argv, const char *log,
		   struct lp_error *err);

/* End that program and its mount. Fits the driver's `unmount`. */
int lab_fuse_unmount(struct lab *lab, const struct lab_node *client,
		     struct lp_error *err);

/*
 * Servers by how many can be lost: "server", "redundancy" (as many as that),
 * "beyond" (one more), "all"; drawn by the seed. Fits `members` with the number
 * that can be lost.
 */
extern const char *const lab_server_sets[];
int lab_draw_servers(const struct lab_spec *spec, unsigned long spare,
		     const char *set, uint64_t seed,
		     struct lab_members *members, struct lp_error *err);

/* Copy LAB/NODE/PLACE of all nodes but the bridge to TO/NODE. */
int lab_copy_logs(const struct lab *lab, const char *place, const char *to,
		  struct lp_error *err);

#endif
