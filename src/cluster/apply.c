/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the cluster file says of the recordings: roles, devices that count and
 * their labels. A pattern that matches nothing in the
 * recordings is an error: peers chosen by a wrong file would accuse the wrong.
 * A server that it names in full, and that was not recorded, is absent. Where
 * hosts were left out on purpose, what the file names may be theirs.
 */
#include "cluster/cluster_file.h"

#include "base/number.h"
#include "cluster/planner.h"

#include <errno.h>
#include <string.h>

/* ---- labels ---- */

static int set_labels(struct lp_planner *p, const struct lp_entry *entry,
		      const struct lp_captures *captures,
		      struct lp_labels *labels)
{
	int status = 0;

	for (size_t i = 0; i < entry->labels.count && status == 0; i++)
		status = lp_planner_label(
			p, labels, entry->labels.items[i].key,
			lp_captures_expand(captures,
					   entry->labels.items[i].value,
					   &p->plan->arena));
	return status;
}

/* ---- hosts ---- */

const char *lp_entry_first(const struct lp_patterns *patterns)
{
	return patterns->count ? patterns->items[0].text : "*";
}

/* "oss2", and not "oss*" */
static bool is_name(const struct lp_pattern *pattern)
{
	return !pattern->is_regex && !strpbrk(pattern->text, "*?[(\\");
}

static bool is_recorded(const struct lp_planner *p, const char *host)
{
	const struct lp_roster_host *h = lp_survey_host(p->recording, host);

	return h && h->n_samples > 0;
}

static int note_unseen(struct lp_planner *p, const char *host, unsigned line)
{
	struct lp_unseen unseen = {
		.label = lp_planner_text(p, "%s", host),
		.known_by = lp_planner_text(p, "named in %s, line %u",
					    p->cluster->path, line),
		.line = line,
		.whole = true,
	};

	unseen.host = unseen.label;
	return lp_planner_unseen(p, &unseen);
}

/* Names of servers that nobody saw; *any is set if there is one. */
static int note_unseen_hosts(struct lp_planner *p, const struct lp_entry *entry,
			     const struct lp_patterns *names, bool *any)
{
	int status = 0;

	for (size_t i = 0; i < names->count && status == 0; i++) {
		const struct lp_pattern *pattern = &names->items[i];

		if (entry->optional || p->recording->partial ||
		    !is_name(pattern) || is_recorded(p, pattern->text))
			continue;
		status = note_unseen(p, pattern->text, entry->line);
		*any = true;
	}
	return status;
}

static int no_host(const struct lp_planner *p, const struct lp_entry *entry,
		   struct lp_error *err)
{
	return lp_fail(err, EINVAL,
		       "%s:%u: no host in the recordings matches \"%s\" "
		       "(add optional = true to allow this)",
		       p->cluster->path, entry->line,
		       lp_entry_first(&entry->name));
}

static int apply_host(struct lp_planner *p, const struct lp_entry *entry,
		      struct lp_error *err)
{
	bool any = entry->optional || p->recording->partial;

	for (size_t h = 0; h < p->plan->n_hosts; h++) {
		struct lp_plan_host *host = &p->plan->hosts[h];
		struct lp_captures captures = { 0 };

		if (!lp_patterns_match(&entry->name, host->name, &captures))
			continue;
		any = true;
		if (entry->has_role)
			host->role = entry->role;
		if (set_labels(p, entry, &captures, &host->labels) < 0)
			return lp_fail_memory(err);
	}
	if (entry->has_role && entry->role != LP_ROLE_CLIENT &&
	    note_unseen_hosts(p, entry, &entry->name, &any) < 0)
		return lp_fail_memory(err);
	return any ? 0 : no_host(p, entry, err);
}

static bool names_any(const struct lp_patterns *patterns,
		      const struct lp_roster *roster)
{
	for (size_t h = 0; h < roster->n_hosts; h++)
		if (lp_patterns_match(patterns, roster->hosts[h].name, NULL))
			return true;
	return false;
}

bool lp_cluster_concerns(const struct lp_cluster *cluster,
			 const struct lp_survey *recording)
{
	static const enum lp_entry_list lists[] = {
		LP_ENTRY_HOSTS,
		LP_ENTRY_DEVICES,
		LP_ENTRY_INTERFACES,
	};
	bool named = false;

	for (size_t i = 0; i < lp_array_size(lists); i++) {
		const struct lp_entries *list = &cluster->lists[lists[i]];

		for (size_t k = 0; k < list->count; k++) {
			const struct lp_patterns *hosts =
				lists[i] == LP_ENTRY_HOSTS
					? &list->items[k].name
					: &list->items[k].host;

			if (hosts->count == 0)
				continue;
			if (names_any(hosts, &recording->roster))
				return true;
			named = true;
		}
	}
	return !named;
}

