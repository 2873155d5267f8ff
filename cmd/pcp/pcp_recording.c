/* SPDX-License-Identifier: Apache-2.0 */
#include "pcp_recording.h"

#include "pcp_metric.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct recording {
	const struct lp_pcp_request *request;
	struct lp_pcp_sink *sink;
	struct lp_pcp_metrics metrics;
	/* The metrics of the current record, by its order. */
	struct lp_pcp_metric **current;
	size_t current_capacity;
	int64_t time_ns; /* of the current record */
	bool anew;       /* after a mark: instances may have other names */
	uint64_t records;
	char *lost; /* LP_PCP_LOST bytes: where the archive breaks off */
};

static int64_t to_ns(const struct timespec *time)
{
	return (int64_t)time->tv_sec * LP_NS_PER_S + time->tv_nsec;
}

/* libpcp's own words for its codes, which are errnos too. */
static int fail_pcp(struct lp_error *err, int code, const char *archive,
		    const char *what)
{
	char words[PM_MAXERRMSGLEN];

	return lp_fail(err, EIO, "%s: %s: %s", archive, what,
		       pmErrStr_r(code, words, sizeof(words)));
}

/* What agents write where they do not know, or there is none (lo). */
static bool says_nothing(const char *text)
{
	return text[0] == '\0' || strcmp(text, "unknown") == 0 ||
	       strcmp(text, "00:00:00:00:00:00") == 0;
}

static int set_label(struct recording *recording,
		     const struct lp_pcp_metric *metric,
		     struct lp_pcp_series *series, const char *text)
{
	const struct lp_pcp_rule *rule = metric->rule;
	char label[256];

	if (says_nothing(text))
		return 0;
	snprintf(label, sizeof(label), "%s%s", rule->prefix ? rule->prefix : "",
		 text);
	return lp_pcp_label(recording->sink, series, rule->to, label);
}

static int take_text(struct recording *recording,
		     const struct lp_pcp_metric *metric,
		     struct lp_pcp_series *series, const char *text)
{
	switch (metric->rule->target) {
	case LP_PCP_LABEL:
		return set_label(recording, metric, series, text);
	case LP_PCP_PEER:
		lp_pcp_set(recording->sink, series, metric->column, 1);
		return lp_pcp_socket_peer(series, text);
	case LP_PCP_STATE:
		lp_pcp_socket_state(series, text);
		return 0;
	default:
		return 0;
	}
}

/* Scaled, and as the column's type wants it. */
static uint64_t scaled(const struct lp_pcp_metric *metric, uint64_t bits,
		       bool real)
{
	double d;

	if (!real && !metric->real)
		return lp_pcp_scale_u64(&metric->scale, bits);
	d = real ? lp_bits_double(bits) : (double)bits;
	d = lp_pcp_scale_f64(&metric->scale, d);
	if (metric->real)
		return lp_double_bits(d);
	return d < 0x1p63 ? (uint64_t)llrint(d) : 0;
}

static int take_number(struct recording *recording,
		       const struct lp_pcp_metric *metric,
		       struct lp_pcp_series *series, uint64_t value)
{
	char text[LP_NUMBER_TEXT];

	switch (metric->rule->target) {
	case LP_PCP_LABEL:
		snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
		return set_label(recording, metric, series, text);
	case LP_PCP_BOOTTIME:
		lp_pcp_sink_booted(recording->sink,
				   (int64_t)value * LP_NS_PER_S);
		return 0;
	case LP_PCP_UPTIME:
		lp_pcp_sink_booted(recording->sink,
				   recording->time_ns - (int64_t)value);
		return 0;
	case LP_PCP_VIRTUAL:
		/* A bridge is virtual as well: which of them its name tells. */
		return lp_pcp_label(recording->sink, series,
				    value ? "virtual" : "layer",
				    value ? "1" : "port");
	default:
		return 0;
	}
}

/* The agent writes 0 where a socket has no slow-start threshold yet. */
static bool is_unset(const struct lp_pcp_metric *metric, uint64_t bits)
{
	return metric->family->sockets && bits == 0 && metric->real;
}

