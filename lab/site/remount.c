/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "driver/driver.h"
#include "site/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <unistd.h>

static void forget_file(const char *path)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0)
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

/*
 * The cached pages of one brick's files, file by file: dropping all caches of
 * the machine would change what others on it measure.
 */
int lab_forget_brick(const char *brick, struct lp_error *err)
{
	char *const paths[] = { (char *)brick, NULL };
	lp_auto_close int fd = open(brick, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	FTS *tree;
	const FTSENT *entry;

	if (fd < 0 || syncfs(fd) < 0)
		return lp_fail_errno(err, errno, "cannot sync %s", brick);
	tree = fts_open(paths, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
	if (!tree)
		return lp_fail_errno(err, errno, "cannot read %s", brick);
	while ((entry = fts_read(tree)))
		if (entry->fts_info == FTS_F)
			forget_file(entry->fts_accpath);
	fts_close(tree);
	return 0;
}

int lab_remount(struct lab *lab, struct lp_error *err)
{
	const struct lab_driver *driver = lab_driver_find(lab->spec.driver);
	const struct lab_node *node;
	int status = 0;

	for (size_t i = 0; status == 0 && (node = lab_nth(lab, LAB_CLIENT, i));
	     i++)
		status = driver->unmount(lab, node, err);
	for (size_t i = 0; status == 0 && (node = lab_nth(lab, LAB_SERVER, i));
	     i++)
		status = lab_forget_brick(node->brick, err);
	for (size_t i = 0; status == 0 && (node = lab_nth(lab, LAB_CLIENT, i));
	     i++)
		status = driver->mount(lab, node, err);
	return status;
}
