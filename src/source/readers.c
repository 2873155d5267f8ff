/* SPDX-License-Identifier: Apache-2.0 */
#include "source/reader.h"

/* In the order of a tick: what accuses first, while the time is fresh. */
const struct lp_reader *const lp_readers[] = {
	&lp_reader_diskstats, &lp_reader_net_dev,
	&lp_reader_stat,      &lp_reader_meminfo,
	&lp_reader_pressure,  &lp_reader_snmp,
	&lp_reader_netstat,   &lp_reader_infiniband,
	&lp_reader_sockdiag,  NULL,
};
