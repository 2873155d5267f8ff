/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-payload.so: what a software fault of the lab does inside of a daemon.
 * It is loaded by inject.h, reads from its page what to do, and does it until
 * the page says that it is over; then its thread ends, and the calls that it
 * leads through itself do nothing else than before.
 *
 * It stands for errors in a daemon's own code, so it uses the daemon's threads,
 * its locks and its memory, and nothing of limpid.
 */
#include "inject/payload_page.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SLICE_NS 20000000

#ifdef __x86_64__
#define JUMP_SLOT R_X86_64_JUMP_SLOT
#define DATA_SLOT R_X86_64_GLOB_DAT
#elif defined(__aarch64__)
#define JUMP_SLOT R_AARCH64_JUMP_SLOT
#define DATA_SLOT R_AARCH64_GLOB_DAT
#endif

typedef ssize_t read_at_fn(int fd, void *buffer, size_t n, off_t offset);
typedef ssize_t write_at_fn(int fd, const void *buffer, size_t n, off_t offset);

static struct payload_page *page;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static bool is_on(void)
{
	return atomic_load_explicit(&page->on, memory_order_relaxed) != 0;
}

static void count(uint64_t n)
{
	atomic_fetch_add_explicit(&page->done, n, memory_order_relaxed);
}

/* ---- threads ---- */

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void sleep_ns(int64_t ns)
{
	const struct timespec t = { .tv_sec = ns / 1000000000,
				    .tv_nsec = ns % 1000000000 };

	if (ns > 0)
		nanosleep(&t, NULL);
}

static void *spin(void *none)
{
	int64_t busy_ns = (int64_t)SLICE_NS * page->amount / 100;

	while (is_on()) {
		int64_t begun_ns = now_ns();

		while (now_ns() - begun_ns < busy_ns)
			;
		count((uint64_t)busy_ns);
		sleep_ns(begun_ns + SLICE_NS - now_ns());
	}
	return none;
}

static void *ask(void *none)
{
	while (is_on()) {
		sched_yield();
		count(1);
	}
	return none;
}

static void run(void *(*body)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, NULL) == 0)
		pthread_detach(thread);
}

/* ---- what happens to the bytes that are read and written ---- */

/* Bit by bit, as code that nobody measured. */
static uint32_t checksum(const unsigned char *at, size_t n)
{
	uint32_t sum = ~0u;

	for (size_t i = 0; i < n; i++) {
		sum ^= at[i];
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (0x82f63b78u & -(sum & 1));
	}
	return ~sum;
}

static void sum_up(const void *bytes, ssize_t n)
{
	static volatile uint32_t sums;

	if (page->deed != PAYLOAD_CHECKSUM || n <= 0 || !is_on())
		return;
	for (uint32_t i = 0; i < page->amount; i++)
		sums ^= checksum(bytes, (size_t)n);
	count((uint64_t)n);
}

static bool enter(void)
{
	if (page->deed != PAYLOAD_CONVOY || !is_on())
		return false;
	pthread_mutex_lock(&gate);
	sleep_ns((int64_t)page->amount * 1000);
	count(1);
	return true;
}

static void leave(bool entered)
{
	if (entered)
		pthread_mutex_unlock(&gate);
}

static ssize_t read_at(int fd, void *buffer, size_t n, off_t offset)
{
	bool entered = enter();
	ssize_t got = pread(fd, buffer, n, offset);

	leave(entered);
	sum_up(buffer, got);
	return got;
}

static ssize_t write_at(int fd, const void *buffer, size_t n, off_t offset)
{
	bool entered;
	ssize_t put;

	sum_up(buffer, (ssize_t)n);
	entered = enter();
	put = pwrite(fd, buffer, n, offset);
	leave(entered);
	return put;
}

/* ---- calls of the daemon's images are led through ours ---- */

struct image {
	ElfW(Addr) base;
	const ElfW(Sym) * symbols;
	const char *names;
	const ElfW(Rela) * relocations[2];
	size_t n[2];
};

