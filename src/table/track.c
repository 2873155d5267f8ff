/* SPDX-License-Identifier: Apache-2.0 */
#include "table/track.h"

#include "base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The slot of a text in an array that grows with the names. */
static struct lp_track **slot_of(struct lp_names *names,
				 struct lp_track ***array, size_t *capacity,
				 const char *text)
{
	uint32_t before = names->count, n = lp_names_add(names, text);

	if (n == LP_NAME_NONE ||
	    lp_grow(array, capacity, (size_t)names->count, sizeof(**array)) < 0)
		return NULL;
	if (names->count > before)
		(*array)[n] = NULL;
	return &(*array)[n];
}

static struct lp_track **name_slot(struct lp_tracks *tracks, const char *name)
{
	return slot_of(&tracks->names, &tracks->by_name,
		       &tracks->by_name_capacity, name);
}

static struct lp_track **id_slot(struct lp_tracks *tracks, const char *id)
{
	return slot_of(&tracks->ids, &tracks->by_id, &tracks->by_id_capacity,
		       id);
}

/* The tracks' own copy of a name that has a slot. */
static const char *kept(const struct lp_names *names, const char *text)
{
	return names->text[lp_names_find(names, text)];
}

static struct lp_track *add(struct lp_tracks *tracks, const char *name)
{
	struct lp_track *track;

	if (lp_grow(&tracks->items, &tracks->capacity, tracks->count + 1,
		    sizeof(struct lp_track *)) < 0)
		return NULL;
	track = calloc(1, sizeof(*track));
	if (!track)
		return NULL;
	track->name = kept(&tracks->names, name);
	track->number = (uint32_t)tracks->count;
	track->known_as = UINT32_MAX;
	tracks->items[tracks->count++] = track;
	return track;
}

struct lp_track *lp_tracks_get(struct lp_tracks *tracks, const char *name)
{
	struct lp_track **slot = name_slot(tracks, name);

	if (slot && !*slot)
		*slot = add(tracks, name);
	return slot ? *slot : NULL;
}

int lp_track_widen(struct lp_track *track, size_t n)
{
	struct lp_cell *cells;

	if (n <= track->n_cells)
		return 0;
	cells = reallocarray(track->cells, n, sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	memset(cells + track->n_cells, 0,
	       (n - track->n_cells) * sizeof(*cells));
	track->cells = cells;
	track->n_cells = n;
	return 0;
}

/* The component moved here from another name. */
static void rename_to(struct lp_tracks *tracks, struct lp_track *track,
		      struct lp_track **slot, const char *name)
{
	struct lp_track **old = name_slot(tracks, track->name);

	if (old && *old == track)
		*old = NULL;
	track->name = kept(&tracks->names, name);
	*slot = track;
}

static int identify(struct lp_tracks *tracks, const char *name, const char *id)
{
	struct lp_track **slot = name_slot(tracks, name);
	struct lp_track **owner = id_slot(tracks, id);

	if (!slot || !owner)
		return -ENOMEM;
	if (*owner) {
		if (*owner != *slot)
			rename_to(tracks, *owner, slot, name);
		return 0;
	}
	/* Another component has the name now; the old one may come back. */
	if (*slot && (*slot)->id)
		*slot = NULL;
	if (!*slot)
		*slot = add(tracks, name);
	if (!*slot)
		return -ENOMEM;
	(*slot)->id = kept(&tracks->ids, id);
	(*slot)->known_as = UINT32_MAX;
	*owner = *slot;
	return 0;
}

/* "mpatha" for dm-3, as the latest inventory says. */
static int name_alias(struct lp_tracks *tracks, const char *name,
		      const char *alias)
{
	struct lp_track *track;
	uint32_t n;

	if (!alias) {
		uint32_t known = lp_names_find(&tracks->names, name);

		if (known != LP_NAME_NONE && tracks->by_name[known])
			tracks->by_name[known]->alias = NULL;
		return 0;
	}
	track = lp_tracks_get(tracks, name);
	n = lp_names_add(&tracks->aliases, alias);
	if (!track || n == LP_NAME_NONE)
		return -ENOMEM;
	track->alias = tracks->aliases.text[n];
	return 0;
}

/* The paths of a multipath disk, for example, all show its identity. */
static int count_ids(const struct lp_inventory *inventory,
		     const char *class_name, struct lp_names *ids,
		     uint32_t *uses)
{
	for (size_t i = 0; i < inventory->n_components; i++) {
		const struct lp_component *c = &inventory->components[i];
		const char *id = lp_labels_get(&c->labels, "id");
		uint32_t n;

		if (!id || strcmp(c->class_name, class_name) != 0)
			continue;
		n = lp_names_add(ids, id);
		if (n == LP_NAME_NONE)
			return -ENOMEM;
		uses[n]++;
	}
	return 0;
}

/* As the latest inventory says; sar adds both directions of half duplex. */
static void note_speed(struct lp_tracks *tracks, const char *name,
		       const struct lp_labels *labels)
{
	const char *speed = lp_labels_get(labels, "speed_mbit");
	const char *duplex = lp_labels_get(labels, "duplex");
	uint32_t n = lp_names_find(&tracks->names, name);
	uint64_t mbit = 0;

	if (n == LP_NAME_NONE || !tracks->by_name[n])
		return;
	if (speed && !(duplex && strcmp(duplex, "half") == 0))
		lp_parse_u64(speed, strlen(speed), &mbit);
	tracks->by_name[n]->speed_mbit = (double)mbit;
}

int lp_tracks_identify(struct lp_tracks *tracks, const char *class_name,
		       const struct lp_inventory *inventory)
{
	lp_auto_free uint32_t *uses =
		calloc(inventory->n_components + 1, sizeof(*uses));
	struct lp_names ids = { 0 };
	int status =
		uses ? count_ids(inventory, class_name, &ids, uses) : -ENOMEM;

	for (size_t i = 0; status == 0 && i < inventory->n_components; i++) {
		const struct lp_component *c = &inventory->components[i];
		const char *id = lp_labels_get(&c->labels, "id");

		if (strcmp(c->class_name, class_name) != 0)
			continue;
		if (id && uses[lp_names_find(&ids, id)] == 1)
			status = identify(tracks, c->name, id);
		if (status == 0)
			status = name_alias(tracks, c->name,
					    lp_labels_get(&c->labels, "alias"));
		if (status == 0 && lp_labels_get(&c->labels, "speed_mbit") &&
		    !lp_tracks_get(tracks, c->name))
			status = -ENOMEM;
		if (status == 0)
			note_speed(tracks, c->name, &c->labels);
	}
	lp_names_done(&ids);
	return status;
}

void lp_tracks_done(struct lp_tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++) {
		free(tracks->items[i]->cells);
		free(tracks->items[i]);
	}
	free(tracks->items);
	free(tracks->by_name);
	free(tracks->by_id);
	lp_names_done(&tracks->names);
	lp_names_done(&tracks->ids);
	lp_names_done(&tracks->aliases);
	*tracks = (struct lp_tracks){ 0 };
}
