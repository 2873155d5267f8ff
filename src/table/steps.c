/* SPDX-License-Identifier: Apache-2.0 */
#include "table/steps.h"

#include "table/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct host {
	const char *name;
	char *boot_id; /* NULL: not known */
	struct lp_boots boots;
	struct lp_lane **lanes; /* by class; NULL: none yet */
	size_t lanes_capacity, n_lanes;
};

struct lp_steps {
	struct lp_steps_options options;
	struct lp_names host_names, class_names;
	struct host **hosts;
	size_t hosts_capacity;
	struct lp_shape **shapes;
	size_t shapes_capacity;
	struct lp_sweeper sweep;
};

struct lp_steps_options lp_steps_options(const struct lp_query *query,
					 int64_t step_ns)
{
	return (struct lp_steps_options){
		.step_ns = step_ns,
		.since_ns = query->since_ns,
		.until_ns = query->until_ns,
		.classes = query->classes,
		.columns = query->columns,
	};
}

struct lp_steps *lp_steps_new(const struct lp_steps_options *options)
{
	struct lp_steps *steps = calloc(1, sizeof(*steps));

	if (!steps)
		return NULL;
	steps->options = *options;
	steps->sweep.options = &steps->options;
	return steps;
}

static void free_host(struct host *host)
{
	for (size_t i = 0; i < host->n_lanes; i++)
		if (host->lanes[i]) {
			lp_tracks_done(&host->lanes[i]->tracks);
			free(host->lanes[i]);
		}
	free(host->lanes);
	free(host->boots.time_ns);
	free(host->boot_id);
	free(host);
}

void lp_steps_free(struct lp_steps *steps)
{
	if (!steps)
		return;
	for (size_t i = 0; i < steps->host_names.count; i++)
		if (steps->hosts[i])
			free_host(steps->hosts[i]);
	for (size_t i = 0; i < steps->class_names.count; i++)
		if (steps->shapes[i]) {
			lp_shape_done(steps->shapes[i]);
			free(steps->shapes[i]);
		}
	free(steps->hosts);
	free(steps->shapes);
	lp_names_done(&steps->host_names);
	lp_names_done(&steps->class_names);
	lp_sweeper_done(&steps->sweep);
	free(steps);
}

/*
 * The number of a name, and room for it in the array beside it. Room comes
 * first: whatever fails, names and array stay equally long.
 */
static uint32_t number_of(struct lp_names *names, void *array, size_t *capacity,
			  const char *name)
{
	void ***pointers = array;
	uint32_t before = names->count, n;

	if (lp_grow(array, capacity, (size_t)before + 1, sizeof(void *)) < 0)
		return LP_NAME_NONE;
	(*pointers)[before] = NULL;
	n = lp_names_add(names, name);
	return n;
}

static struct host *host_of(struct lp_steps *steps, const char *name,
			    uint32_t *number)
{
	uint32_t n = number_of(&steps->host_names, &steps->hosts,
			       &steps->hosts_capacity, name);

	if (n == LP_NAME_NONE)
		return NULL;
	if (!steps->hosts[n])
		steps->hosts[n] = calloc(1, sizeof(struct host));
	if (steps->hosts[n])
		steps->hosts[n]->name = steps->host_names.text[n];
	*number = n;
	return steps->hosts[n];
}

/* A shape begins with the catalogue's columns. */
static struct lp_shape *new_shape(const struct lp_steps *steps,
				  const char *class_name)
{
	struct lp_shape *shape = calloc(1, sizeof(*shape));
	const struct lp_class *class = lp_class_find(class_name);

	if (!shape)
		return NULL;
	shape->class_name = class_name;
	shape->class = class;
	for (size_t i = 0; class && i < class->n_columns; i++)
		if (lp_shape_column(shape, &class->columns[i],
				    steps->options.columns) < 0) {
			lp_shape_done(shape);
			free(shape);
			return NULL;
		}
	return shape;
}

