/* SPDX-License-Identifier: Apache-2.0 */
/* What reading and writing a model share. */
#ifndef LP_IO_MODEL_FILE_H
#define LP_IO_MODEL_FILE_H

#include "io/model/iomodel.h"

#define LP_IO_MODEL_FORMAT "limpid-io-model"
#define LP_IO_MODEL_VERSION 1

const char *lp_io_use_name(enum lp_io_use use);

#endif