static int note_strangers(struct lp_planner *p)
{
	int status = 0;

	for (size_t h = 0; h < p->plan->n_hosts && status == 0; h++)
		if (p->plan->hosts[h].role == LP_ROLE_UNKNOWN)
			status = lp_planner_note(
				p,
				"%s has no role in the cluster file and is "
				"left out",
				p->plan->hosts[h].name);
	return status;
}

/* ---- devices and interfaces ---- */

/* By its name, its alias, or its identity with or without "wwid:". */
static bool match_name(const struct lp_entry *entry,
		       const struct lp_roster_item *item,
		       struct lp_captures *captures)
{
	const char *alias = lp_labels_get(&item->labels, "alias");
	const char *bare = item->id ? strchr(item->id, ':') : NULL;
	const char *names[] = { item->name, alias, item->id,
				bare ? bare + 1 : NULL };

	for (size_t i = 0; i < lp_array_size(names); i++)
		if (names[i] &&
		    lp_patterns_match(&entry->name, names[i], captures))
			return true;
	return false;
}

static bool match_labels(const struct lp_entry *entry,
			 const struct lp_roster_item *item)
{
	for (size_t i = 0; i < entry->n_matches; i++) {
		const char *value =
			strcmp(entry->matches[i].key, "layer") == 0
				? item->layer
				: lp_labels_get(&item->labels,
						entry->matches[i].key);

		if (!value ||
		    !lp_patterns_match(&entry->matches[i].value, value, NULL))
			return false;
	}
	return true;
}

static bool match_item(const struct lp_planner *p, const struct lp_entry *entry,
		       const struct lp_roster_item *item,
		       struct lp_captures *captures)
{
	return lp_patterns_match(&entry->host,
				 p->roster->hosts[item->host].name, captures) &&
	       match_name(entry, item, captures) && match_labels(entry, item);
}

static bool is_of(const struct lp_roster_item *item, enum lp_entry_list which)
{
	return item->class &&
	       item->class->kin == (which == LP_ENTRY_DEVICES ? LP_KIN_DISKS
							      : LP_KIN_LINKS);
}

static int no_component(const struct lp_planner *p,
			const struct lp_entry *entry, enum lp_entry_list which,
			bool known, struct lp_error *err)
{
	const char *what = which == LP_ENTRY_DEVICES ? "device" : "interface";

	if (known)
		return lp_fail(err, EINVAL,
			       "%s:%u: the %s \"%s\" of \"%s\" is in the "
			       "inventory, but was not recorded",
			       p->cluster->path, entry->line, what,
			       lp_entry_first(&entry->name),
			       lp_entry_first(&entry->host));
	return lp_fail(err, EINVAL,
		       "%s:%u: no %s in the recordings matches \"%s\" on "
		       "\"%s\" (add optional = true to allow this)",
		       p->cluster->path, entry->line, what,
		       lp_entry_first(&entry->name),
		       lp_entry_first(&entry->host));
}

static int apply_item(struct lp_planner *p, const struct lp_entry *entry,
		      size_t i, const struct lp_captures *captures)
{
	struct lp_choice *choice = &p->choices[i];

	choice->stated = true;
	choice->counts = !entry->leave_out;
	if (entry->leave_out)
		choice->reason = "left out by the cluster file";
	return set_labels(p, entry, captures, &choice->labels);
}

/* "ddn6a.1.oss2"; labels with $1 need a name that somebody saw. */
static int note_attachment(struct lp_planner *p, const struct lp_entry *entry,
			   const struct lp_unseen *host)
{
	const struct lp_captures none = { 0 };
	const char *controller = lp_labels_get(&entry->labels, "controller");
	const char *lun = lp_labels_get(&entry->labels, "lun");
	struct lp_unseen unseen = { .host = host->host,
				    .known_by = host->known_by,
				    .line = entry->line };

	if (!lun || !lp_labels_get(&entry->labels, "priority"))
		return 0;
	for (size_t i = 0; i < entry->labels.count; i++)
		if (strchr(entry->labels.items[i].value, '$'))
			return 0;
	unseen.label =
		lp_planner_text(p, "%s%s%s.%s", controller ? controller : "",
				controller ? "." : "", lun, host->host);
	if (set_labels(p, entry, &none, &unseen.labels) < 0)
		return -ENOMEM;
	return lp_planner_unseen(p, &unseen);
}

