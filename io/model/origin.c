/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/origin.h"

#include "base/timestamp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

/* What statfs(2) says; some of them are in no header. */
static const struct {
	uint64_t type;
	const char *name;
} file_systems[] = {
	{ 0xef53, "ext4" },    /* ext2 and ext3, too */
	{ 0x58465342, "xfs" }, /* "XFSB" */
	{ 0x9123683e, "btrfs" },
	{ 0xf2f52010, "f2fs" },
	{ 0x2fc12fc1, "zfs" },
	{ 0x01021994, "tmpfs" },
	{ 0x794c7630, "overlay" },
	{ 0x6969, "nfs" },
	{ 0xff534d42, "cifs" },
	{ 0xfe534d42, "smb2" },
	{ 0x0bd00bd0, "lustre" },
	{ 0x47504653, "gpfs" },
	{ 0x19830326, "beegfs" },
	{ 0x00c36400, "ceph" },
	{ 0x20030528, "orangefs" },
	{ 0x65735546, "fuse" }, /* glusterfs, moosefs ... */
};

const char *lp_io_file_system_name(uint64_t type, char text[32])
{
	for (size_t i = 0; i < lp_array_size(file_systems); i++)
		if (file_systems[i].type == type)
			return file_systems[i].name;
	snprintf(text, 32, "type 0x%" PRIx64, type);
	return text;
}

static int look_at(struct lp_io_origin *o, struct lp_arena *arena,
		   const char *directory, struct lp_error *err)
{
	lp_auto_free char *path = realpath(directory, NULL);
	struct statfs fs;
	char text[32];

	if (!path || statfs(path, &fs) < 0)
		return lp_fail_errno(err, errno, "%s", directory);
	o->directory = lp_arena_string(arena, path);
	o->file_system = lp_arena_string(
		arena,
		lp_io_file_system_name((uint64_t)fs.f_type & UINT32_MAX, text));
	return o->directory && o->file_system ? 0 : lp_fail_memory(err);
}

int lp_io_origin_here(struct lp_io_origin *origin, struct lp_arena *arena,
		      const char *directory, struct lp_error *err)
{
	struct lp_io_origin o = { .made_ns = lp_time_now(),
				  .directory = "",
				  .file_system = "" };
	struct utsname name;
	int status = directory ? look_at(&o, arena, directory, err) : 0;

	if (status < 0)
		return status;
	if (uname(&name) < 0)
		return lp_fail_errno(err, errno, "uname");
	o.host = lp_arena_string(arena, name.nodename);
	o.kernel = lp_arena_string(arena, name.release);
	if (!o.host || !o.kernel)
		return lp_fail_memory(err);
	*origin = o;
	return 0;
}
