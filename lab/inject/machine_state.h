/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of a stopped thread, kept, and set for a call of a function
 * that shall not return to its caller. What differs between processors.
 */
#ifndef LAB_INJECT_MACHINE_STATE_H
#define LAB_INJECT_MACHINE_STATE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/procfs.h>
#include <sys/types.h>
#include <sys/user.h>

/* Of the vector registers, whose size the processor decides. */
#define LAB_VECTORS 16384

struct lab_machine_state {
#ifdef __x86_64__
	struct user_regs_struct general;
#elif defined(__aarch64__)
	struct user_regs_struct general;
	int call; /* the system call it waits in, to be begun again */
#else
#error "the registers of this processor are not known"
#endif
	size_t vectors_size;
	unsigned char vectors[LAB_VECTORS];
};

/* 0 or -errno. */
int lab_machine_read(pid_t tid, struct lab_machine_state *state);
int lab_machine_write(pid_t tid, const struct lab_machine_state *state);

/* Below what the thread uses of its stack. */
uint64_t lab_machine_stack(const struct lab_machine_state *state);

/*
 * Let it call function(first, second) with that stack, of which the word at the
 * top is 0; when the function returns, the thread is stopped by a SIGSEGV at
 * address 0.
 */
int lab_machine_call(pid_t tid, const struct lab_machine_state *state,
		     uint64_t stack, uint64_t function, uint64_t first,
		     uint64_t second);
/* What it returned; false: it is somewhere else. */
int lab_machine_returned(pid_t tid, uint64_t *value);

#endif
