/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What workloads write: bytes that nothing can compress or leave out (some
 * file systems store no blocks of zeros), made once per process, since making
 * them anew for every record would cost more CPU than the file system does.
 */
#ifndef LAB_WORKLOAD_CONTENT_H
#define LAB_WORKLOAD_CONTENT_H

#include <stddef.h>

struct lab_content {
	unsigned char *bytes;
	size_t n; /* a record is at most so long */
	size_t at;
};

/* 0 or -errno; n is rounded up to whole pages. */
int lab_content_init(struct lab_content *content, size_t n);
void lab_content_done(struct lab_content *content);

/*
 * The next n bytes: another part of them each time, page by page, so that no
 * two records that follow each other are equal.
 */
const void *lab_content_next(struct lab_content *content, size_t n);

#endif
