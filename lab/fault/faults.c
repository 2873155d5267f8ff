/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault.h"

#include <string.h>

const struct lab_fault *const lab_faults[] = {
	/* The six of Kasick et al. 2010. */
	&lab_fault_disk_hog,
	&lab_fault_disk_busy,
	&lab_fault_write_network_hog,
	&lab_fault_read_network_hog,
	&lab_fault_receive_pktloss,
	&lab_fault_send_pktloss,
	/* Others. */
	&lab_fault_slow_disk,
	&lab_fault_jittery_disk,
	&lab_fault_stale_readahead,
	&lab_fault_slow_link,
	&lab_fault_flapping_link,
	&lab_fault_cpu_hog,
	&lab_fault_two_victims,
	/* Of its software, which disks and links need not show. */
	&lab_fault_spin,
	&lab_fault_poll,
	&lab_fault_checksum,
	&lab_fault_lock_convoy,
	&lab_fault_trace_log,
	&lab_fault_one_io_thread,
	&lab_fault_debugger,
	&lab_fault_firewall,
	&lab_fault_cpu_quota,
	&lab_fault_memory_short,
	/* No faults of a server. */
	&lab_fault_loaded_library,
	&lab_fault_rebuild,
	&lab_fault_slow_client,
	&lab_fault_backup,
	&lab_fault_log_rotation,
	NULL,
};

const struct lab_fault *lab_fault_find(const char *name)
{
	for (size_t i = 0; lab_faults[i]; i++)
		if (strcmp(lab_faults[i]->name, name) == 0)
			return lab_faults[i];
	return NULL;
}