static void look(const ElfW(Dyn) * entry, struct image *image)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		ElfW(Addr) at = entry->d_un.d_ptr;

		if (entry->d_tag == DT_SYMTAB)
			image->symbols = (const ElfW(Sym) *)at;
		else if (entry->d_tag == DT_STRTAB)
			image->names = (const char *)at;
		else if (entry->d_tag == DT_JMPREL)
			image->relocations[0] = (const ElfW(Rela) *)at;
		else if (entry->d_tag == DT_PLTRELSZ)
			image->n[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
		else if (entry->d_tag == DT_RELA)
			image->relocations[1] = (const ElfW(Rela) *)at;
		else if (entry->d_tag == DT_RELASZ)
			image->n[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
	}
}

static const void *substitute(const char *name)
{
	static read_at_fn *const reads = read_at;
	static write_at_fn *const writes = write_at;

	if (strcmp(name, "pread64") == 0 || strcmp(name, "pread") == 0)
		return *(const void *const *)&reads;
	if (strcmp(name, "pwrite64") == 0 || strcmp(name, "pwrite") == 0)
		return *(const void *const *)&writes;
	return NULL;
}

/* The slot may lie in memory that became read-only after relocation. */
static void redirect(const struct image *image, const ElfW(Rela) * relocation)
{
	unsigned long type = ELF64_R_TYPE(relocation->r_info);
	const ElfW(Sym) *symbol =
		image->symbols + ELF64_R_SYM(relocation->r_info);
	const void *ours = substitute(image->names + symbol->st_name);
	const void **slot = (const void **)(image->base + relocation->r_offset);
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)slot & ~(size - 1));

	if ((type != JUMP_SLOT && type != DATA_SLOT) || !ours ||
	    mprotect(start, size, PROT_READ | PROT_WRITE) < 0)
		return;
	__atomic_store_n(slot, ours, __ATOMIC_RELEASE);
	atomic_fetch_add(&page->hooked, 1);
}

static bool is_ours(const struct dl_phdr_info *info)
{
	uintptr_t here = (uintptr_t)&page;

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type == PT_LOAD &&
		    here - (info->dlpi_addr + part->p_vaddr) < part->p_memsz)
			return true;
	}
	return false;
}

static int lead_image(struct dl_phdr_info *info, size_t size, void *none)
{
	struct image image = { .base = info->dlpi_addr };

	(void)size;
	(void)none;
	/* The dynamic section of the vdso is not relocated. */
	if (is_ours(info) || strstr(info->dlpi_name, "vdso"))
		return 0;
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			look((const ElfW(Dyn) *)(info->dlpi_addr +
						 info->dlpi_phdr[i].p_vaddr),
			     &image);
	for (size_t k = 0; k < 2 && image.symbols && image.names; k++)
		for (size_t i = 0; i < image.n[k] && image.relocations[k]; i++)
			redirect(&image, &image.relocations[k][i]);
	return 0;
}

/* ---- begin ---- */

static bool open_page(void)
{
	static const char suffix[] = PAYLOAD_PAGE_SUFFIX;
	char path[4096];
	Dl_info self;
	int fd;

	if (!dladdr(&page, &self) ||
	    snprintf(path, sizeof(path), "%s%s", self.dli_fname, suffix) >=
		    (int)sizeof(path))
		return false;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return false;
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    0);
	close(fd);
	return page != MAP_FAILED && page->magic == PAYLOAD_MAGIC;
}

/* By which it is known to be there. */
__attribute__((visibility("default"))) const int limpid_payload = 1;

static void __attribute__((constructor)) begin(void)
{
	if (!open_page())
		return;
	if (page->deed == PAYLOAD_SPIN)
		run(spin);
	else if (page->deed == PAYLOAD_POLL)
		run(ask);
	else if (page->deed != PAYLOAD_NOTHING)
		dl_iterate_phdr(lead_image, NULL);
}