static struct lp_shape *shape_of(struct lp_steps *steps, const char *class_name,
				 uint32_t *number)
{
	uint32_t n = number_of(&steps->class_names, &steps->shapes,
			       &steps->shapes_capacity, class_name);

	if (n == LP_NAME_NONE)
		return NULL;
	if (!steps->shapes[n])
		steps->shapes[n] = new_shape(steps, steps->class_names.text[n]);
	*number = n;
	return steps->shapes[n];
}

static struct lp_lane *lane_of(struct lp_steps *steps, struct host *host,
			       const char *class_name)
{
	uint32_t n;
	struct lp_shape *shape = shape_of(steps, class_name, &n);
	struct lp_lane *lane;

	if (!shape || lp_grow(&host->lanes, &host->lanes_capacity,
			      (size_t)n + 1, sizeof(struct lp_lane *)) < 0)
		return NULL;
	while (host->n_lanes <= n)
		host->lanes[host->n_lanes++] = NULL;
	if (host->lanes[n])
		return host->lanes[n];
	lane = calloc(1, sizeof(*lane));
	if (!lane)
		return NULL;
	lane->shape = shape;
	lane->grid.step_ns = steps->options.step_ns;
	host->lanes[n] = lane;
	return lane;
}

static bool wants_class(const struct lp_steps *steps, const char *name)
{
	const struct lp_query query = { .classes = steps->options.classes };

	return lp_query_wants_class(&query, name);
}

static int put_chunk(struct lp_steps *steps, const struct lp_chunk *chunk,
		     struct lp_error *err)
{
	struct lp_sweeper *sweep = &steps->sweep;
	struct host *host = host_of(steps, chunk->host, &sweep->host_number);
	int status = 0;

	if (!host)
		return lp_fail_memory(err);
	sweep->host = host->name;
	sweep->boots = &host->boots;
	for (size_t p = 0; p < chunk->n_panels && status == 0; p++) {
		const struct lp_panel *panel = &chunk->panels[p];
		struct lp_lane *lane;

		if (!wants_class(steps, panel->class_name))
			continue;
		lane = lane_of(steps, host, panel->class_name);
		if (!lane)
			return lp_fail_memory(err);
		status = lp_sweeper_panel(sweep, lane, chunk, panel, err);
	}
	return status;
}

static int add_boot(struct host *host, int64_t time_ns, struct lp_error *err)
{
	struct lp_boots *boots = &host->boots;

	if (lp_grow(&boots->time_ns, &boots->capacity, boots->count + 1,
		    sizeof(*boots->time_ns)) < 0)
		return lp_fail_memory(err);
	boots->time_ns[boots->count++] = time_ns;
	return 0;
}

/* 1: another boot than the one known; 0: the same, or the first known. */
static int new_boot_id(struct host *host, const char *id)
{
	char *copy;
	int other = host->boot_id != NULL;

	if (host->boot_id && strcmp(host->boot_id, id) == 0)
		return 0;
	copy = strdup(id);
	if (!copy)
		return -ENOMEM;
	free(host->boot_id);
	host->boot_id = copy;
	return other;
}

/* A recorder that starts says of which boot it is; others may not know. */
static int put_start(struct host *host, const char *boot, struct lp_error *err)
{
	int other = boot ? new_boot_id(host, boot) : 0;

	if (other < 0)
		return lp_fail_memory(err);
	return other ? add_boot(host, LP_TIME_MIN, err) : 0;
}

static int put_event(struct lp_steps *steps, const struct lp_event *event,
		     struct lp_error *err)
{
	const char *boot = lp_event_get(event, "boot");
	bool forward = event->kind == LP_EVENT_CLOCK &&
		       lp_event_is(event, "set", "forward");
	uint32_t n;
	struct host *host;

