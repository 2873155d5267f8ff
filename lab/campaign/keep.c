/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is kept of a run beside its truth, small enough to be kept for good.
 */
#include "base/memory.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/process.h"
#include "base/timestamp.h"
#include "campaign/log.h"
#include "campaign/runs.h"
#include "campaign/trial.h"
#include "driver/common.h"
#include "driver/driver.h"
#include "site/machine.h"
#include "workload/worklog.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- throughput.tsv ---- */

static void put_header(const struct lab *lab, FILE *out)
{
	const struct lab_node *client;

	fputs("second\tbytes\toperations", out);
	for (size_t i = 0; (client = lab_nth(lab, LAB_CLIENT, i)); i++)
		fprintf(out, "\t%s", client->name);
	fputc('\n', out);
}

/* Each client's seconds, one client after the other. */
static int sum_clients(const struct lab *lab, const char *log_dir,
		       int64_t since_ns, struct lab_moved *each, size_t n,
		       struct lp_error *err)
{
	const struct lab_node *client;
	int status = 0;

	for (size_t i = 0;
	     status == 0 && (client = lab_nth(lab, LAB_CLIENT, i)); i++)
		status = lab_worklog_seconds(log_dir, client->name, since_ns,
					     each + i * n, n, err);
	return status;
}

static void put_seconds(FILE *out, const struct lab_moved *each, size_t n,
			size_t clients)
{
	for (size_t s = 0; s < n; s++) {
		struct lab_moved all = { 0 };

		for (size_t i = 0; i < clients; i++) {
			all.bytes += each[i * n + s].bytes;
			all.operations += each[i * n + s].operations;
		}
		fprintf(out, "%zu\t%.0f\t%.1f", s, all.bytes, all.operations);
		for (size_t i = 0; i < clients; i++)
			fprintf(out, "\t%.0f", each[i * n + s].bytes);
		fputc('\n', out);
	}
}

/*
 * What the processes moved in each second since the start of the run. Not a
 * CSV: limpid takes every CSV of a run for a recording.
 */
int lab_throughput_write(const struct lab *lab, const char *log_dir,
			 const char *dir, int64_t since_ns, int64_t until_ns,
			 struct lp_error *err)
{
	size_t n = (size_t)((until_ns - since_ns) / LP_NS_PER_S);
	size_t clients = lab->spec.clients;
	lp_auto_free struct lab_moved *each =
		calloc(n * clients + 1, sizeof(*each));
	struct lp_outfile file;
	char path[PATH_MAX];
	int status = each ? sum_clients(lab, log_dir, since_ns, each, n, err)
			  : lp_fail_memory(err);

	if (status == 0)
		status = lab_path(path, err, "%s/throughput.tsv", dir);
	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	put_header(lab, file.out);
	put_seconds(file.out, each, n, clients);
	return lp_outfile_commit(&file, err);
}

/* ---- recording.limpid ---- */

/* limpid: beside this program, or in bin/ of where it is installed. */
static int limpid_path(char path[PATH_MAX], struct lp_error *err)
{
	static const char *const places[] = { "limpid", "../cmd/limpid",
					      "../../bin/limpid" };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		slash[1] = '\0';
	for (size_t i = 0; i < lp_array_size(places); i++)
		if (lab_path(path, err, "%s%s", self, places[i]) == 0 &&
		    access(path, X_OK) == 0)
			return 0;
	return lab_path(path, err, "limpid");
}

static int join_files(char **archives, size_t n, const char *to,
		      struct lp_error *err)
{
	lp_auto_free const char **argv = calloc(n + 6, sizeof(*argv));
	struct lp_process *process;
	char limpid[PATH_MAX];
	int status = argv ? limpid_path(limpid, err) : lp_fail_memory(err);

	if (status < 0)
		return status;
	argv[0] = limpid;
	argv[1] = "archive";
	argv[2] = "compact";
	argv[3] = "-o";
	argv[4] = to;
	memcpy(argv + 5, archives, n * sizeof(*argv));
	status = lp_process_open(argv, "limpid", &process, err);
	return status < 0 ? status : lp_process_finish(process, err);
}

int lab_archive_join(const char *from, const char *dir, struct lp_error *err)
{
	char pattern[PATH_MAX], to[PATH_MAX];
	glob_t found = { 0 };
	int status = lab_path(pattern, err, "%s/*.limpid", from);

	if (status == 0)
		status = lab_path(to, err, "%s/recording.limpid", dir);
	if (status == 0 && glob(pattern, 0, NULL, &found) != 0)
		status = lp_fail(err, ENODATA,
				 "%s: the recorders wrote nothing", from);
	if (status == 0)
		status = join_files(found.gl_pathv, found.gl_pathc, to, err);
	globfree(&found);
	return status;
}

/* ---- log.txt ---- */

/* Every file below `from`, named by its path there. */
static void filter_logs(struct lab_log *log, const char *from,
			const char *below, FILE *out)
{
	char path[PATH_MAX], name[PATH_MAX];
	struct dirent **list;
	int n;

	if (lab_path(path, NULL, "%s/%s", from, below) < 0)
		return;
	n = scandir(path, &list, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *own = list[i]->d_name;

		if (own[0] != '.' &&
		    lab_path(name, NULL, "%s%s%s", below, *below ? "/" : "",
			     own) == 0 &&
		    lab_path(path, NULL, "%s/%s", from, name) == 0) {
			lp_auto_fclose FILE *in = fopen(path, "re");
			struct stat st;

			if (in && fstat(fileno(in), &st) == 0 &&
			    S_ISDIR(st.st_mode))
				filter_logs(log, from, name, out);
			else if (in)
				lab_log_filter(log, name, in, out);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

int lab_logs_write(const struct lab_bench *bench, const char *dir,
		   struct lab_log *log, struct lp_error *err)
{
	const struct lab_driver *driver =
		lab_driver_find(bench->lab->spec.driver);
	char logs[PATH_MAX], path[PATH_MAX];
	struct lp_outfile file;
	int status = lab_path(logs, err, "%s/logs", dir);

	if (status == 0)
		status = lab_path(path, err, "%s/log.txt", dir);
	if (status == 0 && mkdir(logs, 0777) < 0)
		status = lp_fail_errno(err, errno, "cannot make %s", logs);
	if (status == 0 && driver)
		status = lab_copy_logs(bench->lab, driver->logs, logs, err);
	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status == 0) {
		log->missed = driver ? driver->missed : NULL;
		filter_logs(log, logs, "", file.out);
		status = lp_outfile_commit(&file, err);
	}
	lab_runs_remove(logs);
	return status;
}
