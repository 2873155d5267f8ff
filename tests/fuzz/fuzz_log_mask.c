/* SPDX-License-Identifier: Apache-2.0 */
/* Templates: the hash of a line is that of any line with the same text. */
#include "logs/template/mask.h"
#include "logs/template/templates.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_log_line line = {
		.format = &lp_log_format_generic,
		.message = { (const char *)data, size },
	};
	struct lp_log_templates templates = { 0 };
	char text[LP_LOG_TEMPLATE_MOST];

	if (lp_log_mask_text(&line, text) != strlen(text) ||
	    lp_log_mask_hash(&line) == 0)
		abort();
	/* A template per line of it, so that some are joined. */
	while (size > 0) {
		const char *at = line.message.at;
		const char *end = memchr(at, '\n', size);

		line.message.n = end ? (size_t)(end - at) : size;
		lp_log_templates_of(&templates, &line);
		size -= line.message.n + (end != NULL);
		line.message.at = end ? end + 1 : at + line.message.n;
	}
	lp_log_templates_done(&templates);
	return 0;
}
