/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosts that are not heard. One of many is a finding: absent. When half of a
 * group is silent, a network or a copy has failed rather than so many servers,
 * and of those that are left nobody knows who is usual: nothing can be told.
 */
#include "serve/service.h"

#include "base/names.h"
#include "cluster/cluster.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool is_silent(const struct lp_service *s, const char *host)
{
	size_t n;
	const struct lp_live_host *hosts = lp_live_hosts(s->live, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(hosts[i].name, host) == 0)
			return hosts[i].state != LP_LIVE_HEARD &&
			       hosts[i].state != LP_LIVE_STOPPED;
	return false;
}

/* Whether half of the group's hosts, or more, are not heard. */
static int count_silent(const struct lp_service *s,
			const struct lp_peer_group *group, size_t *silent,
			size_t *hosts)
{
	struct lp_names names = { 0 };
	int status = 0;

	*silent = 0;
	for (size_t i = 0; i < group->n && status == 0; i++) {
		uint32_t known = names.count;

		if (lp_names_add(&names, group->peers[i].host) == LP_NAME_NONE)
			status = -ENOMEM;
		else if (names.count > known)
			*silent += is_silent(s, group->peers[i].host);
	}
	*hosts = names.count;
	lp_names_done(&names);
	return status;
}

/* Its findings are taken out. */
static void drop_group(struct lp_findings *findings, const char *group)
{
	size_t n = 0;

	for (size_t i = 0; i < findings->n; i++)
		if (!findings->items[i].group ||
		    strcmp(findings->items[i].group, group) != 0)
			findings->items[n++] = findings->items[i];
	findings->n = n;
}

static int undecide(struct lp_findings *findings,
		    const struct lp_peer_group *group, size_t silent,
		    size_t hosts)
{
	char text[512];

	drop_group(findings, group->name);
	if (findings->n)
		return 0;
	snprintf(text, sizeof(text),
		 "%zu of %zu hosts of the group %.200s are not heard: see "
		 "their states",
		 silent, hosts, group->name);
	findings->outcome = LP_OUTCOME_UNDECIDED;
	findings->reason = lp_findings_text(findings, text);
	return findings->reason ? 0 : -ENOMEM;
}

int lp_service_unheard(struct lp_service *s, struct lp_findings *findings,
		       struct lp_error *err)
{
	struct lp_case *c = lp_live_case(s->live);
	const struct lp_plan *plan = c ? lp_case_input(c)->plan : NULL;
	int status = 0;

	for (size_t g = 0; plan && g < plan->n_groups && status == 0; g++) {
		size_t silent, hosts;

		if (plan->groups[g].kind != LP_PEERS)
			continue;
		status = count_silent(s, &plan->groups[g], &silent, &hosts);
		if (status == 0 && silent && 2 * silent >= hosts)
			status = undecide(findings, &plan->groups[g], silent,
					  hosts);
	}
	return status < 0 ? lp_fail_memory(err) : 0;
}
