/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The causes that limpid names. To add one: its word in enum lp_cause
 * (model/finding.h), a row here, and the rule that names it
 * (diagnose/cause.c).
 */
#include "model/finding.h"

#include <string.h>

static const struct {
	const char *name;  /* the word of JSON and of limpid-campaign(5) */
	const char *title; /* the same for people */
	const char *text;  /* a sentence, without its dot */
	const char *next;  /* the check to make next */
	bool is_load;      /* a class may know a better check of that */
} causes[LP_CAUSES] = {
	[LP_CAUSE_UNKNOWN] = {
		.name = "unknown",
		.title = "unknown cause",
		.text = "It differs from its peers in a way that fits no known "
			"cause",
		.next = "Compare its configuration, firmware and load with "
			"those of its peers.",
	},
	[LP_CAUSE_DISK_HOG] = {
		.name = "disk-hog",
		.title = "extra load on a disk",
		.text = "This disk moves more data than its peers: something "
			"else uses it, too",
		.next = "Find out what else uses this disk: run iotop or "
			"pidstat -d on the host; look for backups, scrubs and "
			"local jobs.",
		.is_load = true,
	},
	[LP_CAUSE_DISK_BUSY] = {
		.name = "disk-busy",
		.title = "slow disk",
		.text = "Each request takes longer than on its peers",
		.next = "Read the disk's own log: smartctl -a. Check its "
			"enclosure. Look for a rebuild, or for another failing "
			"disk in the enclosure.",
	},
	[LP_CAUSE_NETWORK_HOG] = {
		.name = "network-hog",
		.title = "extra load on a link",
		.text = "This interface moves more data than its peers: "
			"something else uses it, too",
		.next = "Find out what else uses this interface: run iftop or "
			"ss -tip on the host.",
		.is_load = true,
	},
	[LP_CAUSE_PACKET_LOSS] = {
		.name = "packet-loss",
		.title = "packet loss",
		.text = "Its TCP connections lose packets",
		.next = "Look for errors and drops on the path: ethtool -S, "
			"nstat TcpRetransSegs, the cable, the switch port.",
	},
	[LP_CAUSE_ABSENT] = {
		.name = "absent",
		.title = "absent",
		.text = "It has no samples while its peers have",
		.next = "Check whether it is down or unplugged, whether "
			"another server has taken over its work, or whether "
			"its recording was not copied.",
	},
	[LP_CAUSE_CUT_OFF] = {
		.name = "cut-off",
		.title = "cut off",
		.text = "By the logs, it and the other nodes do not reach each "
			"other",
		.next = "Check its link: ip -s link, ethtool, the cable and "
			"the switch port.",
	},
	[LP_CAUSE_DEVICE_FAILING] = {
		.name = "device-failing",
		.title = "failing device",
		.text = "By the logs, its storage returns errors",
		.next = "Read the disk's own log: smartctl -a. Read dmesg. "
			"Check the enclosure or the storage network.",
	},
	[LP_CAUSE_SOFTWARE] = {
		.name = "software",
		.title = "different software activity",
		.text = "Its CPUs do other things than those of its peers, "
			"and nothing else of it was seen to differ. The "
			"budget of false alarms does not cover this",
		.next = "Compare it with limpid profile diff. Look for what "
			"only this server has: a debugger, a log level, a job, "
			"a version.",
	},
};

const char *lp_cause_name(enum lp_cause cause)
{
	return causes[cause].name;
}

const char *lp_cause_title(enum lp_cause cause)
{
	return causes[cause].title;
}

const char *lp_cause_text(enum lp_cause cause)
{
	return causes[cause].text;
}

const char *lp_cause_next(enum lp_cause cause, const struct lp_class *class)
{
	return causes[cause].is_load && class && class->load_check
		       ? class->load_check
		       : causes[cause].next;
}

enum lp_cause lp_cause_find(const char *name)
{
	enum lp_cause cause = 0;

	while (cause < LP_CAUSES && strcmp(causes[cause].name, name) != 0)
		cause++;
	return cause;
}
