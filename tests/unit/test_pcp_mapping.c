/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "pcp_mapping.h"
#include "pcp_units.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <string.h>

static void every_rule_names_a_column_of_its_class(void **state)
{
	(void)state;
	for (const struct lp_pcp_family *f = lp_pcp_families; f->prefix; f++)
		for (size_t i = 0; i < f->n_rules; i++) {
			const struct lp_pcp_rule *rule = &f->rules[i];

			if (rule->target != LP_PCP_COLUMN)
				continue;
			assert_non_null(f->class);
			assert_true(lp_class_column(f->class, rule->to) >= 0);
		}
}

static void every_better_metric_is_known_itself(void **state)
{
	const struct lp_pcp_family *family;
	char name[128];

	(void)state;
	for (const struct lp_pcp_family *f = lp_pcp_families; f->prefix; f++)
		for (size_t i = 0; i < f->n_rules; i++) {
			if (!f->rules[i].better)
				continue;
			snprintf(name, sizeof(name), "%s%s", f->prefix,
				 f->rules[i].better);
			assert_non_null(lp_pcp_find(name, &family));
			assert_ptr_equal(family, f);
		}
}

static void a_metric_is_found_in_its_own_family(void **state)
{
	const struct lp_pcp_family *family = NULL;
	const struct lp_pcp_rule *rule;

	(void)state;
	rule = lp_pcp_find("disk.dm.blkread", &family);
	assert_string_equal(rule->to, "rd_sectors");
	assert_string_equal(family->layer, "logical");
	rule = lp_pcp_find("network.interface.in.bytes", &family);
	assert_ptr_equal(family->class, &lp_class_net);
	rule = lp_pcp_find("network.tcp.retranssegs", &family);
	assert_ptr_equal(family->class, &lp_class_host);
	rule = lp_pcp_find("hinv.map.mdname", &family);
	assert_string_equal(family->layer, "array");
	assert_null(lp_pcp_find("disk.dev", &family));
	assert_null(lp_pcp_find("disk.all.read", &family));
}

/* The agent guesses them by name, and takes sr0 for a partition. */
static void layers_that_pcp_does_not_know_are_not_stated(void **state)
{
	static const char *const metrics[] = { "disk.dev.read",
					       "disk.partitions.read",
					       "hinv.map.scsi_id",
					       "network.interface.in.bytes" };
	const struct lp_pcp_family *family;

	(void)state;
	for (size_t i = 0; i < lp_array_size(metrics); i++) {
		assert_non_null(lp_pcp_find(metrics[i], &family));
		assert_null(family->layer);
	}
}

static void a_sum_of_requests_counts_where_it_is_alone(void **state)
{
	const struct lp_pcp_family *family;
	const struct lp_pcp_rule *rule = lp_pcp_find("disk.dev.total", &family);

	(void)state;
	assert_non_null(rule);
	assert_string_equal(rule->to, "ios");
	assert_string_equal(rule->better, "read");
}

static struct lp_pcp_scale scale_of(pmUnits from, enum lp_pcp_dimension what,
				    uint64_t size)
{
	struct lp_pcp_scale scale;

	assert_true(lp_pcp_scale_init(&scale, &from,
				      (struct lp_pcp_unit){ what, size }));
	return scale;
}

static const pmUnits kibibytes = { .dimSpace = 1,
				   .scaleSpace = PM_SPACE_KBYTE };
static const pmUnits bytes_each = { .dimSpace = 1 };
static const pmUnits milliseconds = { .dimTime = 1, .scaleTime = PM_TIME_MSEC };
static const pmUnits counts = { .dimCount = 1 };
static const pmUnits bytes_per_second = { .dimSpace = 1,
					  .dimTime = -1,
					  .scaleTime = PM_TIME_SEC };

static void units_are_converted_exactly(void **state)
{
	struct lp_pcp_scale s = scale_of(kibibytes, LP_PCP_SPACE, 512);

	(void)state;
	assert_int_equal(lp_pcp_scale_u64(&s, UINT64_C(1) << 53 | 1),
			 UINT64_C(1) << 54 | 2);
	s = scale_of(milliseconds, LP_PCP_TIME, 10000000);
	assert_int_equal(lp_pcp_scale_u64(&s, 123450), 12345);
	s = scale_of(bytes_each, LP_PCP_SPACE, 4);
	assert_int_equal(lp_pcp_scale_u64(&s, UINT64_MAX - 3), UINT64_MAX / 4);
	s = scale_of(counts, LP_PCP_COUNT, 1);
	assert_int_equal(lp_pcp_scale_u64(&s, UINT64_MAX), UINT64_MAX);
	s = scale_of(bytes_per_second, LP_PCP_SPACE, 1);
	assert_true(lp_pcp_scale_f64(&s, 1.5e9) == 1.5e9);
}

