#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# record_kill.sh with 200 kills instead of 20.
LIMPID_LONG=1 exec bash "$LIMPID_SOURCE/tests/e2e/record_kill.sh"
