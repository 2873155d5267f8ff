/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a command is to read, as one stream.
 */
#ifndef LP_CMD_INPUTS_H
#define LP_CMD_INPUTS_H

#include "base/names.h"
#include "base/option.h"
#include "source/source.h"

/* The options of every command that reads recordings. */
struct lp_input_options {
	const char *format;
	struct lp_source_options source;
};

/* Rows of an option table, for a struct with the above as `input`. */
#define LP_INPUT_FORMAT(fields)                                                \
	{ .short_name = 'f',                                                   \
	  .long_name = "format",                                               \
	  .type = LP_OPTION_STRING,                                            \
	  .value = "FORMAT",                                                   \
	  .offset = offsetof(fields, input.format),                            \
	  .help = "limpid, sysstat, pcp or csv (default: by the file)" },      \
	{                                                                      \
		.long_name = "map", .type = LP_OPTION_STRING,                  \
		.value = "NAME=COLUMN,...",                                    \
		.offset = offsetof(fields, input.source.map),                  \
		.help = "CSV: which column is what; NAME=- leaves one out"     \
	}
#define LP_INPUT_HOST(fields)                                                  \
	{                                                                      \
		.long_name = "host", .type = LP_OPTION_STRING,                 \
		.value = "NAME",                                               \
		.offset = offsetof(fields, input.source.host),                 \
		.help = "the host of what does not name one"                   \
	}
#define LP_INPUT_HOST_FROM_PATH(fields)                                        \
	{                                                                      \
		.long_name = "host-from-path", .type = LP_OPTION_FLAG,         \
		.offset = offsetof(fields, input.source.host_from_path),       \
		.help = "the name of a file's directory is its host"           \
	}

struct lp_inputs {
	const char *format; /* NULL: each by its first bytes */
	struct lp_source_options options;
	struct lp_query query;
	char **paths;
	size_t n, capacity;
	struct lp_names recordings; /* of the paths, without their parts */
};

/* "All of it": then set what differs. */
void lp_inputs_init(struct lp_inputs *inputs);
/* As the options say, without any file yet. */
void lp_inputs_begin(struct lp_inputs *inputs,
		     const struct lp_input_options *options);
void lp_inputs_done(struct lp_inputs *inputs);

/*
 * Add a file, unless it is part of a recording that was added (of PCP, whose
 * recordings are several files); of a directory all files that limpid
 * recognises, in the order of their names. -EINVAL: a directory without any.
 */
int lp_inputs_add(struct lp_inputs *inputs, const char *path,
		  struct lp_error *err);

/* All of them, merged by time. The inputs must stay. */
int lp_inputs_open(struct lp_inputs *inputs, struct lp_stream **stream,
		   struct lp_error *err);
/* One of them alone. */
int lp_inputs_open_one(const struct lp_inputs *inputs, size_t input,
		       struct lp_stream **stream, struct lp_error *err);

#endif
