/* SPDX-License-Identifier: Apache-2.0 */
#include "inject/deed.h"

#include "base/helper.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".so"

/* A new file: the loader does not load the same one twice. */
static int copy_library(const char *dir, char path[PATH_MAX],
			struct lp_error *err)
{
	char origin[PATH_MAX];
	lp_auto_close int from = -1, to = -1;
	struct stat st;
	int n;

	if (lp_helper_payload(origin) < 0)
		return lp_fail(err, ENOENT,
			       "limpid-payload.so is missing: it is part of "
			       "the lab, see 'limpid help lab'");
	n = snprintf(path, PATH_MAX, "%s/payload-XXXXXX" ENDING, dir);
	if (n >= PATH_MAX)
		return lp_fail(err, ENAMETOOLONG, "%s", dir);
	from = open(origin, O_RDONLY | O_CLOEXEC);
	to = mkstemps(path, (int)strlen(ENDING));
	if (from < 0 || to < 0 || fstat(from, &st) < 0 ||
	    fchmod(to, 0755) < 0 ||
	    sendfile(to, from, NULL, (size_t)st.st_size) != st.st_size)
		return lp_fail_errno(err, errno, "cannot copy %s to %s", origin,
				     path);
	return 0;
}

static int map_page(const char *path, int flags, struct payload_page **page)
{
	lp_auto_close int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0600);
	void *mapped;

	if (fd < 0 || ((flags & O_CREAT) && ftruncate(fd, sizeof(**page)) < 0))
		return -errno;
	mapped = mmap(NULL, sizeof(**page), PROT_READ | PROT_WRITE, MAP_SHARED,
		      fd, 0);
	if (mapped == MAP_FAILED)
		return -errno;
	*page = mapped;
	return 0;
}

int lab_deed_make(const char *dir, enum payload_deed kind, uint32_t amount,
		  struct lab_deed *deed, struct lp_error *err)
{
	int n, status = copy_library(dir, deed->library, err);

	if (status < 0)
		return status;
	n = snprintf(deed->page_path, PATH_MAX, "%s" PAYLOAD_PAGE_SUFFIX,
		     deed->library);
	if (n >= PATH_MAX)
		return lp_fail(err, ENAMETOOLONG, "%s", dir);
	status = map_page(deed->page_path, O_CREAT | O_EXCL, &deed->page);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot make %s",
				     deed->page_path);
	deed->page->deed = kind;
	deed->page->amount = amount;
	deed->page->magic = PAYLOAD_MAGIC;
	atomic_store(&deed->page->on, 1);
	return 0;
}

void lab_deed_done(struct lab_deed *deed)
{
	if (deed->page)
		munmap(deed->page, sizeof(*deed->page));
	deed->page = NULL;
}

static bool is_page(const char *path)
{
	size_t n = strlen(path), suffix = strlen(ENDING PAYLOAD_PAGE_SUFFIX);

	return n > suffix && path[0] == '/' && !strstr(path, "/..") &&
	       strcmp(path + n - suffix, ENDING PAYLOAD_PAGE_SUFFIX) == 0;
}

/* Written, not mapped: nobody's memory if the file was cut short. */
int lab_deed_end(const char *page_path, struct lp_error *err)
{
	char library[PATH_MAX];
	static const unsigned off = 0;
	lp_auto_close int fd = -1;

	if (!is_page(page_path))
		return lp_fail(err, EINVAL,
			       "the journal names the deed '%s', which is not "
			       "part of a lab",
			       page_path);
	fd = open(page_path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || pwrite(fd, &off, sizeof(off),
			     offsetof(struct payload_page, on)) != sizeof(off))
		return lp_fail_errno(err, errno, "cannot write %s", page_path);
	/* Who has loaded them keeps them. */
	snprintf(library, sizeof(library), "%.*s",
		 (int)(strlen(page_path) - strlen(PAYLOAD_PAGE_SUFFIX)),
		 page_path);
	unlink(library);
	unlink(page_path);
	return 0;
}
