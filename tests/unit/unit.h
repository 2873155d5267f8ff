/* SPDX-License-Identifier: Apache-2.0 */
/* What every unit test includes. */
#ifndef LP_TESTS_UNIT_H
#define LP_TESTS_UNIT_H

/* cmocka wants these four first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
