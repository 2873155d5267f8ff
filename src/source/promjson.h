/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of Prometheus's HTTP API, read as they come, byte by byte: an answer
 * of ten million samples takes no more memory than one of ten.
 *
 *   {"status":"success","data":{"resultType":"matrix","result":[
 *     {"metric":{"__name__":"node_disk_io_now","device":"sda"},
 *      "values":[[1794775514.25,"3"],[1794775529.25,"0"]]}]}}
 *   {"status":"success","data":["node_disk_io_now","node_uname_info"]}
 *   {"status":"error","errorType":"bad_data","error":"unknown function"}
 */
#ifndef LP_SOURCE_PROMJSON_H
#define LP_SOURCE_PROMJSON_H

#include "base/error.h"
#include "source/metricline.h"

/* Who gets what is read. Below 0 ends the reading, and is what feed says. */
struct lp_prom_taker {
	/* A series, whose values follow; its metric is "" if it has no name. */
	int (*series)(void *context, const struct lp_metric_series *series,
		      struct lp_error *err);
	int (*value)(void *context, int64_t time_ns, double value,
		     struct lp_error *err);
	/* An element of a list of texts. */
	int (*text)(void *context, const char *text, struct lp_error *err);
	void *context;
};

struct lp_prom_json;

/* NULL: out of memory. The taker is copied. */
struct lp_prom_json *lp_prom_json_new(const struct lp_prom_taker *taker);
void lp_prom_json_free(struct lp_prom_json *json);
/* 0; -EINVAL: it is no such answer; or what the taker said. */
int lp_prom_json_feed(struct lp_prom_json *json, const char *bytes, size_t n,
		      struct lp_error *err);
/* That was all: whether it is a whole answer, and no error. */
int lp_prom_json_finish(const struct lp_prom_json *json, struct lp_error *err);
/* What Prometheus says is wrong; "": nothing. */
const char *lp_prom_json_error(const struct lp_prom_json *json);
/* Native histograms, which stand where numbers should. */
uint64_t lp_prom_json_histograms(const struct lp_prom_json *json);

#endif
