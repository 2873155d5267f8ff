/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/images.h"

#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger ones exist, and reading them would cost more than it tells. */
#define MOST_BYTES ((off_t)512 << 20)
#define MOST_IMAGES 4000
/* Digits of the build id in a name: enough to tell builds apart. */
#define BUILD_BYTES 4

uint8_t *lp_image_bytes(const char *path, size_t *n)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat s;
	uint8_t *bytes;
	ssize_t got;

	if (fd < 0 || fstat(fd, &s) < 0 || !S_ISREG(s.st_mode) ||
	    s.st_size <= 0 || s.st_size > MOST_BYTES)
		return NULL;
	bytes = malloc((size_t)s.st_size);
	for (*n = 0; bytes && *n < (size_t)s.st_size; *n += (size_t)got) {
		got = read(fd, bytes + *n, (size_t)s.st_size - *n);
		if (got <= 0)
			break;
	}
	return bytes;
}

uint8_t *lp_debug_bytes(const char *dir, const uint8_t *build_id, size_t n,
			size_t *size)
{
	char digits[2 * LP_BUILD_ID_MOST + 1] = "", path[4096];

	if (n < 2 || !dir)
		return NULL;
	for (size_t i = 0; i < n; i++)
		snprintf(digits + 2 * i, 3, "%02x", build_id[i]);
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", dir, digits,
		 digits + 2);
	return lp_image_bytes(path, size);
}

static bool is_same(const struct lp_image *image,
		    const struct lp_image_key *key)
{
	if (key->build_id_size)
		return image->build_id_size == key->build_id_size &&
		       memcmp(image->build_id, key->build_id,
			      key->build_id_size) == 0;
	return key->inode && image->inode == key->inode &&
	       image->device == key->device;
}

/* "/usr/lib/libc.so.6 (deleted)" is libc.so.6. */
static char *name_of(const struct lp_image *image, const char *path)
{
	const char *base = strrchr(path, '/');
	char digits[2 * BUILD_BYTES + 1] = "", *name;
	size_t n;

	base = base ? base + 1 : path;
	n = strlen(base);
	if (n > 10 && strcmp(base + n - 10, " (deleted)") == 0)
		n -= 10;
	for (size_t i = 0; i < BUILD_BYTES && i < image->build_id_size; i++)
		snprintf(digits + 2 * i, 3, "%02x", image->build_id[i]);
	if (asprintf(&name, "%.*s%s%s", (int)n, base, *digits ? "@" : "",
		     digits) < 0)
		return NULL;
	for (char *c = name; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '_';
	return name;
}

/* False: it is another file by now. */
static bool read_functions(const struct lp_images *images,
			   struct lp_image *image, const char *path)
{
	size_t n = 0, n_debug = 0;
	lp_auto_free uint8_t *bytes = lp_image_bytes(path, &n);
	lp_auto_free uint8_t *debug = NULL;
	struct lp_functions f = { 0 };

	if (!bytes || !lp_functions_read(&f, bytes, n) ||
	    (image->build_id_size &&
	     (f.build_id_size != image->build_id_size ||
	      memcmp(f.build_id, image->build_id, f.build_id_size) != 0))) {
		lp_functions_done(&f);
		return false;
	}
	debug = lp_debug_bytes(images->debug_dir, f.build_id, f.build_id_size,
			       &n_debug);
	if (debug)
		lp_functions_add_debug(&f, debug, n_debug);
	lp_functions_guess(&f, bytes, n);
	lp_functions_settle(&f);
	memcpy(image->build_id, f.build_id, f.build_id_size);
	image->build_id_size = f.build_id_size;
	image->functions = f;
	image->readable = true;
	return true;
}

static void free_image(struct lp_image *image)
{
	lp_functions_done(&image->functions);
	free(image->name);
	free(image);
}

static struct lp_image *find(const struct lp_images *images,
			     const struct lp_image_key *key)
{
	for (struct lp_image *i = images->first; i; i = i->next)
		if (is_same(i, key))
			return i;
	return NULL;
}

static struct lp_image *read_image(const struct lp_images *images,
				   const struct lp_image_key *key,
				   const char *const *paths)
{
	struct lp_image *image = calloc(1, sizeof(*image));

	if (!image)
		return NULL;
	image->build_id_size = key->build_id_size;
	if (key->build_id_size)
		memcpy(image->build_id, key->build_id, key->build_id_size);
	image->device = key->device;
	image->inode = key->inode;
	while (*paths && !read_functions(images, image, *paths))
		paths++;
	image->name = name_of(image, key->path);
	if (image->name)
		return image;
	free_image(image);
	return NULL;
}

struct lp_image *lp_images_get(struct lp_images *images,
			       const struct lp_image_key *key,
			       const char *const *paths)
{
	struct lp_image *image = find(images, key), *same;

	if (image || images->n >= MOST_IMAGES)
		return image;
	image = read_image(images, key, paths);
	if (!image)
		return NULL;
	/* Under another inode: a copy, or the same file in a container. */
	same = image->build_id_size && !key->build_id_size
		       ? find(images,
			      &(struct lp_image_key){
				      .build_id = image->build_id,
				      .build_id_size = image->build_id_size })
		       : NULL;
	if (same) {
		free_image(image);
		return same;
	}
	image->next = images->first;
	images->first = image;
	images->n++;
	return image;
}

void lp_images_done(struct lp_images *images)
{
	while (images->first) {
		struct lp_image *next = images->first->next;

		free_image(images->first);
		images->first = next;
	}
	images->n = 0;
}
