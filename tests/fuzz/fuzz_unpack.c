/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compressed file of any bytes is unpacked to its end or refused with a
 * line; what it claims to hold is not believed.
 */
#include "base/unpack.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A fuzzer is not to wait for what a small file can unfold to. */
#define ENOUGH ((size_t)1 << 22)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void unpack(const struct lp_packing *packing, int fd)
{
	static uint8_t bytes[5000];
	struct lp_error err = { "" };
	struct lp_unpacker *unpacker;
	size_t total = 0;
	ssize_t n;

	if (lp_unpack_open(packing, fd, "fuzz", &unpacker, &err) < 0)
		return;
	while ((n = lp_unpack_read(unpacker, bytes, sizeof(bytes), &err)) > 0 &&
	       total < ENOUGH)
		total += (size_t)n;
	if (n < 0 && !err.text[0])
		abort();
	lp_unpack_close(unpacker);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct lp_packing *packing = lp_packing_of(data, size);
	int fd = packing ? memfd_create("unpack", MFD_CLOEXEC) : -1;

	if (fd < 0)
		return 0;
	if (write(fd, data, size) == (ssize_t)size &&
	    lseek(fd, 0, SEEK_SET) == 0)
		unpack(packing, fd);
	close(fd);
	return 0;
}
