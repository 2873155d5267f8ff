/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One spelling for what everybody writes differently.
 */
#ifndef LP_SOURCE_IDENTITY_H
#define LP_SOURCE_IDENTITY_H

#define LP_IDENTITY_TEXT 264

/*
 * The kernel writes "naa.6000...", udev "0x6000...", multipath "36000..." for
 * the same number: SCSI designator type 3 (NAA), 2 (EUI-64). Returns wwid.
 */
const char *lp_identity_wwid(const char *text, char wwid[LP_IDENTITY_TEXT]);

#endif
