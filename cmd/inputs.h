/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a command is to read, as one stream.
 */
#ifndef LP_CMD_INPUTS_H
#define LP_CMD_INPUTS_H

#include "hosts.h"

#include "base/names.h"
#include "base/option.h"
#include "progress.h"
#include "source/source.h"
#include "table/kept.h"

/* The options of every command that reads recordings. */
struct lp_input_options {
	const char *format;
	struct lp_option_list hosts; /* patterns; lp_input_options_done frees */
	const char *as_host;
	struct lp_source_options source;
	bool strict;
};

/* Rows of an option table, for a struct with the above as `input`. */
#define LP_INPUT_FORMAT(fields)                                                \
	{ .short_name = 'f',                                                   \
	  .long_name = "format",                                               \
	  .type = LP_OPTION_STRING,                                            \
	  .value = "FORMAT",                                                   \
	  .offset = offsetof(fields, input.format),                            \
	  .help = "limpid, sysstat, pcp, openmetrics or csv (default: by "     \
		  "content)" },                                                \
		{ .long_name = "map",                                          \
		  .type = LP_OPTION_STRING,                                    \
		  .value = "NAME=COLUMN,...",                                  \
		  .offset = offsetof(fields, input.source.map),                \
		  .help = "CSV: names of columns; NAME=- leaves one out" },    \
	{                                                                      \
		.long_name = "prometheus", .type = LP_OPTION_LIST,             \
		.value = "NAME=VALUE",                                         \
		.offset = offsetof(fields, input.source.prometheus),           \
		.help = "a setting for prometheus:URL, see "                   \
			"limpid-prometheus(7)"                                 \
	}
#define LP_INPUT_STRICT(fields)                                                \
	{                                                                      \
		.long_name = "strict", .type = LP_OPTION_FLAG,                 \
		.offset = offsetof(fields, input.strict),                      \
		.help = "end with an error if a file cannot be read whole, "   \
			"instead of leaving it out"                            \
	}
#define LP_INPUT_HOST(fields)                                                  \
	{ .long_name = "host",                                                 \
	  .type = LP_OPTION_LIST,                                              \
	  .value = "GLOB",                                                     \
	  .offset = offsetof(fields, input.hosts),                             \
	  .help = "only hosts whose name matches" },                           \
	{                                                                      \
		.long_name = "as-host", .type = LP_OPTION_STRING,              \
		.value = "NAME", .offset = offsetof(fields, input.as_host),    \
		.help = "use NAME as the host of these files"                  \
	}
#define LP_INPUT_HOST_FROM_PATH(fields)                                        \
	{                                                                      \
		.long_name = "host-from-path", .type = LP_OPTION_FLAG,         \
		.offset = offsetof(fields, input.source.host_from_path),       \
		.help = "use the name of a file's directory as its host"       \
	}

/* Something that was to be read and was not, or not whole. */
struct lp_input_fault {
	size_t input; /* LP_INPUT_NONE: a directory */
	bool part;    /* some of it was read */
	char *text;   /* for a person: "left out: FILE: ..." */
	char *reason; /* "FILE: ..." */
};
#define LP_INPUT_NONE ((size_t)-1)

struct lp_inputs {
	const char *format;  /* NULL: each by its first bytes */
	const char *archive; /* this one is an archive, whatever the format */
	struct lp_source_options options;
	struct lp_query query;
	struct lp_host_filter hosts;
	bool strict;  /* what cannot be read whole is an error */
	char **paths; /* ended by NULL, if there are any */
	int *spools;  /* by path: -1, or what came through that pipe */
	size_t n, capacity, spools_capacity;
	struct lp_names recordings; /* of the paths, without their parts */
	struct lp_names others;     /* files of directories that are no
				       recordings */
	struct lp_input_fault *faults;
	size_t n_faults, faults_capacity;
	size_t n_failed;       /* of the paths */
	struct lp_names newer; /* paths with items that only a newer limpid
				  knows */
	uint64_t n_newer;      /* those items */
	char *more;            /* the note of those that do not fit */
	/* How far reading is: shown if progress is set, then cleared. */
	struct lp_progress *progress;
	unsigned pass, n_passes; /* all of them are read so often */
	double parts;            /* of this pass: the sum over all inputs */
	uint64_t samples;
	/*
	 * They are read more than once: what is foreign is read once and kept
	 * (table/kept.h), the first ones in memory.
	 */
	bool again;
	struct lp_kept *kept; /* by path; NULL: none yet */
	uint64_t kept_bytes;  /* in memory */
	double converted;     /* how many were read to be kept */
};

