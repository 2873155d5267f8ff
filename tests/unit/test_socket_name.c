/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "table/socket_name.h"

#include <string.h>

static void expect(const char *text, const char *local, long local_port,
		   const char *peer, long peer_port)
{
	struct lp_socket_name name;

	assert_true(lp_socket_name_parse(text, &name));
	assert_string_equal(name.local.address, local);
	assert_int_equal(name.local.port, local_port);
	assert_string_equal(name.peer.address, peer);
	assert_int_equal(name.peer.port, peer_port);
}

static void sockets_of_a_port_have_no_local_address(void **state)
{
	(void)state;
	expect("2049>10.0.0.5", "", 2049, "10.0.0.5", -1);
	expect("2049>fd00::5", "", 2049, "fd00::5", -1);
	expect("2049>10.0.0.5:1021", "", 2049, "10.0.0.5", 1021);
}

static void sockets_that_the_host_opened_have_no_port(void **state)
{
	(void)state;
	expect("->10.0.0.5", "", -1, "10.0.0.5", -1);
	expect("10.0.0.1>10.0.0.5", "10.0.0.1", -1, "10.0.0.5", -1);
}

static void single_sockets_have_two_ends(void **state)
{
	(void)state;
	expect("10.0.0.1:2049>10.0.0.5:1021", "10.0.0.1", 2049, "10.0.0.5",
	       1021);
	expect("[fd00::1]:2049>[fd00::5]:1021", "fd00::1", 2049, "fd00::5",
	       1021);
	expect("oss1:2049>client7:1021", "oss1", 2049, "client7", 1021);
}

static void zones_and_mapped_addresses_are_plain_ones(void **state)
{
	(void)state;
	expect("[::ffff:10.0.0.1]:2049>[fe80::5%eth0]:9", "10.0.0.1", 2049,
	       "fe80::5", 9);
	expect("10.0.0.1%eth0:22>10.0.0.5:1021", "10.0.0.1", 22, "10.0.0.5",
	       1021);
}

static void what_is_no_such_name_is_refused(void **state)
{
	struct lp_socket_name name;
	char text[200];

	(void)state;
	assert_false(lp_socket_name_parse("", &name));
	assert_false(lp_socket_name_parse("other", &name));
	assert_false(lp_socket_name_parse("2049>", &name));
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text, "1>", 2);
	assert_false(lp_socket_name_parse(text, &name));
}

static void odd_ends_are_addresses_as_they_are(void **state)
{
	(void)state;
	expect("[>[", "[", -1, "[", -1);
	expect("[]>[]:", "", -1, "", -1);
	expect("10.0.0.1:>10.0.0.5:x", "10.0.0.1:", -1, "10.0.0.5:x", -1);
	expect("123456>10.0.0.5", "123456", -1, "10.0.0.5", -1);
}

static void a_host_that_talks_to_itself_is_seen(void **state)
{
	struct lp_socket_name name;

	(void)state;
	assert_true(lp_socket_name_parse("10.0.0.1:7>10.0.0.1:8", &name));
	assert_true(lp_socket_name_is_loop(&name));
	assert_true(lp_socket_name_parse("[::1]:7>[::1]:8", &name));
	assert_true(lp_socket_name_is_loop(&name));
	assert_true(lp_socket_name_parse("7>10.0.0.1", &name));
	assert_false(lp_socket_name_is_loop(&name));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sockets_of_a_port_have_no_local_address),
		cmocka_unit_test(sockets_that_the_host_opened_have_no_port),
		cmocka_unit_test(single_sockets_have_two_ends),
		cmocka_unit_test(zones_and_mapped_addresses_are_plain_ones),
		cmocka_unit_test(what_is_no_such_name_is_refused),
		cmocka_unit_test(odd_ends_are_addresses_as_they_are),
		cmocka_unit_test(a_host_that_talks_to_itself_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
