/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/doors.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "disk/guard.h"
#include "disk/store.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* What the kernel puts into one request at most: 256 pages. */
#define MOST_BYTES (1u << 20)
/*
 * The kernel lets only 12 requests of direct I/O out by default: the queue
 * would be in the kernel, behind the loop device, and not at the disk.
 */
#define MOST_AT_ONCE 1024
/* Nothing about the two files ever changes. */
#define FOREVER_S 1e9

enum { INODE_ROOT = FUSE_ROOT_ID, INODE_DISK, INODE_UNDER };

static const char *const names[] = {
	[INODE_DISK] = "disk", [INODE_UNDER] = "under"
};

static struct lab_doors *doors_of(fuse_req_t req)
{
	return fuse_req_userdata(req);
}

static struct stat attributes(const struct lab_doors *doors, fuse_ino_t inode)
{
	struct stat st = { .st_ino = inode,
			   .st_uid = geteuid(),
			   .st_gid = getegid(),
			   .st_nlink = 1,
			   .st_mode = S_IFREG | 0600 };

	if (inode == INODE_ROOT) {
		st.st_mode = S_IFDIR | 0700;
		st.st_nlink = 2;
	} else {
		st.st_size = (off_t)doors->drive->size;
		st.st_blksize = LAB_STORE_BLOCK;
		st.st_blocks = st.st_size / 512;
	}
	return st;
}

static void on_init(void *context, struct fuse_conn_info *connection)
{
	struct lab_doors *doors = context;

	connection->max_write = MOST_BYTES;
	connection->max_read = MOST_BYTES;
	connection->max_background = MOST_AT_ONCE;
	connection->congestion_threshold = MOST_AT_ONCE;
	connection->want |= connection->capable & FUSE_CAP_SPLICE_WRITE;
	/* The kernel is to ask before it takes a file for empty. */
	connection->want &= ~(unsigned)FUSE_CAP_ATOMIC_O_TRUNC;
	doors->ready = true;
}

static void on_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry = { .attr_timeout = FOREVER_S,
					  .entry_timeout = FOREVER_S };

	for (fuse_ino_t i = INODE_DISK; i <= INODE_UNDER; i++)
		if (parent == INODE_ROOT && strcmp(name, names[i]) == 0) {
			entry.ino = i;
			entry.attr = attributes(doors_of(req), i);
			fuse_reply_entry(req, &entry);
			return;
		}
	fuse_reply_err(req, ENOENT);
}

static void on_getattr(fuse_req_t req, fuse_ino_t inode,
		       struct fuse_file_info *file)
{
	struct stat st = attributes(doors_of(req), inode);

	(void)file;
	fuse_reply_attr(req, &st, FOREVER_S);
}

/* Times may be set and change nothing; `dd of=under` wants to truncate it. */
static void on_setattr(fuse_req_t req, fuse_ino_t inode, struct stat *wanted,
		       int what, struct fuse_file_info *file)
{
	const int may_not = FUSE_SET_ATTR_MODE | FUSE_SET_ATTR_UID |
			    FUSE_SET_ATTR_GID |
			    (inode == INODE_UNDER ? 0 : FUSE_SET_ATTR_SIZE);
	struct stat st = attributes(doors_of(req), inode);

	(void)file;
	(void)wanted;
	if (what & may_not)
		fuse_reply_err(req, EPERM);
	else
		fuse_reply_attr(req, &st, FOREVER_S);
}

static void on_open(fuse_req_t req, fuse_ino_t inode,
		    struct fuse_file_info *file)
{
	(void)inode;
	/* Every request is to reach the disk: no page cache of these files. */
	file->direct_io = 1;
	file->keep_cache = 0;
	fuse_reply_open(req, file);
}

static void on_readdir(fuse_req_t req, fuse_ino_t inode, size_t room, off_t at,
		       struct fuse_file_info *file)
{
	char listing[256];
	size_t used = 0;