/* Of servers that nobody saw; *any is set if there is one. */
static int note_attachments(struct lp_planner *p, const struct lp_entry *entry,
			    enum lp_entry_list which, bool *any)
{
	int status = which == LP_ENTRY_DEVICES
			     ? note_unseen_hosts(p, entry, &entry->host, any)
			     : 0;

	for (size_t i = 0; i < entry->host.count && status == 0; i++) {
		const struct lp_unseen *host =
			lp_plan_unseen_host(p->plan, entry->host.items[i].text);

		if (!host)
			continue;
		*any = true;
		if (which == LP_ENTRY_DEVICES)
			status = note_attachment(p, entry, host);
	}
	return status;
}

/* Whether the entry names this device in full, and must find it. */
static bool is_given(const struct lp_entry *entry,
		     const struct lp_roster_item *item)
{
	const char *alias = lp_labels_get(&item->labels, "alias");

	for (size_t i = 0; i < entry->name.count; i++) {
		const struct lp_pattern *pattern = &entry->name.items[i];

		if (!entry->optional && is_name(pattern) &&
		    (strcmp(pattern->text, item->name) == 0 ||
		     (alias && strcmp(pattern->text, alias) == 0)))
			return true;
	}
	return false;
}

/* In the inventory, but without a sample: nothing to be compared. */
static void set_unseen(struct lp_choice *choice, const struct lp_entry *entry,
		       const struct lp_roster_item *item)
{
	choice->unseen_line =
		choice->counts && is_given(entry, item) ? entry->line : 0;
	choice->counts = false;
	if (!entry->leave_out)
		choice->reason = lp_left_out_text(LP_LEFT_NO_SAMPLES);
}

static int apply_entry(struct lp_planner *p, const struct lp_entry *entry,
		       enum lp_entry_list which, struct lp_error *err)
{
	bool any = entry->optional || p->recording->partial;
	bool known = false;

	for (size_t i = 0; i < p->roster->n_items; i++) {
		const struct lp_roster_item *item = &p->roster->items[i];
		struct lp_captures captures = { 0 };

		if (!is_of(item, which) ||
		    !match_item(p, entry, item, &captures))
			continue;
		known = true;
		any |= item->n_samples > 0 || is_given(entry, item);
		if (apply_item(p, entry, i, &captures) < 0)
			return lp_fail_memory(err);
		if (item->n_samples == 0)
			set_unseen(&p->choices[i], entry, item);
	}
	if (!entry->leave_out && note_attachments(p, entry, which, &any) < 0)
		return lp_fail_memory(err);
	return any ? 0 : no_component(p, entry, which, known, err);
}

/* Where a class is listed, only what is listed counts. */
static void drop_unlisted(struct lp_planner *p, enum lp_entry_list which)
{
	for (size_t i = 0; i < p->roster->n_items; i++) {
		struct lp_choice *choice = &p->choices[i];

		if (!is_of(&p->roster->items[i], which))
			continue;
		if (!choice->stated) {
			choice->counts = false;
			if (!choice->reason)
				choice->reason = "not in the cluster file";
		}
	}
}

static int apply_list(struct lp_planner *p, enum lp_entry_list which,
		      struct lp_error *err)
{
	const struct lp_entries *list = &p->cluster->lists[which];
	int status = 0;

	for (size_t i = 0; i < list->count && status == 0; i++)
		status = which == LP_ENTRY_HOSTS
				 ? apply_host(p, &list->items[i], err)
				 : apply_entry(p, &list->items[i], which, err);
	if (status == 0 && list->count > 0 && which != LP_ENTRY_HOSTS)
		drop_unlisted(p, which);
	return status;
}

int lp_cluster_apply(struct lp_planner *p, struct lp_error *err)
{
	int status = apply_list(p, LP_ENTRY_HOSTS, err);

	if (status == 0)
		status = apply_list(p, LP_ENTRY_DEVICES, err);
	if (status == 0)
		status = apply_list(p, LP_ENTRY_INTERFACES, err);
	if (status < 0)
		return status;
	lp_planner_one_layer(p);
	if (lp_cluster_has_roles(p->cluster) && note_strangers(p) < 0)
		return lp_fail_memory(err);
	return 0;
}