static void units_of_other_things_are_refused(void **state)
{
	const struct lp_pcp_unit sectors = { LP_PCP_SPACE, 512 };
	const struct lp_pcp_unit ms = { LP_PCP_TIME, 1000000 };
	const struct lp_pcp_unit requests = { LP_PCP_COUNT, 1 };
	struct lp_pcp_scale scale;

	(void)state;
	assert_false(lp_pcp_scale_init(&scale, &milliseconds, sectors));
	assert_false(lp_pcp_scale_init(&scale, &counts, ms));
	assert_false(lp_pcp_scale_init(&scale, &kibibytes, requests));
	assert_false(lp_pcp_scale_init(&scale, &bytes_per_second, ms));
}

static void a_scaled_narrow_counter_wraps_at_its_scaled_width(void **state)
{
	struct lp_pcp_scale same = { 1, 1 }, twice = { 2, 1 };
	struct lp_pcp_scale quarter = { 1, 4 }, tenth = { 1, 10 };

	(void)state;
	assert_int_equal(lp_pcp_width(PM_TYPE_U64, &same, 64), 64);
	assert_int_equal(lp_pcp_width(PM_TYPE_U32, &same, 64), 32);
	assert_int_equal(lp_pcp_width(PM_TYPE_U32, &twice, 64), 33);
	assert_int_equal(lp_pcp_width(PM_TYPE_U32, &quarter, 64), 30);
	assert_int_equal(lp_pcp_width(PM_TYPE_U32, &tenth, 64), 64);
	/* PCP widens what the kernel prints in 32 bits. */
	assert_int_equal(lp_pcp_width(PM_TYPE_U64, &same, 32), 32);
	/* A gauge has no width. */
	assert_int_equal(lp_pcp_width(PM_TYPE_U32, &same, 0), 0);
}

/* As libpcp lays a 64-bit value out. */
static void make_block(void *room, const void *bytes, unsigned n,
		       pmValue *value)
{
	pmValueBlock *block = room;

	block->vlen = (PM_VAL_HDR_SIZE + n) & PM_VAL_VLEN_MAX;
	memcpy(block->vbuf, bytes, n);
	value->value.pval = block;
}

static void values_of_all_numeric_types_are_read(void **state)
{
	uint64_t room[8], bits, wide = UINT64_MAX;
	int64_t negative = -1;
	double d = 0.5;
	float f = 0.25f;
	pmValue v = { .value.lval = -1 };
	bool real;

	(void)state;
	assert_true(lp_pcp_value(PM_TYPE_U32, PM_VAL_INSITU, &v, &bits, &real));
	assert_int_equal(bits, UINT32_MAX);
	assert_false(lp_pcp_value(PM_TYPE_32, PM_VAL_INSITU, &v, &bits, &real));
	make_block(room, &wide, 8, &v);
	assert_true(lp_pcp_value(PM_TYPE_U64, PM_VAL_DPTR, &v, &bits, &real));
	assert_int_equal(bits, UINT64_MAX);
	make_block(room, &negative, 8, &v);
	assert_false(lp_pcp_value(PM_TYPE_64, PM_VAL_DPTR, &v, &bits, &real));
	make_block(room, &d, 8, &v);
	assert_true(
		lp_pcp_value(PM_TYPE_DOUBLE, PM_VAL_DPTR, &v, &bits, &real));
	assert_true(real && lp_bits_double(bits) == 0.5);
	make_block(room, &f, 4, &v);
	assert_true(lp_pcp_value(PM_TYPE_FLOAT, PM_VAL_DPTR, &v, &bits, &real));
	assert_true(real && lp_bits_double(bits) == 0.25);
}

static void values_shorter_than_their_type_are_refused(void **state)
{
	uint64_t room[8], bits, wide = 7;
	pmValue v = { 0 };
	bool real;

	(void)state;
	make_block(room, &wide, 4, &v);
	assert_false(lp_pcp_value(PM_TYPE_U64, PM_VAL_DPTR, &v, &bits, &real));
	assert_false(
		lp_pcp_value(PM_TYPE_DOUBLE, PM_VAL_DPTR, &v, &bits, &real));
	make_block(room, "abcd", 4, &v);
	assert_null(lp_pcp_text(PM_TYPE_STRING, PM_VAL_DPTR, &v));
	make_block(room, "abc", 4, &v);
	assert_string_equal(lp_pcp_text(PM_TYPE_STRING, PM_VAL_DPTR, &v),
			    "abc");
	assert_false(
		lp_pcp_value(PM_TYPE_STRING, PM_VAL_DPTR, &v, &bits, &real));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_rule_names_a_column_of_its_class),
		cmocka_unit_test(every_better_metric_is_known_itself),
		cmocka_unit_test(a_metric_is_found_in_its_own_family),
		cmocka_unit_test(layers_that_pcp_does_not_know_are_not_stated),
		cmocka_unit_test(a_sum_of_requests_counts_where_it_is_alone),
		cmocka_unit_test(units_are_converted_exactly),
		cmocka_unit_test(units_of_other_things_are_refused),
		cmocka_unit_test(
			a_scaled_narrow_counter_wraps_at_its_scaled_width),
		cmocka_unit_test(values_of_all_numeric_types_are_read),
		cmocka_unit_test(values_shorter_than_their_type_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
