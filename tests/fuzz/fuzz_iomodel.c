/* SPDX-License-Identifier: Apache-2.0 */
/* Models of I/O, which a user may have edited; what is read must classify. */
#include "base/memory.h"
#include "io/model/classify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct lp_io_model *model)
{
	struct lp_io_operation operations[] = {
		{ .result = 1, .duration_ns = 100 },
		{ .result = 1 << 20, .duration_ns = 1000000, .kind = 1 },
		{ .result = INT64_MAX, .duration_ns = INT64_MAX },
	};
	uint8_t class[lp_array_size(operations)];
	struct lp_io_classifier c;

	lp_io_classifier_init(&c, model);
	lp_io_classify(&c, operations, lp_array_size(operations), class);
	for (size_t i = 0; i < lp_array_size(operations); i++)
		if (class[i] != lp_io_class_plain(&c, &operations[i]))
			__builtin_trap();
	for (size_t i = 0; i < model->n_factors; i++)
		lp_io_usual(&model->factor[i], 12345);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_io_model model = { .n_factors = 0 };
	struct lp_error err;
	char doubt[256];

	if (lp_io_model_parse("input", (const char *)data, size, &model,
			      &err) == 0) {
		use(&model);
		lp_io_model_doubt(&model,
				  &(struct lp_io_trace){ .host = "node1" },
				  doubt, sizeof(doubt));
	}
	lp_io_model_done(&model);
	return 0;
}
