/* SPDX-License-Identifier: Apache-2.0 */
#include "method_help.h"

#include "detect/detector.h"

#include <stdarg.h>
#include <stdio.h>

struct writer {
	char *text;
	size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *w,
						      const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(w->text + w->used, w->size - w->used, format, args);
	va_end(args);
	if (n > 0 && (size_t)n < w->size - w->used)
		w->used += (size_t)n;
}

static void put_usual(struct writer *w, bool trained)
{
	const char *between = "";

	for (size_t i = 0; lp_detectors[i]; i++) {
		const struct lp_detector *d = lp_detectors[i];

		if (!(trained ? d->usual_trained : d->usual))
			continue;
		put(w, "%s%s", between, d->name);
		between = ",";
	}
}

const char *lp_help_of_methods(char *text, size_t size)
{
	char names[LP_DETECTORS_TEXT];
	struct writer w = { text, size, 0 };

	put(&w, "%s (default: ", lp_detector_names(names));
	put_usual(&w, false);
	put(&w, "; for trained thresholds ");
	put_usual(&w, true);
	put(&w, ")");
	return text;
}

/* Those of one role have options of their own. */
const char *lp_help_of_threshold(char *text, size_t size)
{
	struct writer w = { text, size, 0 };
	const char *between = "";

	put(&w, "threshold of components that have no trained one (default: ");
	for (size_t i = 0; lp_detectors[i]; i++) {
		const struct lp_detector *d = lp_detectors[i];

		if (lp_detector_is_special(d) || !lp_detector_is_ready(d))
			continue;
		put(&w, "%s%s %g", between, d->name, d->defaults.threshold);
		between = ", ";
	}
	put(&w, ")");
	return text;
}
