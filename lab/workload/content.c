/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/content.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#define PAGE 4096

int lab_content_init(struct lab_content *content, size_t n)
{
	size_t room, have = 0;

	n = (n + PAGE - 1) / PAGE * PAGE;
	room = 2 * n;
	/* Aligned for direct I/O. */
	content->bytes = aligned_alloc(PAGE, room);
	if (!content->bytes)
		return -ENOMEM;
	while (have < room) {
		ssize_t r = getrandom(content->bytes + have, room - have, 0);

		if (r < 0 && errno != EINTR)
			return -errno;
		have += r > 0 ? (size_t)r : 0;
	}
	content->n = n;
	content->at = 0;
	return 0;
}

void lab_content_done(struct lab_content *content)
{
	free(content->bytes);
	*content = (struct lab_content){ 0 };
}

const void *lab_content_next(struct lab_content *content, size_t n)
{
	if (n > content->n)
		return NULL;
	content->at = (content->at + PAGE) % (content->n + PAGE);
	return content->bytes + content->at;
}
