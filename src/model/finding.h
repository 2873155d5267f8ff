/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A finding: which component differs from its peers, the likely cause, since
 * when, how badly, and the evidence. Everything that diagnoses makes these;
 * everything that reports reads them.
 */
#ifndef LP_MODEL_FINDING_H
#define LP_MODEL_FINDING_H

#include "model/evidence.h"

/*
 * The likely cause (FAST'10 2, 10.2; thesis 5.7 for absence); model/causes.c
 * has the words.
 */
enum lp_cause {
	LP_CAUSE_UNKNOWN,  /* it differs, and the checklist names nothing */
	LP_CAUSE_DISK_HOG, /* something loads its disk beside the peers' load */
	LP_CAUSE_DISK_BUSY,   /* its disk answers slower than its peers' */
	LP_CAUSE_NETWORK_HOG, /* something loads its network */
	LP_CAUSE_PACKET_LOSS, /* its connections lose packets */
	LP_CAUSE_ABSENT,      /* it is gone, or idle, while its peers go on */
	/* By logs: */
	LP_CAUSE_CUT_OFF,        /* it and the others do not reach each other */
	LP_CAUSE_DEVICE_FAILING, /* its storage returns errors */
	LP_CAUSE_SOFTWARE, /* it executes other things, and nothing else differs
			    */
	LP_CAUSES,
};

/* What a diagnosis comes to. */
enum lp_outcome {
	LP_OUTCOME_NONE,      /* no component differs from its peers */
	LP_OUTCOME_FAULT,     /* at least one finding */
	LP_OUTCOME_UNDECIDED, /* cannot tell, for a reason that is said */
	LP_OUTCOMES,
};

/* The words of a cause, so that a finding stands for itself. */
struct lp_cause_words {
	const char *name;  /* "disk-busy" */
	const char *title; /* "slow disk" */
	const char *text;  /* a sentence without its dot */
};

struct lp_finding {
	const char *component; /* as shown: "oss3/sdc"; "oss3" when all of the
				  host's were coalesced, "controller ddn6a" */
	const char *id;   /* the same by what outlasts a boot, if that is known:
			     "oss3/wwid:naa.5000c500a1b2c3d4" */
	const char *host; /* of the worst; NULL: nobody names it */
	const char *const *hosts; /* all of them; several of a controller */
	size_t n_hosts;
	const char *part;    /* what can be replaced: WWID, serial; or NULL */
	enum lp_cause cause; /* LP_CAUSES: one that a newer limpid knows */
	struct lp_cause_words words; /* of the cause; set in lp_findings */
	enum lp_resource resource;
	int64_t since_ns, until_ns;
	bool lasting; /* until the end of the recording */
	bool dated;   /* since and until come from the samples; between these
			 they are. Both low and high are since_ns, or
			 until_ns: from the first sample on, or to the last */
	int64_t since_low_ns, since_high_ns, until_low_ns, until_high_ns;
	bool unjudged; /* it ended because so many of its group differ that
			  the method cannot judge it: it may go on */
	int64_t unjudged_since_ns, unjudged_until_ns; /* that time */
	size_t n_unjudged, of_unjudged; /* how many differ, of how many */
	double score;       /* persistence and magnitude; larger is worse */
	size_t persistence; /* the largest value of its accumulator, in windows
			       (thesis 3.4) */
	bool workload;      /* latency and throughput differ together: a load on
			       this component rather than a bad one (3.2.1) */
	struct lp_evidence *evidence; /* what accuses first */
	size_t n_evidence;
	const char *group;        /* name of the peer group of the first */
	const char *const *peers; /* their shown names, at most all of them */
	size_t n_peers;
	const char *const *parts; /* shown names of what was coalesced */
	size_t n_parts;
	const char *next; /* the check to make next, a sentence */
	/* Nobody saw it: how it is known at all, "named in oss.conf, line 3";
	   NULL: it was seen. */
	const char *known_by;
};

/* "disk-hog" ...; "fault", "none", "undecided". */
const char *lp_cause_name(enum lp_cause cause);
const char *lp_outcome_name(enum lp_outcome outcome);
/* LP_CAUSES: there is no such word. */
enum lp_cause lp_cause_find(const char *name);
/* Two or three words for people: "slow disk". */
const char *lp_cause_title(enum lp_cause cause);
/* A sentence without its dot: "Each request takes longer than ...". */
const char *lp_cause_text(enum lp_cause cause);
/*
 * The check to make next, a sentence. class: of the component, or NULL where
 * it is not known.
 */
const char *lp_cause_next(enum lp_cause cause, const struct lp_class *class);
/* The text of a finding: absence has several faces. */
const char *lp_finding_text(const struct lp_finding *finding);
/* Whether the finding is about this component, or has it as a part. */
bool lp_finding_is_of(const struct lp_finding *finding, const char *component);

#endif
