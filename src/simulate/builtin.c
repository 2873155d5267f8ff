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

/* Thesis, tables 5.3 to 5.6. */
static const char case_study[] =
	"# A week of a system like Intrepid with the 23 events of its case "
	"study:\n"
	"# the devices and times of day are those that were observed. The "
	"dates were\n"
	"# moved together, and long events made shorter. How strong they are "
	"is chosen.\n"
	"arrays = 16; servers = 8; luns = 72; old_luns = 48;\n"
	"attachments = 8; first_array = 6; server_prefix = \"fs\";\n"
	"interval = 15.0; hours = 168.0; start = \"2026-06-01\";\n"
	"load = { reads = 4.0; writes = 6.0; bursts_per_hour = 14.0;\n"
	"         idle_share = 0.15; };\n"
	"disturbances = { transients = 0.5; server_workloads = 0.05;\n"
	"                 clock_steps = 0.1; };\n"
	"\n"
	"# Times are hours after the start.\n"
	"events = (\n"
	"  # Controllers that failed.\n"
	"  { kind = \"controller-failed\"; array = 19; controller = \"a\";\n"
	"    at = 24.0; hours = 24.0; },\n"
	"  { kind = \"controller-failed\"; array = 20; controller = \"b\";\n"
	"    at = 27.3834; hours = 30.0; },\n"
	"  { kind = \"controller-failed\"; array = 11; controller = \"a\";\n"
	"    at = 27.15; hours = 36.0; },\n"
	"  { kind = \"controller-failed\"; controllers = [ \"12a\", \"20a\", "
	"\"21a\" ];\n"
	"    at = 112.95; hours = 36.0; },\n"
	"  { kind = \"controller-failed\"; array = 8; controller = \"a\";\n"
	"    at = 118.4334; hours = 36.0; },\n"
	"  # File servers that were down.\n"
	"  { kind = \"server-down\"; server = 16; at = 67.0; hours = 36.0; },\n"
	"  { kind = \"server-down\"; server = 24; at = 31.5167; hours = 36.0; "
	"},\n"
	"  { kind = \"server-down\"; server = 25; at = 75.3667; hours = 35.6; "
	"},\n"
	"  # Wrong settings and bad states: LUNs are reset, and servers give "
	"them up;\n"
	"  # a controller, then two arrays without cache coherency; a server "
	"whose\n"
	"  # file system did not start; LUNs that some servers do not reach.\n"
	"  { kind = \"lun-resets\"; array = 12; lun = 0; luns = 71;\n"
	"    servers = [ 49, 50, 53, 54 ]; at = 24.35; hours = 36.0; },\n"
	"  { kind = \"luns-zero\"; array = 19; controller = \"a\"; lun = 48; "
	"luns = 24;\n"
	"    at = 67.6; hours = 21.9; },\n"
	"  { kind = \"luns-missing\"; controllers = [ \"14a\", \"18b\" ]; lun "
	"= 36;\n"
	"    luns = 12; at = 91.6834; hours = 48.0; },\n"
	"  { kind = \"service-down\"; server = 56; at = 65.8334; hours = 24.0; "
	"},\n"
	"  { kind = \"luns-missing\"; array = 16; controller = \"b\"; lun = "
	"48; luns = 24;\n"
	"    servers = [ 84, 88 ]; at = 75.0; hours = 48.0; },\n"
	"  { kind = \"luns-missing\"; array = 11; controller = \"a\"; lun = "
	"48; luns = 24;\n"
	"    servers = [ 42, 45, 46 ]; at = 99.0; hours = 36.0; },\n"
	"  # Drawers with errors on many disks.\n"
	"  { kind = \"drawer-errors\"; array = 12; lun = 0; luns = 60;\n"
	"    at = 20.5; hours = 3.9; },\n"
	"  { kind = \"drawer-errors\"; array = 12; lun = 0; luns = 37;\n"
	"    at = 90.5; hours = 20.0; },\n"
	"  { kind = \"drawer-errors\"; array = 19; lun = 0; luns = 54;\n"
	"    at = 98.0; hours = 27.0; },\n"
	"  { kind = \"drawer-errors\"; array = 16; lun = 20; luns = 11;\n"
	"    at = 19.5; hours = 24.0; },\n"
	"  # Single LUNs: slow, with a load of its own, slow, slow, without a "
	"load.\n"
	"  { kind = \"lun-latency\"; array = 15; lun = 37; strength = 2.0;\n"
	"    at = 32.0; hours = 72.0; },\n"
	"  { kind = \"lun-workload\"; array = 19; lun = 12; strength = 60.0;\n"
	"    at = 140.0; hours = 28.0; },\n"
	"  { kind = \"lun-latency\"; array = 11; lun = 12; strength = 1.7;\n"
	"    at = 124.0; hours = 44.0; },\n"
	"  { kind = \"lun-latency\"; array = 9; lun = 4; strength = 1.5;\n"
	"    at = 132.0; hours = 36.0; },\n"
	"  { kind = \"idle-latency\"; array = 21; lun = 34; strength = 60.0;\n"
	"    at = 40.0; hours = 72.0; }\n"
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

const char *const lp_scenario_names[] = { "intrepid", "case-study", "small",
					  "healthy",  "lossy",      NULL };
static const char *const texts[] = { intrepid, case_study, small, healthy,
				     lossy };

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
