/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When an illness began and ended, by the windows that showed it.
 *
 * A window is flagged when about half of it is ill: so an illness begins about
 * the middle of the first flagged window and ends about that of the last; but
 * those at the ends of the recording do not see further. A window of absence
 * has no sample at all, and counts whole.
 */
#include "diagnose/unit.h"

static int64_t half_window(const struct lp_unit *u, bool gone, int64_t step_ns)
{
	return gone ? 0 : (int64_t)(u->params.window / 2) * step_ns;
}

static uint8_t bit_of(bool gone)
{
	return gone ? LP_TRACK_ABSENT : LP_TRACK_FLAG;
}

size_t lp_mark_first(const struct lp_unit *u, size_t window, size_t peer,
		     bool gone)
{
	size_t back = 2 * u->params.k - 2, first = window;

	for (size_t w = window; w-- > 0 && w + back >= window;)
		if (*lp_unit_at(u, w, peer) & bit_of(gone))
			first = w;
	return first;
}

size_t lp_mark_count(const struct lp_unit *u, size_t first, size_t last,
		     size_t peer, bool gone)
{
	size_t n = 0;

	for (size_t w = first; w <= last; w++)
		n += !!(*lp_unit_at(u, w, peer) & bit_of(gone));
	return n;
}

int64_t lp_mark_since(const struct lp_unit *u, size_t window, size_t peer,
		      bool gone, int64_t step_ns)
{
	size_t first = lp_mark_first(u, window, peer, gone);
	int64_t half = half_window(u, gone, step_ns);

	return (first || u->dropped) && half ? u->end_ns[first] - half
					     : lp_unit_begin(u, first, step_ns);
}

int64_t lp_mark_until(const struct lp_unit *u, size_t window, size_t peer,
		      bool gone, int64_t step_ns)
{
	size_t back = 2 * u->params.k - 2, last = window;
	int64_t since = lp_mark_since(u, window, peer, gone, step_ns), until;

	if (window + 1 == u->windows &&
	    *lp_unit_at(u, window, peer) & bit_of(gone))
		return u->end_ns[window];
	while (last + back > window && last > 0 &&
	       !(*lp_unit_at(u, last, peer) & bit_of(gone)))
		last--;
	until = u->end_ns[last] - half_window(u, gone, step_ns);
	return until > since ? until : since;
}
