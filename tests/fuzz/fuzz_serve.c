/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to the live service, and its configuration. The first byte chooses:
 *
 *     c, then a configuration
 *     anything else: "METHOD PATH BODY", as of somebody who may ask
 */
#include "serve/answers.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* A service that nothing was recorded for; what it keeps is removed. */
static void with_service(char *text,
			 void (*run)(struct lp_service *service, char *text))
{
	char dir[] = "/tmp/limpid-fuzz-XXXXXX";
	struct lp_settings settings = { .paths = { dir },
					.n_paths = 1,
					.state = dir };
	struct lp_service service;
	struct lp_error err;

	if (!mkdtemp(dir) || lp_settings_check(&settings, &err) < 0 ||
	    lp_service_open(&service, &settings, NULL, NULL, &err) < 0)
		abort();
	lp_service_step(&service, 0, false, &err);
	run(&service, text);
	lp_service_close(&service);
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void parse_settings(const char *text)
{
	struct lp_settings settings = { 0 };
	struct lp_error err;

	if (lp_settings_parse(&settings, "fuzz", text, &err) == 0)
		lp_settings_check(&settings, &err);
	lp_settings_done(&settings);
}

/* Arguments are whatever stands behind the path. */
static const char *argument(void *user, const char *name)
{
	(void)name;
	return user;
}

static void ask(struct lp_service *service, char *text)
{
	char *path = strchr(text, ' ');
	char *body = path ? strchr(path + 1, ' ') : NULL;
	struct lp_request request = { .host = "localhost", .own = true };
	struct lp_reply reply;

	if (!body)
		return;
	*path = *body = '\0';
	request.method = text;
	request.path = path + 1;
	request.body = body + 1;
	request.size = strlen(body + 1);
	request.argument = argument;
	request.user = body + 1;
	if (lp_answer(service, &request, &reply) < 0)
		abort();
	if (reply.status < 200 || reply.status > 599 || !reply.body)
		abort();
	free(reply.body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (text[0] == 'c')
		parse_settings(text + 1);
	else
		with_service(text, ask);
	free(text);
	return 0;
}