	(void)file;
	for (fuse_ino_t i = INODE_DISK + (fuse_ino_t)at;
	     inode == INODE_ROOT && i <= INODE_UNDER; i++) {
		struct stat st = attributes(doors_of(req), i);

		used += fuse_add_direntry(req, listing + used,
					  sizeof(listing) - used, names[i], &st,
					  (off_t)(i - INODE_DISK + 1));
	}
	fuse_reply_buf(req, listing, used < room ? used : 0);
}

/* It will be answered when it is due. */
static void submit(struct lab_doors *doors, const struct lab_request *request)
{
	struct lab_request copy = *request;

	if (lab_drive_submit(doors->drive, &copy, lp_monotonic_now()) < 0)
		fuse_reply_err(request->owner, ENOMEM);
}

static struct lab_request judge(fuse_req_t req, fuse_ino_t inode,
				enum lab_request_kind kind, off_t offset,
				uint64_t bytes)
{
	struct lab_request request = { .owner = req,
				       .kind = kind,
				       .beneath = inode == INODE_UNDER,
				       .offset = (uint64_t)offset,
				       .bytes = bytes };

	lab_drive_judge(doors_of(req)->drive, &request);
	return request;
}

static bool is_inside(const struct lab_doors *doors, off_t offset, uint64_t n)
{
	const uint64_t size = doors->drive->size;

	return offset >= 0 && (uint64_t)offset <= size &&
	       n <= size - (uint64_t)offset;
}

static void on_read(fuse_req_t req, fuse_ino_t inode, size_t n, off_t offset,
		    struct fuse_file_info *file)
{
	struct lab_doors *doors = doors_of(req);
	const uint64_t size = doors->drive->size;
	struct lab_request request;

	(void)file;
	if (!is_inside(doors, offset, 1)) {
		fuse_reply_buf(req, NULL, 0);
		return;
	}
	if (n > size - (uint64_t)offset)
		n = (size_t)(size - (uint64_t)offset);
	request = judge(req, inode, LAB_READ, offset, n);
	if (!request.error)
		lab_store_expect(doors->store, n, request.offset);
	submit(doors, &request);
}

/*
 * The bytes are stored now, because they are in the session's buffer: nobody
 * can tell before the answer.
 */
static void on_write(fuse_req_t req, fuse_ino_t inode, const char *bytes,
		     size_t n, off_t offset, struct fuse_file_info *file)
{
	struct lab_doors *doors = doors_of(req);
	struct lab_request request;

	(void)file;
	if (!is_inside(doors, offset, n)) {
		fuse_reply_err(req, ENOSPC);
		return;
	}
	request = judge(req, inode, LAB_WRITE, offset, n);
	if (!request.error && !request.beneath)
		request.error = -lab_unflushed_write(doors->drive->unflushed,
						     bytes, n, request.offset);
	submit(doors, &request);
}

static void on_fsync(fuse_req_t req, fuse_ino_t inode, int data_only,
		     struct fuse_file_info *file)
{
	struct lab_request request = judge(req, inode, LAB_FLUSH, 0, 0);

	(void)data_only;
	(void)file;
	submit(doors_of(req), &request);
}

/* The loop device discards and writes zeros so. */
static void on_fallocate(fuse_req_t req, fuse_ino_t inode, int mode,
			 off_t offset, off_t n, struct fuse_file_info *file)
{
	const int zeros = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE;
	struct lab_doors *doors = doors_of(req);
	struct lab_request request;

	(void)file;
	if (!(mode & zeros) || (mode & ~(zeros | FALLOC_FL_KEEP_SIZE)) ||
	    !is_inside(doors, offset, (uint64_t)n)) {
		fuse_reply_err(req, EOPNOTSUPP);
		return;
	}
	request = judge(req, inode, LAB_DISCARD, offset, (uint64_t)n);
	if (!request.error && !request.beneath)
		request.error = -lab_unflushed_discard(
			doors->drive->unflushed, request.bytes, request.offset);
	submit(doors, &request);
}

static const struct fuse_lowlevel_ops operations = {
	.init = on_init,
	.lookup = on_lookup,
	.getattr = on_getattr,
	.setattr = on_setattr,
	.open = on_open,
	.read = on_read,
	.write = on_write,
	.fsync = on_fsync,
	.fallocate = on_fallocate,
	.readdir = on_readdir,
};

