/* SPDX-License-Identifier: Apache-2.0 */
#include "inject/machine_state.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* What the x86-64 calling convention lets a leaf function use below its stack.
 */
#define RED_ZONE 128

#ifdef __x86_64__
#define VECTORS NT_X86_XSTATE
#else
#define VECTORS NT_PRFPREG
#endif

static int get(pid_t tid, int set, void *to, size_t room, size_t *size)
{
	struct iovec part = { .iov_base = to, .iov_len = room };

	if (ptrace(PTRACE_GETREGSET, tid, (void *)(intptr_t)set, &part) < 0)
		return -errno;
	*size = part.iov_len;
	return 0;
}

static int set(pid_t tid, int which, const void *from, size_t size)
{
	struct iovec part = { .iov_base = (void *)(uintptr_t)from,
			      .iov_len = size };

	return ptrace(PTRACE_SETREGSET, tid, (void *)(intptr_t)which, &part) < 0
		       ? -errno
		       : 0;
}

int lab_machine_read(pid_t tid, struct lab_machine_state *state)
{
	size_t size;
	int status = get(tid, NT_PRSTATUS, &state->general,
			 sizeof(state->general), &size);

#ifdef __aarch64__
	if (status == 0)
		status = get(tid, NT_ARM_SYSTEM_CALL, &state->call,
			     sizeof(state->call), &size);
#endif
	if (status < 0)
		return status;
	return get(tid, VECTORS, state->vectors, sizeof(state->vectors),
		   &state->vectors_size);
}

int lab_machine_write(pid_t tid, const struct lab_machine_state *state)
{
	int status = set(tid, VECTORS, state->vectors, state->vectors_size);

	if (status == 0)
		status = set(tid, NT_PRSTATUS, &state->general,
			     sizeof(state->general));
#ifdef __aarch64__
	if (status == 0)
		status = set(tid, NT_ARM_SYSTEM_CALL, &state->call,
			     sizeof(state->call));
#endif
	return status;
}

uint64_t lab_machine_stack(const struct lab_machine_state *state)
{
#ifdef __x86_64__
	return state->general.rsp - RED_ZONE;
#else
	return state->general.sp - RED_ZONE;
#endif
}

int lab_machine_call(pid_t tid, const struct lab_machine_state *state,
		     uint64_t stack, uint64_t function, uint64_t first,
		     uint64_t second)
{
	struct user_regs_struct general = state->general;

	/* No system call is begun again: the thread is to be elsewhere. */
#ifdef __x86_64__
	general.orig_rax = (unsigned long long)-1;
	general.rip = function;
	general.rsp = stack;
	general.rdi = first;
	general.rsi = second;
	general.rax = 0;
#else
	int none = -1;
	int status = set(tid, NT_ARM_SYSTEM_CALL, &none, sizeof(none));

	if (status < 0)
		return status;
	general.pc = function;
	general.sp = stack & ~UINT64_C(15);
	general.regs[0] = first;
	general.regs[1] = second;
	general.regs[30] = 0;
#endif
	return set(tid, NT_PRSTATUS, &general, sizeof(general));
}

int lab_machine_returned(pid_t tid, uint64_t *value)
{
	struct user_regs_struct general;
	size_t size;
	int status = get(tid, NT_PRSTATUS, &general, sizeof(general), &size);

	if (status < 0)
		return status;
#ifdef __x86_64__
	*value = general.rax;
	return general.rip == 0 ? 0 : -EAGAIN;
#else
	*value = general.regs[0];
	return general.pc == 0 ? 0 : -EAGAIN;
#endif
}