/* "All of it": then set what differs. */
void lp_inputs_init(struct lp_inputs *inputs);
/* As the options say, without any file yet. */
void lp_inputs_begin(struct lp_inputs *inputs,
		     const struct lp_input_options *options);
void lp_inputs_done(struct lp_inputs *inputs);
/* Whether any of them is fetched over a network, and so ends now. */
bool lp_inputs_are_remote(const struct lp_inputs *inputs);
/* Before anything is read: -EINVAL is a wrong command line. */
int lp_input_options_check(const struct lp_input_options *options,
			   struct lp_error *err);
void lp_input_options_done(struct lp_input_options *options);

/*
 * Add a file, unless it is part of a recording that was added (of PCP, whose
 * recordings are several files); of a directory all files in it and below
 * that limpid recognises, in the order of their names; "-" is standard input,
 * which is read to its end, as pipes are. What cannot be read is an error if
 * strict is set, else a fault.
 */
int lp_inputs_add(struct lp_inputs *inputs, const char *path,
		  struct lp_error *err);

/*
 * All of them, merged by time. The inputs must stay. Unless strict is set, one
 * that cannot be read (on) is a fault and ends there; if that is true of all of
 * them, the last becomes an error.
 */
int lp_inputs_open(struct lp_inputs *inputs, struct lp_stream **stream,
		   struct lp_error *err);
/* One of them alone, in the same way. */
int lp_inputs_open_one(struct lp_inputs *inputs, size_t input,
		       struct lp_stream **stream, struct lp_error *err);

/* From here on everything is read once more; for the progress. */
void lp_inputs_next_pass(struct lp_inputs *inputs);

/* --- inputs_fault.c: what was left out ------------------------------------ */

/* Note a fault; the text is copied. input, part: as above. 0 or -ENOMEM. */
int lp_inputs_fault(struct lp_inputs *inputs, size_t input, bool part,
		    const char *reason);
/* The error if nothing is left: of the first fault. */
int lp_inputs_nothing(const struct lp_inputs *inputs, struct lp_error *err);
/*
 * Whether something was given up, not only cut off or damaged: who copies then
 * ends with an error, so that nobody deletes what was not copied.
 */
bool lp_inputs_gave_up(const struct lp_inputs *inputs);
/* How many could not be read, or (part) only in part. */
size_t lp_inputs_left_out(const struct lp_inputs *inputs, bool part);
/* A line on standard error where reading much CSV will take long. */
void lp_inputs_hint(const struct lp_inputs *inputs, const char *command);
/* The faults, and how many files were no recordings, on standard error. */
void lp_inputs_warn(const struct lp_inputs *inputs, const char *command);
/*
 * The faults as notes of a report: up to `room` texts, which live as long as
 * the inputs; the last says how many more there are. Their number.
 */
size_t lp_inputs_notes(struct lp_inputs *inputs, const char **notes,
		       size_t room);
void lp_inputs_faults_done(struct lp_inputs *inputs);

/* --- inputs_walk.c: directories ------------------------------------------- */

/* Takes over the path. 0 or -ENOMEM. */
int lp_inputs_add_path(struct lp_inputs *inputs, char *path);
/* All recordings in a directory and below. 0 or -errno. */
int lp_inputs_walk(struct lp_inputs *inputs, const char *directory,
		   struct lp_error *err);

#endif
