/* SPDX-License-Identifier: Apache-2.0 */
#include "prom_http.h"

#include "base/memory.h"
#include "base/timestamp.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A server that is overloaded is asked again so often, */
#define RETRIES 4
/* after one second, two, four ..., or as long as it says, at most this. */
#define MOST_WAIT_NS (60 * LP_NS_PER_S)
#define CONNECT_MS 10000
/* Of the answer that says what is wrong. */
#define COMPLAINT 2048

enum { OK = 200, TOO_MANY = 429, TOO_LARGE = 422, UNAVAILABLE = 503 };

/* A query that is under way. */
struct transfer {
	CURL *easy;
	struct lp_prom_http *http;
	struct lp_prom_query *query; /* NULL: none */
	struct lp_prom_json *json;
	uint64_t bytes;
	char complaint[COMPLAINT];
	size_t n_complaint;
	char curl_error[CURL_ERROR_SIZE];
	int status; /* of reading the answer */
	struct lp_error err;
	unsigned attempts;
	int64_t again_ns; /* when to ask again; 0: it is under way */
};

struct lp_prom_http {
	char *url;
	const struct lp_prom_settings *settings;
	CURLM *multi;
	struct curl_slist *headers;
	struct transfer *transfers; /* max_queries */
	uint64_t bytes, histograms;
};

uint64_t lp_prom_http_bytes(const struct lp_prom_http *http)
{
	return http->bytes;
}

uint64_t lp_prom_http_histograms(const struct lp_prom_http *http)
{
	return http->histograms;
}

/* ---- settings ---- */

static int check_url(const char *url, struct lp_error *err)
{
	const char *host = strstr(url, "://"), *at;

	if (!host || (strncmp(url, "http://", 7) != 0 &&
		      strncmp(url, "https://", 8) != 0))
		return lp_fail(
			err, EINVAL,
			"expected http://HOST:PORT or https://HOST:PORT");
	at = strchr(host + 3, '@');
	if (at && at < host + 3 + strcspn(host + 3, "/"))
		return lp_fail(err, EINVAL,
			       "the address holds a user; use the settings "
			       "user and password-file");
	if (strpbrk(url, "?#"))
		return lp_fail(err, EINVAL,
			       "the address must have no ? and no #");
	return 0;
}

static int add_header(struct lp_prom_http *http, const char *line)
{
	struct curl_slist *longer = curl_slist_append(http->headers, line);

	if (!longer)
		return -ENOMEM;
	http->headers = longer;
	return 0;
}

static int add_headers(struct lp_prom_http *http)
{
	const struct lp_prom_settings *settings = http->settings;
	lp_auto_free char *token = NULL;

	if (settings->token &&
	    asprintf(&token, "Authorization: Bearer %s", settings->token) < 0) {
		token = NULL;
		return -ENOMEM;
	}
	if (token && add_header(http, token) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < settings->n_headers; i++)
		if (add_header(http, settings->headers[i]) < 0)
			return -ENOMEM;
	return 0;
}

int lp_prom_http_new(const char *url, const struct lp_prom_settings *settings,
		     struct lp_prom_http **http, struct lp_error *err)
{
	struct lp_prom_http *made;
	size_t n = strlen(url);
	int status = check_url(url, err);

	if (status < 0)
		return status;
	while (n > 0 && url[n - 1] == '/')
		n--;
	made = calloc(1, sizeof(*made));
	if (!made || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
		free(made);
		return lp_fail_memory(err);
	}
	made->settings = settings;
	made->url = strndup(url, n);
	made->multi = curl_multi_init();
	made->transfers =
		calloc(settings->max_queries, sizeof(*made->transfers));
	if (!made->url || !made->multi || !made->transfers ||
	    add_headers(made) < 0) {
		lp_prom_http_free(made);
		return lp_fail_memory(err);
	}
	*http = made;
	return 0;
}

static void end_transfer(struct transfer *t)
{
	if (t->easy) {
		curl_multi_remove_handle(t->http->multi, t->easy);
		curl_easy_cleanup(t->easy);
	}
	lp_prom_json_free(t->json);
	t->easy = NULL;
	t->json = NULL;
	t->query = NULL;
}

void lp_prom_http_free(struct lp_prom_http *http)
{
	if (!http)
		return;
	for (size_t i = 0; http->transfers && i < http->settings->max_queries;
	     i++)
		end_transfer(&http->transfers[i]);
	curl_slist_free_all(http->headers);
	curl_multi_cleanup(http->multi);
	curl_global_cleanup();
	free(http->transfers);
	free(http->url);
	free(http);
}

char *lp_prom_http_escape(const char *text)
{
	char *escaped = curl_easy_escape(NULL, text, 0), *copy;

	copy = escaped ? strdup(escaped) : NULL;
	curl_free(escaped);
	return copy;
}