/* The page cache's own pages go to the kernel: one copy instead of two. */
static void answer_read(const struct lab_doors *doors,
			const struct lab_request *request)
{
	struct fuse_bufvec bytes = FUSE_BUFVEC_INIT(request->bytes);

	bytes.buf[0].flags = FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK;
	bytes.buf[0].fd = doors->store;
	bytes.buf[0].pos = (off_t)request->offset;
	fuse_reply_data(request->owner, &bytes, 0);
}

static void answer(const struct lab_doors *doors,
		   const struct lab_request *request)
{
	if (request->error)
		fuse_reply_err(request->owner, request->error);
	else if (request->kind == LAB_READ)
		answer_read(doors, request);
	else if (request->kind == LAB_WRITE)
		fuse_reply_write(request->owner, request->bytes);
	else
		fuse_reply_err(request->owner, 0);
}

void lab_doors_answer(struct lab_doors *doors, int64_t now_ns)
{
	struct lab_request request;

	while (lab_drive_take(doors->drive, now_ns, &request))
		answer(doors, &request);
}

int lab_doors_fd(const struct lab_doors *doors)
{
	return fuse_session_fd(doors->session);
}

int lab_doors_receive(struct lab_doors *doors, struct lp_error *err)
{
	int status = fuse_session_receive_buf(doors->session, &doors->buffer);

	if (status > 0)
		fuse_session_process_buf(doors->session, &doors->buffer);
	doors->gone = fuse_session_exited(doors->session) != 0;
	if (status < 0 && status != -EINTR && status != -EAGAIN && !doors->gone)
		return lp_fail_errno(err, -status, "cannot read from FUSE");
	return 0;
}

int lab_doors_check(const char *dir, struct lp_error *err)
{
	struct statfs fs;
	struct stat st;
	int status = lab_guard_clear(dir, err);

	if (status < 0)
		return status;
	if (stat(dir, &st) < 0)
		return lp_fail_errno(err, errno, "cannot mount at %s", dir);
	if (!S_ISDIR(st.st_mode))
		return lp_fail(err, ENOTDIR, "%s is not a directory", dir);
	if (statfs(dir, &fs) == 0 && fs.f_type == FUSE_SUPER_MAGIC &&
	    st.st_ino == INODE_ROOT)
		return lp_fail(err, EBUSY, "a disk is already mounted at %s",
			       dir);
	if (access("/dev/fuse", R_OK | W_OK) < 0)
		return lp_fail_errno(err, errno,
				     "cannot use /dev/fuse; FUSE is needed");
	return 0;
}

/* Libfuse would print: what went wrong is said once, by the caller. */
static void say_nothing(enum fuse_log_level level, const char *format,
			va_list args)
{
	(void)level;
	(void)format;
	(void)args;
}

static struct fuse_session *new_session(struct lab_doors *doors)
{
	char program[] = "limpid-disk", o[] = "-o";
	char what[] = "fsname=limpid-disk,subtype=limpid,max_read=1048576";
	char *argv[] = { program, o, what, NULL };
	struct fuse_args args = FUSE_ARGS_INIT(3, argv);
	struct fuse_session *session =
		fuse_session_new(&args, &operations, sizeof(operations), doors);

	fuse_opt_free_args(&args);
	return session;
}

int lab_doors_open(struct lab_doors *doors, const char *dir,
		   struct lp_error *err)
{
	int code;

	fuse_set_log_func(say_nothing);
	doors->session = new_session(doors);
	errno = 0;
	if (!doors->session || fuse_session_mount(doors->session, dir) != 0) {
		code = errno ? errno : EIO;
		if (doors->session)
			fuse_session_destroy(doors->session);
		return lp_fail_errno(err, code, "cannot mount at %s", dir);
	}
	return 0;
}

void lab_doors_close(struct lab_doors *doors)
{
	while (doors->drive->queue.count) {
		struct lab_request request =
			lab_queue_pop(&doors->drive->queue);

		fuse_reply_err(request.owner, EIO);
	}
	fuse_session_unmount(doors->session);
	fuse_session_destroy(doors->session);
	free(doors->buffer.mem);
}
