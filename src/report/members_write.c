/* SPDX-License-Identifier: Apache-2.0 */
#include "report/members.h"

static void write_texts(struct lp_json *json, const char *const *texts,
			size_t n)
{
	lp_json_array(json);
	for (size_t i = 0; i < n; i++)
		lp_json_string(json, texts[i]);
	lp_json_end(json);
}

static void write_member(struct lp_json *json, const struct lp_member *m,
			 const char *fields)
{
	const void *at = fields + m->offset;

	lp_json_key(json, m->key);
	switch (m->type) {
	case LP_MEMBER_TEXT:
	case LP_MEMBER_TEXT_OR:
		lp_json_string(json, *(const char *const *)at);
		break;
	case LP_MEMBER_NUMBER:
		lp_json_exact(json, *(const double *)at);
		break;
	case LP_MEMBER_COUNT:
		lp_json_u64(json, *(const size_t *)at);
		break;
	case LP_MEMBER_FLAG:
		lp_json_bool(json, *(const bool *)at);
		break;
	case LP_MEMBER_TIME:
		lp_json_time(json, *(const int64_t *)at);
		break;
	case LP_MEMBER_NS:
		lp_json_i64(json, *(const int64_t *)at);
		break;
	case LP_MEMBER_TEXTS:
		write_texts(json, *(const char *const *const *)at,
			    *(const size_t *)(fields + m->count));
		break;
	}
}

void lp_members_write(struct lp_json *json, const struct lp_member *members,
		      size_t n, const void *fields)
{
	for (size_t i = 0; i < n; i++)
		write_member(json, &members[i], fields);
}
