/* SPDX-License-Identifier: Apache-2.0 */
/* Campaign files: the file, and the plan that follows from it. */
#include "campaign/campaign.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_small(const struct lab_campaign *campaign)
{
	size_t runs = 0;

	for (size_t i = 0; i < campaign->n_entries; i++)
		runs += campaign->entries[i].repeats *
			campaign->entries[i].n_workloads *
			campaign->entries[i].n_faults *
			(campaign->entries[i].n_strengths + 1);
	return runs * campaign->blocks < 10000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct lab_campaign campaign = { 0 };
	struct lab_plan plan;
	struct lp_error err;

	if (text && lab_campaign_parse("fuzz", text, &campaign, &err) == 0 &&
	    is_small(&campaign) && lab_plan_make(&campaign, &plan, &err) == 0)
		lab_plan_done(&plan);
	lab_campaign_done(&campaign);
	free(text);
	return 0;
}
