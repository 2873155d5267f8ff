/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the source of the page limpid-metrics(7) from the catalogue, when
 * limpid is built.
 */
#include "model/catalogue.h"

#include <stdio.h>
#include <string.h>

/* scdoc takes underscores and stars for markup. */
static void put(const char *text)
{
	for (; *text; text++) {
		if (strchr("_*\\#~[]|", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void put_head(void)
{
	puts("limpid-metrics(7)\n\n# NAME\n\n"
	     "limpid-metrics - what limpid records and what it shows\n\n"
	     "# DESCRIPTION\n\n"
	     "Everything that limpid samples belongs to a class: a block "
	     "device (_disk_), a network interface (_net_), a TCP peer "
	     "(_tcp_), an InfiniBand port (_ib_) or the host itself (_host_). "
	     "A class has columns and metrics. Columns are the kernel's "
	     "counters, as an archive stores them. Metrics are computed from "
	     "columns, and are what people read. *limpid show* shows metrics, "
	     "*limpid export* writes columns.\n\n"
	     "CSV, JSON, thresholds files and this page use limpid's name of a "
	     "metric. For disks and interfaces these are the names of sysstat "
	     "before version 12. If today's *sar*(1) has another name or "
	     "unit, tables of *limpid show* use that one, and this page gives "
	     "both. Every command accepts both names.\n\n"
	     "Δ is the increase of a counter over the interval, even if the "
	     "counter wrapped or was reset in it. s is the length of the "
	     "interval in seconds, by the real times of its two samples. For a "
	     "level (a gauge), the mean over the interval is used. Over a "
	     "longer interval, the difference over the whole interval is "
	     "used, so the result is just as exact. A value that cannot be "
	     "computed is missing, never 0.\n\n"
	     "Only metrics marked *accuses* can accuse a component. The "
	     "others are evidence.\n");
}

/* "In tables: rkB/s, in kB/s (this / 2)." */
static void put_sar(const struct lp_metric *metric)
{
	if (!metric->sar_name || strcmp(metric->sar_name, metric->name) == 0)
		return;
	printf("++\nin tables: *");
	put(metric->sar_name);
	putchar('*');
	if (metric->sar_factor != 1)
		printf(", in %s (this / %g)", metric->sar_unit,
		       1 / metric->sar_factor);
}

static void put_metric(const struct lp_class *class,
		       const struct lp_metric *metric)
{
	char text[LP_FORMULA_TEXT];
	struct lp_metric other;

	putchar('*');
	put(metric->name);
	printf("*%s%s (", metric->unit[0] ? " " : "", metric->unit);
	printf("%s%s)\n\t", lp_resource_name(metric->resource),
	       metric->indicts ? ", *accuses*" : "");
	put(metric->help);
	printf("++\n= ");
	put(lp_metric_formula(class, metric, text));
	if (lp_metric_alternative(metric, &other)) {
		printf("++\nor ");
		put(lp_metric_formula(class, &other, text));
		printf(" where only that is recorded");
	}
	put_sar(metric);
	puts("\n");
}

static void put_column(const struct lp_column *column)
{
	putchar('*');
	put(column->name);
	printf("*%s%s (%s", column->unit[0] ? " " : "", column->unit,
	       lp_kind_name(column->kind));
	if (column->width)
		printf(", %u bits", (unsigned)column->width);
	if (column->optional)
		printf(", not on every kernel");
	printf(")\n\t");
	put(column->help);
	if (column->origin) {
		printf("; from ");
		put(column->origin);
	}
	if (column->kind == LP_WEIGHTED && column->partner) {
		printf("; weighted by ");
		put(column->partner);
	}
	puts("\n");
}

static void put_class(const struct lp_class *class)
{
	printf("# CLASS %s\n\nEach sample is of one %s.\n\n## Metrics of "
	       "%s\n\n",
	       class->name, class->noun, class->name);
	for (size_t i = 0; i < class->n_metrics; i++)
		put_metric(class, &class->metrics[i]);
	printf("## Columns of %s\n\n", class->name);
	for (size_t i = 0; i < class->n_columns; i++)
		put_column(&class->columns[i]);
}

int main(void)
{
	put_head();
	for (size_t i = 0; lp_classes[i]; i++)
		put_class(lp_classes[i]);
	puts("# SEE ALSO\n\n*limpid-metrics*(1), *limpid-show*(1), "
	     "*limpid-export*(1), *sar*(1)");
	return ferror(stdout) || fflush(stdout) != 0;
}