static int take_value(struct recording *recording,
		      const struct lp_pcp_metric *metric,
		      struct lp_pcp_series *series, int format,
		      const pmValue *value)
{
	const char *text;
	uint64_t bits;
	bool real;

	if (!series && metric->family->class)
		return 0;
	if (lp_pcp_value(metric->desc.type, format, value, &bits, &real)) {
		bits = scaled(metric, bits, real);
		if (metric->rule->target != LP_PCP_COLUMN)
			return take_number(recording, metric, series, bits);
		if (!is_unset(metric, bits))
			lp_pcp_set(recording->sink, series, metric->column,
				   bits);
		return 0;
	}
	text = lp_pcp_text(metric->desc.type, format, value);
	return text ? take_text(recording, metric, series, text) : 0;
}

static int take_metric(struct recording *recording,
		       struct lp_pcp_metric *metric, const pmValueSet *values)
{
	int status;

	if (!metric->rule || values->numval <= 0)
		return 0;
	status = lp_pcp_metric_slots(metric, values, recording->anew,
				     recording->sink);
	for (int i = 0; status == 0 && i < values->numval; i++)
		status = take_value(recording, metric, metric->slots[i].series,
				    values->valfmt, &values->vlist[i]);
	metric->tick = lp_pcp_sink_tick(recording->sink);
	return status;
}

/* Find the metrics; *fresh when one is in the current tick already. */
static int find_metrics(struct recording *recording,
			const pmHighResResult *record, bool *any, bool *fresh)
{
	uint64_t tick = lp_pcp_sink_tick(recording->sink);

	*any = *fresh = false;
	if (lp_grow(&recording->current, &recording->current_capacity,
		    (size_t)record->numpmid, sizeof(*recording->current)) < 0)
		return -ENOMEM;
	for (int i = 0; i < record->numpmid; i++) {
		struct lp_pcp_metric *metric = lp_pcp_metrics_get(
			&recording->metrics, record->vset[i]->pmid,
			recording->sink);

		if (!metric)
			return -ENOMEM;
		recording->current[i] = metric;
		if (!metric->rule)
			continue;
		*any = true;
		if (metric->tick == tick)
			*fresh = true;
	}
	return 0;
}

static int take_record(struct recording *recording,
		       const pmHighResResult *record, struct lp_error *err)
{
	bool any, fresh;
	int status;

	recording->time_ns = to_ns(&record->timestamp);
	if (record->numpmid == 0) {
		recording->anew = true;
		return lp_pcp_sink_mark(recording->sink, recording->time_ns,
					err);
	}
	recording->records++;
	if (find_metrics(recording, record, &any, &fresh) < 0)
		return lp_fail_memory(err);
	if (!any)
		return 0;
	status =
		lp_pcp_sink_at(recording->sink, recording->time_ns, fresh, err);
	if (status < 0)
		return status;
	for (int i = 0; status == 0 && i < record->numpmid; i++)
		status = take_metric(recording, recording->current[i],
				     record->vset[i]);
	return status < 0 ? lp_fail_memory(err) : 0;
}

/* A crash cuts archives off: what is before it is as good as ever. */
static int break_off(struct recording *recording, int code,
		     struct lp_error *err)
{
	char words[PM_MAXERRMSGLEN], when[LP_TIME_TEXT];

	pmErrStr_r(code, words, sizeof(words));
	if (recording->records == 0)
		return lp_fail(err, EIO,
			       "%s: damaged in its first record: %s "
			       "('pmlogcheck' says where)",
			       recording->request->archive, words);
	snprintf(recording->lost, LP_PCP_LOST, "cut off after %s (%s)",
		 lp_time_format(recording->time_ns, when), words);
	return 0;
}

static int take_all(struct recording *recording, struct lp_error *err)
{
	int64_t until_ns = recording->request->until_ns;
	pmHighResResult *record;
	int status = 0;

	while (status == 0) {
		int code = pmFetchHighResArchive(&record);

		if (code == PM_ERR_EOL)
			return 0;
		if (code < 0)
			return break_off(recording, code, err);
		if (to_ns(&record->timestamp) > until_ns) {
			pmFreeHighResResult(record);
			return 0;
		}
		status = take_record(recording, record, err);
		pmFreeHighResResult(record);
	}
	return status;
}

