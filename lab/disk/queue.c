/* SPDX-License-Identifier: Apache-2.0 */
/* A binary heap: the one that is due first is at 0. */
#include "disk/drive.h"

#include "base/memory.h"

#include <assert.h>

static bool before(const struct lab_request *a, const struct lab_request *b)
{
	return a->due_ns < b->due_ns ||
	       (a->due_ns == b->due_ns && a->number < b->number);
}

int lab_queue_push(struct lab_queue *queue, const struct lab_request *request)
{
	size_t at = queue->count;
	int status = lp_grow(&queue->heap, &queue->capacity, queue->count + 1,
			     sizeof(queue->heap[0]));

	if (status < 0)
		return status;
	for (; at > 0; at = (at - 1) / 2) {
		struct lab_request *parent = &queue->heap[(at - 1) / 2];

		if (!before(request, parent))
			break;
		queue->heap[at] = *parent;
	}
	queue->heap[at] = *request;
	queue->count++;
	return 0;
}

struct lab_request lab_queue_pop(struct lab_queue *queue)
{
	struct lab_request first, *heap = queue->heap;
	size_t at = 0, n;

	assert(queue->count > 0);
	first = heap[0];
	n = --queue->count;
	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < n && before(&heap[child + 1], &heap[child]))
			child++;
		if (child >= n || !before(&heap[child], &heap[n]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = heap[n];
	return first;
}