/* ---- one query ---- */

static long code_of(const struct transfer *t)
{
	long code = 0;

	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &code);
	return code;
}

/* Bytes of the answer; 0 ends it. */
static size_t take_bytes(char *bytes, size_t size, size_t n, void *context)
{
	struct transfer *t = context;

	n *= size;
	t->bytes += n;
	t->http->bytes += n;
	if (t->bytes > t->http->settings->max_bytes) {
		t->status = lp_fail(
			&t->err, E2BIG,
			"an answer is larger than %llu bytes "
			"(setting max-bytes)",
			(unsigned long long)t->http->settings->max_bytes);
		return 0;
	}
	if (code_of(t) != OK) {
		size_t room = COMPLAINT - t->n_complaint;

		room = n < room ? n : room;
		memcpy(t->complaint + t->n_complaint, bytes, room);
		t->n_complaint += room;
		return n;
	}
	t->status = lp_prom_json_feed(t->json, bytes, n, &t->err);
	return t->status < 0 ? 0 : n;
}

static void set_security(CURL *easy, const struct lp_prom_settings *settings)
{
	if (settings->user) {
		curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
		curl_easy_setopt(easy, CURLOPT_USERNAME, settings->user);
		curl_easy_setopt(easy, CURLOPT_PASSWORD,
				 settings->password ? settings->password : "");
	}
	if (settings->cert) {
		curl_easy_setopt(easy, CURLOPT_SSLCERT, settings->cert);
		curl_easy_setopt(easy, CURLOPT_SSLKEY, settings->key);
	}
	if (settings->ca)
		curl_easy_setopt(easy, CURLOPT_CAINFO, settings->ca);
	if (settings->insecure) {
		curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
	}
}

static int set_up(struct transfer *t)
{
	struct lp_prom_http *http = t->http;
	long ms = (long)(http->settings->timeout_ns / LP_NS_PER_MS);
	lp_auto_free char *url = NULL;
	CURL *easy = t->easy;

	if (asprintf(&url, "%s%s", http->url, t->query->path) < 0) {
		url = NULL;
		return -ENOMEM;
	}
	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, http->headers);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "limpid/" LIMPID_VERSION);
	curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, ms);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
			 ms < CONNECT_MS ? ms : (long)CONNECT_MS);
	/* A password goes to no other host; curl sees to that. */
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION,
			 http->settings->redirects ? 1L : 0L);
	curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 5L);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->curl_error);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
	set_security(easy, http->settings);
	return 0;
}

/* Ask, for the first time or again. */
static int begin(struct transfer *t, struct lp_error *err)
{
	if (t->easy)
		curl_multi_remove_handle(t->http->multi, t->easy);
	else
		t->easy = curl_easy_init();
	lp_prom_json_free(t->json);
	t->json = lp_prom_json_new(&t->query->taker);
	t->bytes = 0;
	t->n_complaint = 0;
	t->again_ns = 0;
	t->status = 0;
	t->curl_error[0] = '\0';
	if (!t->easy || !t->json || set_up(t) < 0 ||
	    curl_multi_add_handle(t->http->multi, t->easy) != CURLM_OK)
		return lp_fail_memory(err);
	return 0;
}

/* ---- how it ended ---- */

/* What the body of a refusal says. */
static const char *complaint_of(struct transfer *t)
{
	struct lp_error ignored;

	lp_prom_json_feed(t->json, t->complaint, t->n_complaint, &ignored);
	return lp_prom_json_error(t->json);
}

static int redirected(const struct transfer *t, long code, struct lp_error *err)
{
	char *where = NULL;

	curl_easy_getinfo(t->easy, CURLINFO_REDIRECT_URL, &where);
	return lp_fail(err, EACCES,
		       "the server redirects (%ld) to %.100s; use that "
		       "address, or the setting redirects=yes",
		       code, where ? where : "nowhere");
}

static int refused(struct transfer *t, long code, struct lp_error *err)
{
	static const struct {
		long code;
		const char *what;
	} codes[] = {
		{ 400, "400 Bad Request" },
		{ 401, "401 Unauthorized: give a token (setting token-file) or "
		       "a user (user, password-file)" },
		{ 403, "403 Forbidden" },
		{ 404, "404 Not Found: is this the address of a Prometheus?" },
		{ TOO_LARGE, "422: the query cannot be done" },
		{ TOO_MANY, "429 Too Many Requests, after several attempts" },
		{ UNAVAILABLE, "503 Service Unavailable, after several "
			       "attempts" },
	};
	const char *said = complaint_of(t), *what = NULL;

	if (code >= 300 && code < 400)
		return redirected(t, code, err);
	for (size_t i = 0; i < lp_array_size(codes); i++)
		if (codes[i].code == code)
			what = codes[i].what;
	if (!what)
		return lp_fail(err, EIO, "the server answers %ld%s%.150s", code,
			       *said ? ": " : "", said);
	/* "query processing would load too many samples into memory" */
	return lp_fail(err, code == TOO_LARGE ? E2BIG : EIO,
		       "the server answers %s%s%.150s", what, *said ? ": " : "",
		       said);
}

