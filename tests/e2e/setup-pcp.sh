#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Install what limpid-pcp and tests/e2e/pcp.sh need, on Debian as root:
# libpcp3-dev to build, pcp (pmcd, pmlogger and the tools) to test. Does
# nothing where both are there already.
set -eu

installed() {
	[ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = \
		"install ok installed" ]
}

# Debian's pcp fails to configure where systemd is installed but does not run
# (a container, a build machine), because its scripts take the failure of
# `systemctl` for their own. A `systemctl` that does nothing stands in, for
# this one installation; policy-rc.d keeps daemons from being started.
quiet_services() {
	shim=$(mktemp -d)
	trap 'rm -rf "$shim"; [ -z "${policy:-}" ] || rm -f "$policy"' EXIT
	printf '#!/bin/sh\nexit 0\n' >"$shim/systemctl"
	chmod 755 "$shim/systemctl"
	if [ ! -e /usr/sbin/policy-rc.d ]; then
		policy=/usr/sbin/policy-rc.d
		printf '#!/bin/sh\nexit 101\n' >"$policy"
		chmod 755 "$policy"
	fi
}

install_packages() {
	local path="$shim:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
	export DEBIAN_FRONTEND=noninteractive

	apt-get -qq -o DPkg::Path="$path" -o DPkg::Lock::Timeout=300 \
		install -y --no-install-recommends "$@"
}

missing=
for package in libpcp3-dev pcp; do
	installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
	echo "setup-pcp.sh: not root; install these yourself:$missing" >&2
	exit 1
fi
quiet_services
# shellcheck disable=SC2086 # a list of words
install_packages $missing 2>/dev/null || {
	apt-get -qq -o DPkg::Lock::Timeout=300 update
	install_packages $missing
}
