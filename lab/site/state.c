/* SPDX-License-Identifier: Apache-2.0 */
#include "site/state.h"

#include "base/conf.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/textfile.h"
#include "site/machine.h"
#include "site/nodes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- writing ---- */

static void put_key(void *context, const char *key, const char *value)
{
	FILE *out = context;

	fprintf(out, "  ");
	for (; *key; key++)
		fputc(*key == '-' ? '_' : *key, out);
	fprintf(out, " = \"%s\";\n", value);
}

static void put_state(FILE *out, const struct lab *lab)
{
	char boot[64];

	lab_boot(boot);
	fprintf(out, "boot = \"%s\";\nspec = {\n", boot);
	lab_spec_each(&lab->spec, put_key, out);
	fprintf(out, "};\nnodes = (\n");
	for (size_t i = 0; i < lab->n_nodes; i++) {
		const struct lab_node *node = &lab->node[i];

		fprintf(out,
			"  { name = \"%s\"; holder = %d; start = \"%" PRIu64
			"\"; device = \"%s\"; state = \"%s\"; }%s\n",
			node->name, (int)node->holder, node->holder_start,
			node->device, node->state_device,
			i + 1 < lab->n_nodes ? "," : "");
	}
	fprintf(out, ");\n");
}

int lab_state_write(const struct lab *lab, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/state", lab->dir);

	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	put_state(file.out, lab);
	return lp_outfile_commit(&file, err);
}

/* ---- reading ---- */

static int bad(const char *dir, const char *what, struct lp_error *err)
{
	return lp_fail(
		err, EINVAL,
		"%s/state is damaged (%s); take the lab down: limpid lab "
		"down --dir %s",
		dir, what, dir);
}

static int read_spec(const char *dir, const config_t *config,
		     struct lab_spec *spec, struct lp_error *err)
{
	const config_setting_t *group = config_lookup(config, "spec");

	if (!group || !config_setting_is_group(group))
		return bad(dir, "no spec", err);
	lab_spec_default(spec);
	for (int i = 0; i < config_setting_length(group); i++) {
		const config_setting_t *s =
			config_setting_get_elem(group, (unsigned)i);
		const char *value = config_setting_get_string(s);
		struct lp_error why;

		if (!value ||
		    lab_spec_set(spec, config_setting_name(s), value, &why) < 0)
			return bad(dir, config_setting_name(s), err);
	}
	if (spec->servers > LAB_MAX_SERVERS || spec->clients > LAB_MAX_CLIENTS)
		return bad(dir, "too many nodes", err);
	return 0;
}

static int read_node(const config_setting_t *s, struct lab_node *node)
{
	const char *name, *start, *device, *state = "";
	int holder;

	if (!config_setting_is_group(s) ||
	    !config_setting_lookup_string(s, "name", &name) ||
	    !config_setting_lookup_string(s, "start", &start) ||
	    !config_setting_lookup_string(s, "device", &device) ||
	    !config_setting_lookup_int(s, "holder", &holder))
		return -EINVAL;
	/* Labs that were made before had no such disk. */
	config_setting_lookup_string(s, "state", &state);
	if (strlen(state) >= sizeof(node->state_device) || strchr(state, '/'))
		return -EINVAL;
	if (strcmp(name, node->name) != 0 || holder < 2 ||
	    strlen(device) >= sizeof(node->device) || strchr(device, '/') ||
	    lp_parse_u64(start, strlen(start), &node->holder_start) < 0)
		return -EINVAL;
	node->holder = holder;
	memcpy(node->device, device, strlen(device) + 1);
	memcpy(node->state_device, state, strlen(state) + 1);
	return 0;
}

static int read_nodes(const char *dir, const config_t *config, struct lab *lab,
		      struct lp_error *err)
{
	const config_setting_t *list = config_lookup(config, "nodes");

	if (!list || !config_setting_is_list(list) ||
	    (size_t)config_setting_length(list) != lab->n_nodes)
		return bad(dir, "nodes", err);
	for (size_t i = 0; i < lab->n_nodes; i++)
		if (read_node(config_setting_get_elem(list, (unsigned)i),
			      &lab->node[i]) < 0)
			return bad(dir, lab->node[i].name, err);
	return 0;
}

static int read_state(const char *dir, const config_t *config, struct lab **lab,
		      struct lp_error *err)
{
	const char *boot;
	struct lab_spec spec;
	struct lab *made = NULL;
	char now[64];
	int status;

	lab_boot(now);
	if (!config_lookup_string(config, "boot", &boot))
		return bad(dir, "no boot", err);
	if (strcmp(boot, now) != 0)
		return lp_fail(
			err, ENOENT,
			"the lab in %s ended when the machine was restarted; "
			"remove what is left: limpid lab down",
			dir);
	status = read_spec(dir, config, &spec, err);
	if (status == 0)
		status = lab_new(dir, &spec, &made, err);
	if (status < 0)
		return status;
	status = read_nodes(dir, config, made, err);
	if (status < 0)
		lab_close(made);
	else
		*lab = made;
	return status;
}

int lab_state_parse(const char *dir, const char *text, size_t n,
		    struct lab **lab, struct lp_error *err)
{
	lp_auto_free char *copy = strndup(n ? text : "", n);
	struct lp_conf conf;
	struct lp_error why;
	int status;

	if (!copy)
		return lp_fail_memory(err);
	if (lp_conf_parse(&conf, "state", copy, &why) < 0)
		return bad(dir, why.text, err);
	status = read_state(dir, &conf.config, lab, err);
	lp_conf_close(&conf);
	return status;
}

static int no_lab(const char *dir, struct lp_error *err)
{
	return lp_fail(err, ENOENT,
		       "no lab is up in %s; make one: limpid lab up%s%s", dir,
		       strcmp(dir, LAB_DIR) == 0 ? "" : " --dir ",
		       strcmp(dir, LAB_DIR) == 0 ? "" : dir);
}

int lab_open(const char *given, bool look_only, struct lab **lab,
	     struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	char dir[PATH_MAX], path[PATH_MAX];
	struct lab *made;
	int status;

	status = realpath(given, dir) ? lab_path(path, err, "%s/state", dir)
				      : -errno;
	if (status == 0)
		status = lp_text_file_open(&file, path, err);
	if (geteuid() != 0 && (status == 0 || status == -EACCES)) {
		lp_text_file_close(&file);
		return lp_fail(err, EPERM, "the lab in %s needs root: use sudo",
			       given);
	}
	if (status < 0)
		return no_lab(given, err);
	status = lab_state_parse(dir, file.text, file.n, &made, err);
	lp_text_file_close(&file);
	if (status < 0)
		return status;
	if (!look_only)
		status = lab_journal_open(dir, false, &made->journal, err);
	if (status < 0)
		lab_close(made);
	else
		*lab = made;
	return status;
}
