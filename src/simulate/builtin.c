/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in scenarios, as the scripts that `limpid simulate --print` gives:
 * a start for one's own. To add one: a text and a line in the table.
 */
#include "simulate/scenario.h"

#include <stdio.h>
#include <string.h>

/* The topology of thesis 5.2, and each kind of event of 5.7 and 6.3. */
static const char intrepid[] =
	"# A day of a system like Intrepid: 128 servers, 16 arrays, 9,216\n"
	"# attachments, with one event of each kind.\n"
	"arrays = 16; servers = 8; luns = 72; old_luns = 48;\n"
	"attachments = 8; first_array = 6; server_prefix = \"fs\";\n"
	"interval = 1.0; hours = 24.0; start = \"2026-06-01\";\n"
	"\n"
	"# Requests/s of every LUN; bursts that all LUNs share come on top.\n"
	"load = { reads = 4.0; writes = 6.0; bursts_per_hour = 14.0;\n"
	"         idle_share = 0.15; };\n"
	"# No faults, per LUN or server and day.\n"
	"disturbances = { transients = 0.5; server_workloads = 0.05;\n"
	"                 clock_steps = 0.1; };\n"
	"\n"
	"# Times are hours after the start.\n"
	"events = (\n"
	"  { kind = \"controller-failed\"; array = 6; controller = \"a\";\n"
	"    at = 2.0; hours = 5.0; },\n"
	"  { kind = \"server-down\"; server = 16; at = 9.0; hours = 6.0; },\n"
	"  { kind = \"lost-missing\"; array = 8; lun = 4; luns = 3;\n"
	"    at = 3.0; hours = 8.0; },\n"
	"  { kind = \"lost-zero\"; array = 9; lun = 2; luns = 2;\n"
	"    at = 10.0; hours = 13.5; },\n"
	"  { kind = \"drawer-errors\"; array = 8; lun = 5; luns = 7;\n"
	"    at = 13.0; hours = 5.0; },\n"
	"  { kind = \"lun-latency\"; array = 9; lun = 5; strength = 3.0;\n"
	"    at = 1.0; hours = 20.0; },\n"
	"  { kind = \"lun-workload\"; array = 7; lun = 1;\n"
	"    at = 17.0; hours = 5.0; },\n"
	"  { kind = \"idle-latency\"; array = 7; lun = 10;\n"
	"    at = 1.0; hours = 7.0; },\n"
	"  { kind = \"rebuild\"; array = 6; lun = 21;\n"
	"    at = 14.0; hours = 6.0; },\n"
	"  { kind = \"slow-disk\"; array = 9; lun = 19;\n"
	"    at = 8.5; hours = 15.0; }\n"
	");\n";

/* The test bench of FAST'10 8: 120 s healthy, 300 s fault, 180 s after. */
static const char small[] =
	"# Eight servers with one disk each under a steady, shared load; the\n"
	"# disk of the third is busy with something else for five minutes.\n"
	"arrays = 1; servers = 8; luns = 8; attachments = 1; local = true;\n"
	"server_prefix = \"s\"; interval = 1.0; hours = 0.166666667;\n"
	"start = \"2026-06-01\";\n"
	"load = { reads = 60.0; writes = 80.0; bursts_per_hour = 30.0; };\n"
	"disturbances = { transients = 1.0; };\n"
	"events = ( { kind = \"disk-busy\"; server = 3; at_s = 120;\n"
	"             seconds = 300; } );\n";

static const char healthy[] =
	"# The same eight servers for an hour, and nothing is wrong.\n"
	"arrays = 1; servers = 8; luns = 8; attachments = 1; local = true;\n"
	"server_prefix = \"s\"; interval = 1.0; hours = 1.0;\n"
	"start = \"2026-06-01\";\n"
	"load = { reads = 60.0; writes = 80.0; bursts_per_hour = 30.0; };\n"
	"disturbances = { transients = 1.0; };\n";

/* FAST'10 8: 5 % of the packets; writes, on which receive-pktloss shows. */
static const char lossy[] =
	"# The same eight servers and four clients, whose connections are\n"
	"# recorded at both ends; the third server does not get all packets.\n"
	"arrays = 1; servers = 8; luns = 8; attachments = 1; local = true;\n"
	"clients = 4; server_prefix = \"s\"; interval = 1.0;\n"
	"hours = 0.166666667; start = \"2026-06-01\";\n"
	"load = { reads = 60.0; writes = 80.0; bursts_per_hour = 30.0; };\n"
	"disturbances = { transients = 1.0; };\n"
	"events = ( { kind = \"receive-pktloss\"; server = 3; at_s = 120;\n"
	"             seconds = 300; } );\n";

const char *const lp_scenario_names[] = { "intrepid", "small", "healthy",
					  "lossy", NULL };
static const char *const texts[] = { intrepid, small, healthy, lossy };

const char *lp_scenario_builtin(const char *name)
{
	for (size_t i = 0; lp_scenario_names[i]; i++)
		if (strcmp(name, lp_scenario_names[i]) == 0)
			return texts[i];
	return NULL;
}

const char *lp_scenario_list(char text[LP_SCENARIO_LIST])
{
	size_t at = 0;

	for (size_t i = 0; lp_scenario_names[i] && at < LP_SCENARIO_LIST; i++)
		at += (size_t)snprintf(text + at, LP_SCENARIO_LIST - at, "%s%s",
				       i ? ", " : "", lp_scenario_names[i]);
	return text;
}
