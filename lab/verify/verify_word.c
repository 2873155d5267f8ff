/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/verify_word.h"

#include "site/nodes.h"
#include "verify/verify.h"

#include <errno.h>
#include <stdio.h>

#define USUAL_S 600.0

static void print(const char *name, const struct lab_verify_result *r)
{
	printf("%s: %s; %u of %u files", name,
	       lab_verdict_word(lab_verify_verdict(r)), r->done, r->wanted);
	for (int v = 0; v < LAB_VERDICTS; v++)
		if (r->count[v])
			printf(", %u %s", r->count[v],
			       lab_verdict_word((enum lab_verdict)v));
	if (r->legal)
		printf("; %u that were never synced are gone", r->legal);
	printf("; %.1f s, the slowest file %.1f s\n", r->seconds, r->slowest_s);
	if (*r->first)
		printf("first: %s\n", r->first);
	if (r->freed)
		puts("its process could not be killed; the mount was aborted");
}

int lab_verify_word(struct lab *lab, const char *name, double for_s,
		    uint64_t seed, struct lp_error *err)
{
	const struct lab_node *client = lab_nth(lab, LAB_CLIENT, 0);
	struct lab_verify_spec spec = LAB_VERIFY_USUAL;
	struct lab_verify_result result = { 0 };
	char ledger[PATH_MAX];
	int status = lab_node_path(lab, client, "ledger.txt", ledger, err);

	spec.ledger = ledger;
	spec.seed = seed;
	spec.limit_s = for_s > 0 ? for_s : USUAL_S;
	if (status == 0)
		status = lab_verify(lab, client, lab_verify_find(name), &spec,
				    &result, err);
	if (status < 0)
		return status;
	print(name, &result);
	return lab_verify_verdict(&result) == LAB_IS_OK
		       ? 0
		       : lp_fail(err, EIO, "not everything is ok");
}