static int failed(const struct transfer *t, CURLcode code, struct lp_error *err)
{
	switch (code) {
	case CURLE_OPERATION_TIMEDOUT:
		return lp_fail(err, ETIMEDOUT,
			       "no whole answer within %.3g s (setting "
			       "timeout)",
			       (double)t->http->settings->timeout_ns / 1e9);
	case CURLE_PARTIAL_FILE:
	case CURLE_GOT_NOTHING:
	case CURLE_RECV_ERROR:
		return lp_fail(err, EIO, "the answer is cut off");
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		return lp_fail(err, EACCES,
			       "the server's certificate is not trusted "
			       "(setting ca): %.150s",
			       t->curl_error[0] ? t->curl_error
						: curl_easy_strerror(code));
	default:
		return lp_fail(err, EIO, "%.200s",
			       t->curl_error[0] ? t->curl_error
						: curl_easy_strerror(code));
	}
}

/* Whether to ask again, and when. */
static bool wants_again(struct transfer *t, long code)
{
	curl_off_t after_s = 0;
	int64_t wait_ns = LP_NS_PER_S << t->attempts;

	if ((code != TOO_MANY && code != UNAVAILABLE) || t->attempts == RETRIES)
		return false;
	curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &after_s);
	if (after_s > 0)
		wait_ns = after_s < MOST_WAIT_NS / LP_NS_PER_S
				  ? after_s * LP_NS_PER_S
				  : MOST_WAIT_NS;
	t->attempts++;
	t->again_ns = lp_time_now() + wait_ns;
	return true;
}

static int ended(struct transfer *t, CURLcode code, struct lp_error *err)
{
	long answer = code_of(t);
	int status;

	if (t->status < 0)
		return lp_fail(err, -t->status, "%s", t->err.text);
	if (code != CURLE_OK)
		return failed(t, code, err);
	if (wants_again(t, answer)) {
		curl_multi_remove_handle(t->http->multi, t->easy);
		return 0;
	}
	if (answer != OK)
		return refused(t, answer, err);
	status = lp_prom_json_finish(t->json, err);
	t->http->histograms += lp_prom_json_histograms(t->json);
	end_transfer(t);
	return status;
}

/* ---- all queries ---- */

static int end_some(struct lp_prom_http *http, struct lp_error *err)
{
	CURLMsg *message;
	int left, status = 0;

	while (status == 0 &&
	       (message = curl_multi_info_read(http->multi, &left))) {
		CURLcode code = message->data.result;
		struct transfer *t;

		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &t);
		status = ended(t, code, err);
	}
	return status;
}

/* Give free places the next queries, and those that wait another try. */
static int begin_some(struct lp_prom_http *http, struct lp_prom_query *queries,
		      size_t n, size_t *next, struct lp_error *err)
{
	int64_t now_ns = lp_time_now();
	int status = 0;

	for (size_t i = 0; i < http->settings->max_queries && status == 0;
	     i++) {
		struct transfer *t = &http->transfers[i];

		if (!t->query && *next < n) {
			*t = (struct transfer){ .http = http,
						.query = &queries[*next] };
			++*next;
			status = begin(t, err);
		} else if (t->query && t->again_ns && now_ns >= t->again_ns) {
			status = begin(t, err);
		}
	}
	return status;
}

static bool is_busy(const struct lp_prom_http *http)
{
	for (size_t i = 0; i < http->settings->max_queries; i++)
		if (http->transfers[i].query)
			return true;
	return false;
}

int lp_prom_http_run(struct lp_prom_http *http, struct lp_prom_query *queries,
		     size_t n, struct lp_error *err)
{
	size_t next = 0;
	int running, status = begin_some(http, queries, n, &next, err);

	while (status == 0 && is_busy(http)) {
		size_t before = next;

		if (curl_multi_perform(http->multi, &running) != CURLM_OK)
			status = lp_fail(err, EIO, "libcurl failed");
		if (status == 0)
			status = end_some(http, err);
		if (status == 0)
			status = begin_some(http, queries, n, &next, err);
		if (status == 0 && next == before && is_busy(http))
			curl_multi_poll(http->multi, NULL, 0, 100, NULL);
	}
	for (size_t i = 0; i < http->settings->max_queries; i++)
		end_transfer(&http->transfers[i]);
	return status;
}
