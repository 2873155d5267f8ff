/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be changed of a virtual disk, and the commands that change it: one
 * line of words each. limpid-disk(1) lists them; to add one: a field here, a
 * line in the table of settings.c, a paragraph in the page.
 */
#ifndef LAB_DISK_SETTINGS_H
#define LAB_DISK_SETTINGS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAB_ERRORS_READ = 1, LAB_ERRORS_WRITE = 2, LAB_ERRORS_BOTH = 3 };

#define LAB_BUS_PATH 256

/* What a power cut leaves of the writes that no flush was answered for. */
enum lab_disk_keep { LAB_KEEP_NONE, LAB_KEEP_FIRST, LAB_KEEP_RANDOM };

struct lab_disk_cut {
	enum lab_disk_keep keep;
	uint64_t first; /* so many of them, or */
	double part;    /* each with this chance */
	bool torn; /* the last that is kept ends at a boundary of a sector */
	uint64_t seed;
};

/* More offsets would not fit into an answer. */
#define LAB_FLIPS_MOST 1000

struct lab_disk_flip {
	uint64_t n, from, to, seed;
};

struct lab_disk_settings {
	uint64_t rate;       /* bytes a second */
	uint64_t seek_ns;    /* of a request that is not sequential */
	uint64_t latency_ns; /* more for every answer */
	uint64_t jitter_ns;  /* at most this more, by chance */
	uint64_t seed;       /* of that chance */
	unsigned errors;     /* LAB_ERRORS_..., 0: none */
	uint64_t errors_after;
	uint64_t errors_from, errors_to;
	bool stuck;
	char bus[LAB_BUS_PATH]; /* "": none */
	uint64_t bus_rate;      /* 0: as it is */
	bool is_volatile;       /* its cache */
	bool off;               /* no power */
	bool gone;              /* unplugged */
	/* Of a command that is done once: */
	struct lab_disk_cut cut;
	struct lab_disk_flip flip;
};

/* What a command asks for beside the settings it changed. */
enum lab_disk_verb {
	LAB_DISK_SET,    /* a setting that is read when it is needed */
	LAB_DISK_JITTER, /* begin the series of chance anew */
	LAB_DISK_ERRORS, /* count bytes anew */
	LAB_DISK_STUCK,
	LAB_DISK_BUS,
	LAB_DISK_CACHE,
	LAB_DISK_POWER,
	LAB_DISK_FLIP,
	LAB_DISK_STATUS,
	LAB_DISK_RESET,
};

/* A modern disk's share of a server: 12 MB/s, 8 ms a seek, no faults. */
void lab_disk_settings_default(struct lab_disk_settings *settings);

/*
 * Take the n bytes of a command over what *settings holds; untouched at
 * failure. An enum lab_disk_verb, or -EINVAL with what was expected.
 */
int lab_disk_settings_take(struct lab_disk_settings *settings, const char *line,
			   size_t n, struct lp_error *err);

/* "rate=12000000 seek_us=8000 ..."; the length, as snprintf counts. */
int lab_disk_settings_format(const struct lab_disk_settings *settings,
			     char *text, size_t room);

/* "1048576", "12M" (10^6), "1Gi" (2^30). 0, -EINVAL or -ERANGE. */
int lab_bytes_parse(const char *text, size_t n, uint64_t *bytes);

#endif