static int set_start(const struct recording *recording, int64_t begin_ns,
		     struct lp_error *err)
{
	const struct lp_pcp_request *request = recording->request;
	int64_t since_ns =
		request->since_ns > begin_ns ? request->since_ns : begin_ns;
	struct timespec start = {
		.tv_sec = since_ns / LP_NS_PER_S,
		.tv_nsec = since_ns % LP_NS_PER_S,
	};
	struct timespec every_record = { 0 };
	int code = pmSetModeHighRes(PM_MODE_FORW, &start, &every_record);

	return code < 0 ? fail_pcp(err, code, request->archive,
				   "cannot begin to read")
			: 0;
}

static int require_values(const struct recording *recording,
			  struct lp_error *err)
{
	const char *archive = recording->request->archive;

	if (recording->records == 0 &&
	    (recording->request->since_ns != LP_TIME_MIN ||
	     recording->request->until_ns != LP_TIME_MAX))
		return 0; /* of another day */
	if (recording->records == 0)
		return lp_fail(err, ENODATA,
			       "%s: no samples in this PCP archive", archive);
	if (lp_pcp_sink_values(recording->sink) == 0)
		return lp_fail(err, ENODATA,
			       "%s: this PCP archive has none of the metrics "
			       "that limpid knows (disk.dev, disk.dm, "
			       "network.interface, kernel.all ...)",
			       archive);
	return 0;
}

/* Reads through the current context; takes over the descriptor. */
static int read_recording(struct recording *recording, struct lp_error *err)
{
	const struct lp_pcp_request *request = recording->request;
	pmHighResLogLabel label;
	const char *host = request->host;
	int status = pmGetHighResArchiveLabel(&label);

	if (status < 0) {
		close(request->fd);
		return fail_pcp(err, status, request->archive,
				"no archive label");
	}
	if (!host)
		host = label.hostname;
	status = lp_pcp_sink_open(request->fd, host, to_ns(&label.start),
				  &recording->sink, err);
	if (status < 0)
		return status;
	status = set_start(recording, to_ns(&label.start), err);
	if (status == 0)
		status = take_all(recording, err);
	if (status == 0)
		status = require_values(recording, err);
	if (status < 0)
		lp_pcp_sink_abandon(recording->sink);
	else
		status = lp_pcp_sink_finish(recording->sink, err);
	return status;
}

/* zstd came to PCP late: this libpcp may know nothing of it. */
static bool is_zstd(const char *archive)
{
	size_t n = strlen(archive);
	lp_auto_free char *meta = NULL;

	if (n > 4 && strcmp(archive + n - 4, ".zst") == 0)
		return true;
	if (asprintf(&meta, "%s.meta.zst", archive) < 0) {
		meta = NULL;
		return false;
	}
	return access(meta, F_OK) == 0;
}

static int fail_context(const char *archive, int code, struct lp_error *err)
{
	if (is_zstd(archive))
		return lp_fail(err, EIO,
			       "%s: this libpcp cannot read archives packed by "
			       "zstd; 'unzstd' the files first",
			       archive);
	if (code == -ENOENT && access(archive, F_OK) == 0)
		return lp_fail(err, EINVAL,
			       "%s: not a PCP archive, which is several files: "
			       "NAME.meta, NAME.index and NAME.0",
			       archive);
	return fail_pcp(err, code, archive, "cannot be read as a PCP archive");
}

int lp_pcp_convert(const struct lp_pcp_request *request, char lost[LP_PCP_LOST],
		   struct lp_error *err)
{
	struct recording recording = { .request = request, .lost = lost };
	int context = pmNewContext(PM_CONTEXT_ARCHIVE, request->archive);
	int status;

	lost[0] = '\0';
	if (context < 0) {
		close(request->fd);
		return fail_context(request->archive, context, err);
	}
	status = read_recording(&recording, err);
	lp_pcp_metrics_done(&recording.metrics);
	free(recording.current);
	pmDestroyContext(context);
	return status;
}
