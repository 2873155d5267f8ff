/* SPDX-License-Identifier: Apache-2.0 */
#include "inject/symbol_address.h"

#include "base/memory.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* n things of `each` bytes at an offset; NULL: not all of it is there. */
static const void *at(const void *bytes, size_t size, uint64_t offset,
		      uint64_t n, size_t each)
{
	if (offset > size || n > (size - offset) / each)
		return NULL;
	return (const unsigned char *)bytes + offset;
}

static int find(const void *bytes, size_t size, const Elf64_Shdr *table,
		const Elf64_Shdr *names, const char *function, uint64_t *value)
{
	size_t n = table->sh_size / sizeof(Elf64_Sym);
	const unsigned char *symbols =
		at(bytes, size, table->sh_offset, n, sizeof(Elf64_Sym));
	const char *text = at(bytes, size, names->sh_offset, names->sh_size, 1);

	for (size_t i = 0; symbols && text && i < n; i++) {
		size_t room;
		Elf64_Sym symbol;

		memcpy(&symbol, symbols + i * sizeof(symbol), sizeof(symbol));
		if (symbol.st_name >= names->sh_size ||
		    symbol.st_shndx == SHN_UNDEF)
			continue;
		room = names->sh_size - symbol.st_name;
		if (strnlen(text + symbol.st_name, room) == strlen(function) &&
		    strlen(function) < room &&
		    memcmp(text + symbol.st_name, function, strlen(function)) ==
			    0) {
			*value = symbol.st_value;
			return 0;
		}
	}
	return -ENOENT;
}

int lab_symbol_value(const void *bytes, size_t size, const char *function,
		     uint64_t *value)
{
	const unsigned char *sections;
	Elf64_Ehdr head;

	if (size < sizeof(head) || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return -EINVAL;
	memcpy(&head, bytes, sizeof(head));
	sections =
		at(bytes, size, head.e_shoff, head.e_shnum, sizeof(Elf64_Shdr));
	if (head.e_ident[EI_CLASS] != ELFCLASS64 || !sections ||
	    head.e_shentsize != sizeof(Elf64_Shdr))
		return -EINVAL;
	for (size_t i = 0; i < head.e_shnum; i++) {
		Elf64_Shdr table, names;

		memcpy(&table, sections + i * sizeof(table), sizeof(table));
		if (table.sh_type != SHT_DYNSYM ||
		    table.sh_link >= head.e_shnum)
			continue;
		memcpy(&names, sections + table.sh_link * sizeof(names),
		       sizeof(names));
		return find(bytes, size, &table, &names, function, value);
	}
	return -ENOENT;
}

/* "libc.so.6" is libc.so, "libc.so.page" is not. */
static bool is_image(const char *name, const char *image)
{
	size_t n = strlen(image);

	return strncmp(name, image, n) == 0 &&
	       (name[n] == '\n' ||
		(name[n] == '.' && name[n + 1] >= '0' && name[n + 1] <= '9'));
}

/*
 * 7f1c2a000000-7f1c2a028000 r--p 00000000 fe:00 123  /usr/lib/.../libc.so.6
 */
static int find_image(pid_t pid, const char *image, uint64_t *base,
		      char path[PATH_MAX], struct lp_error *err)
{
	char name[64], line[PATH_MAX + 128];
	lp_auto_fclose FILE *maps = NULL;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	maps = fopen(name, "re");
	if (!maps)
		return lp_fail_errno(err, errno, "cannot read %s", name);
	while (fgets(line, sizeof(line), maps)) {
		const char *file = strchr(line, '/');
		uint64_t start, offset;

		if (!file ||
		    sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64, &start,
			   &offset) != 2 ||
		    offset != 0 || !is_image(strrchr(line, '/') + 1, image))
			continue;
		*base = start;
		snprintf(path, PATH_MAX, "/proc/%d/root%.*s", (int)pid,
			 (int)strcspn(file, "\n"), file);
		return 0;
	}
	return lp_fail(err, ENOENT, "process %d has no %s", (int)pid, image);
}

int lab_symbol_address(pid_t pid, const char *image, const char *function,
		       uint64_t *address, struct lp_error *err)
{
	char path[PATH_MAX];
	uint64_t base = 0, value = 0;
	struct stat st;
	void *bytes = MAP_FAILED;
	int status = find_image(pid, image, &base, path, err);
	lp_auto_close int fd = -1;

	if (status < 0)
		return status;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			     fd, 0);
	if (bytes == MAP_FAILED)
		return lp_fail_errno(err, errno, "cannot read %s", path);
	status = lab_symbol_value(bytes, (size_t)st.st_size, function, &value);
	munmap(bytes, (size_t)st.st_size);
	if (status < 0)
		return lp_fail(err, ENOENT, "%s has no function %s", path,
			       function);
	*address = base + value;
	return 0;
}
