#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every step of the usual lab: see lab_kill.sh.
exec bash "$LIMPID_SOURCE/tests/e2e/lab_kill.sh" --servers 6 --clients 2