	/* A clock that was set back is seen in the times themselves. */
	if (event->kind != LP_EVENT_BOOT && event->kind != LP_EVENT_START &&
	    !forward)
		return 0;
	host = host_of(steps, event->host, &n);
	if (!host)
		return lp_fail_memory(err);
	if (event->kind == LP_EVENT_START)
		return put_start(host, boot, err);
	if (forward)
		return add_boot(host, event->time_ns, err);
	if (boot && host->boot_id && strcmp(host->boot_id, boot) == 0)
		return 0;
	if (boot && new_boot_id(host, boot) < 0)
		return lp_fail_memory(err);
	return add_boot(host, event->time_ns, err);
}

static int identify(struct lp_steps *steps, struct host *host,
		    const struct lp_inventory *inventory)
{
	for (size_t i = 0; i < inventory->n_components; i++) {
		const char *name = inventory->components[i].class_name;

		if (wants_class(steps, name) && !lane_of(steps, host, name))
			return -ENOMEM;
	}
	for (size_t i = 0; i < host->n_lanes; i++)
		if (host->lanes[i] &&
		    lp_tracks_identify(&host->lanes[i]->tracks,
				       steps->class_names.text[i],
				       inventory) < 0)
			return -ENOMEM;
	return 0;
}

static int put_inventory(struct lp_steps *steps,
			 const struct lp_inventory *inventory,
			 struct lp_error *err)
{
	const char *boot_id = lp_labels_get(&inventory->labels, "boot_id");
	uint32_t n;
	struct host *host = host_of(steps, inventory->host, &n);
	int other = 0;

	if (host && boot_id)
		other = new_boot_id(host, boot_id);
	if (!host || other < 0 || identify(steps, host, inventory) < 0)
		return lp_fail_memory(err);
	/* Whatever its time says: all samples that follow are of this boot. */
	return other ? add_boot(host, LP_TIME_MIN, err) : 0;
}

int lp_steps_put(struct lp_steps *steps, const struct lp_item *item,
		 struct lp_error *err)
{
	switch (item->kind) {
	case LP_ITEM_CHUNK:
		return put_chunk(steps, item->chunk, err);
	case LP_ITEM_INVENTORY:
		return put_inventory(steps, item->inventory, err);
	case LP_ITEM_EVENT:
		return put_event(steps, item->event, err);
	case LP_ITEM_COUNTS:
		break;
	}
	return 0;
}

static bool is_open(const struct lp_lane *lane, int64_t until_ns)
{
	const struct lp_grid *grid = &lane->grid;

	return until_ns == LP_TIME_MAX ||
	       (grid->has_open && grid->step_ns &&
		grid->open <= until_ns / grid->step_ns);
}

static int close_host(struct lp_steps *steps, struct host *host,
		      uint32_t number, int64_t until_ns, struct lp_error *err)
{
	int status = 0;

	steps->sweep.host = host->name;
	steps->sweep.host_number = number;
	steps->sweep.boots = &host->boots;
	for (size_t i = 0; i < host->n_lanes && status == 0; i++)
		if (host->lanes[i] && is_open(host->lanes[i], until_ns))
			status = lp_sweeper_finish(&steps->sweep,
						   host->lanes[i], err);
	return status;
}

int lp_steps_close(struct lp_steps *steps, int64_t until_ns,
		   struct lp_error *err)
{
	int status = 0;

	for (uint32_t i = 0; i < steps->host_names.count && status == 0; i++)
		if (steps->hosts[i])
			status = close_host(steps, steps->hosts[i], i, until_ns,
					    err);
	return status;
}

int lp_steps_finish(struct lp_steps *steps, struct lp_error *err)
{
	return lp_steps_close(steps, LP_TIME_MAX, err);
}

int lp_steps_run(struct lp_steps *steps, struct lp_stream *stream,
		 struct lp_error *err)
{
	struct lp_item item;
	int status;

	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = lp_steps_put(steps, &item, err);
		if (status < 0)
			return status;
	}
	return status < 0 ? status : lp_steps_finish(steps, err);
}
