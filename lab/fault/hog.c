/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/hog.h"

#include "base/memory.h"
#include "base/timestamp.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

static int hog_new(struct lab *lab, struct lab_hog **made, struct lp_error *err)
{
	struct lab_hog *hog = calloc(1, sizeof(*hog));
	void *page;

	if (!hog)
		return lp_fail_memory(err);
	page = mmap(NULL, sizeof(*hog->page), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED) {
		free(hog);
		return lp_fail_memory(err);
	}
	hog->lab = lab;
	hog->page = page;
	hog->page->begun_ns = lp_monotonic_now();
	*made = hog;
	return 0;
}

int lab_hog_fork(struct lab_hog *hog, const struct lab_node *node,
		 lab_node_body *body, void *context, struct lp_error *err)
{
	int status;

	assert(hog->n < lp_array_size(hog->pids));
	status = lab_node_fork(hog->lab, node, body, context,
			       &hog->pids[hog->n], &hog->marks[hog->n], err);
	if (status == 0)
		hog->n++;
	return status;
}

int lab_hog_take_off(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_hog *hog = run->own;
	int first = 0;

	if (!hog)
		return 0;
	run->own = NULL;
	while (hog->n > 0) {
		int status = lab_journal_undo(hog->lab->journal,
					      hog->marks[--hog->n],
					      first < 0 ? NULL : err);

		if (first == 0)
			first = status;
	}
	munmap(hog->page, sizeof(*hog->page));
	free(hog);
	return first;
}

int lab_hog_put_on(struct lab_fault_run *run, const struct lab_node *node,
		   lab_node_body *body, void *context,
		   struct lab_hog_page **page, struct lp_error *err)
{
	struct lab_hog *hog = NULL;
	int status = hog_new(run->lab, &hog, err);

	if (status < 0)
		return status;
	run->own = hog;
	*page = hog->page;
	status = lab_hog_fork(hog, node, body, context, err);
	if (status < 0)
		lab_hog_take_off(run, NULL);
	return status;
}

int lab_hog_put_on_all(struct lab_fault_run *run, lab_node_body *body,
		       lab_hog_aim *aim, void *context,
		       struct lab_hog_page **page, struct lp_error *err)
{
	const struct lab_node *server = lab_nth(run->lab, LAB_SERVER, 0);
	int status;

	aim(context, server, 0);
	status = lab_hog_put_on(run, server, body, context, page, err);
	for (size_t i = 1; status == 0; i++) {
		server = lab_nth(run->lab, LAB_SERVER, i);
		if (!server)
			return 0;
		aim(context, server, i);
		status = lab_hog_fork(run->own, server, body, context, err);
	}
	lab_hog_take_off(run, NULL);
	return status;
}

int lab_hog_fail(struct lab_hog_page *page, const struct lp_error *err)
{
	snprintf(page->error, sizeof(page->error), "%s", err->text);
	atomic_store(&page->ended, -EIO);
	return 1;
}

/* Left for whoever stops it to wait for. */
static bool has_ended(pid_t pid, siginfo_t *how)
{
	how->si_pid = 0;
	return waitid(P_PID, (id_t)pid, how, WEXITED | WNOHANG | WNOWAIT) < 0 ||
	       how->si_pid == pid;
}

int lab_hog_alive(const struct lab_hog *hog, struct lp_error *err)
{
	siginfo_t how = { 0 };

	if (atomic_load(&hog->page->ended) < 0)
		return lp_fail(err, EIO, "it ended: %s", hog->page->error);
	for (size_t i = 0; i < hog->n; i++) {
		if (!has_ended(hog->pids[i], &how))
			continue;
		if (how.si_pid && how.si_code != CLD_EXITED)
			return lp_fail(err, EIO,
				       "it was ended by signal %d (%s)",
				       how.si_status, strsignal(how.si_status));
		return lp_fail(err, EIO, "it ended by itself");
	}
	return 0;
}

double lab_hog_rate(const struct lab_hog *hog)
{
	double s = (double)(lp_monotonic_now() - hog->page->begun_ns) / 1e9;

	return (double)atomic_load(&hog->page->bytes) / 1e6 / s;
}
