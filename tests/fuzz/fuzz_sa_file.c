/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sysstat file that is read without sadf: any bytes, through the whole
 * stream.
 */
#include "source/sa_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_stream(struct lp_sa_file *file)
{
	struct lp_sadf_input input = { .host = strdup(file->info.host),
				       .path = strdup("sa"),
				       .info = file->info };
	struct lp_stream *stream = NULL;
	struct lp_item item;
	struct lp_error err;

	for (size_t i = 0; i < LP_SADF_ACTIVITIES; i++)
		if (file->info.activities & (1u << i))
			input.tracks[input.n_tracks++] = (struct lp_sadf_track){
				.activity = &lp_sadf_activities[i],
				.items = lp_sa_items_new(file, i),
			};
	if (lp_sa_file_clock(file, &input.clock) < 0)
		abort();
	lp_sadf_clock_set(&input.clock);
	if (lp_sadf_stream_open(&input, &stream, &err) < 0)
		return;
	while (lp_stream_next(stream, &item, &err) > 0)
		;
	lp_stream_close(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("sa", MFD_CLOEXEC);
	char path[64];
	struct lp_sa_file file = { .path = path, .fd = -1 };

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (lp_sa_file_read(&file))
		read_stream(&file);
	lp_sa_file_done(&file);
	close(fd);
	return 0;
}
