/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The example by which Kunkel 2015, 3, explains the method, as a picture: two
 * Gamma processes, of shape 1 and 10, each half of the operations, and Gaussian
 * noise with mean 5 and deviation 1 on both.
 *
 *     ninja -C build bench/io_figure
 *     build/bench/io_figure >docs/images/io-factors.svg
 */
#include "io/model/clusters.h"
#include "io/report/io_figures.h"
#include "io/report/io_words.h"
#include "report/svg.h"
#include "stats/random.h"

#include <math.h>
#include <stdio.h>

#define OPERATIONS 1000
#define SEED 3

struct toy {
	double number[OPERATIONS], log_ns[OPERATIONS], decades[OPERATIONS];
	bool slow[OPERATIONS];
};

static void make(struct toy *toy)
{
	struct lp_random r;

	lp_random_init(&r, SEED, 0);
	for (size_t i = 0; i < OPERATIONS; i++) {
		double s = 5 + lp_random_normal(&r);

		toy->slow[i] = lp_random_uniform(&r) < 0.5;
		for (int k = 0; k < (toy->slow[i] ? 10 : 1); k++)
			s += lp_random_exponential(&r);
		toy->number[i] = (double)i;
		toy->log_ns[i] = log(1e9 * fmax(s, 0.1));
		toy->decades[i] = toy->log_ns[i] / M_LN10;
	}
}

static const char *time_name(double v, char text[LP_SVG_NAME])
{
	return lp_io_time_text(pow(10, v), text);
}

static void put_dots(const struct toy *toy, const struct lp_svg_chart *chart,
		     bool slow, const char *css, const char *name)
{
	double x[OPERATIONS], y[OPERATIONS];
	size_t n = 0;

	for (size_t i = 0; i < OPERATIONS; i++)
		if (toy->slow[i] == slow) {
			x[n] = toy->number[i];
			y[n++] = toy->decades[i];
		}
	lp_svg_dots(stdout, chart, css, name, x, y, n);
}

static void draw_durations(const struct toy *toy)
{
	struct lp_svg_chart chart = {
		.id = 1,
		.title = "Durations",
		.description = "A thousand operations, each by one of two "
			       "processes.",
		.kind = "durations",
		.height = 260,
		.x = { 0, OPERATIONS },
		.y = { 9.3, 10.6 },
		.x_label = "operation",
		.y_label = "duration",
		.y_name = time_name,
	};

	lp_svg_open(stdout, &chart);
	put_dots(toy, &chart, false, "dots f0", "shape 1");
	put_dots(toy, &chart, true, "dots f1", "shape 10");
	lp_svg_close(stdout, &chart);
}

static const char style[] =
	"text{font:11px sans-serif;fill:#545d6b}.label{fill:#1a1f27}"
	".end,.ty{text-anchor:end}.tx{text-anchor:middle}"
	".grid{stroke:#d9dde3}.plot path{fill:none;"
	"vector-effect:non-scaling-stroke;stroke-linecap:round}"
	"path.dots{stroke-width:3;opacity:.75}.f0{stroke:#2f6fb7}"
	".f1{stroke:#2a8f54}path.curve{stroke:#2f3945;stroke-width:2}"
	"path.split{stroke:#545d6b;stroke-dasharray:2 3}"
	".span{fill:#ffd9a0;opacity:.5}.chart{overflow:visible}";

int main(void)
{
	static struct toy toy;
	struct lp_io_clusters clusters;

	make(&toy);
	if (lp_io_clusters_init(&clusters, toy.log_ns, OPERATIONS) < 0)
		return 1;
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" "
	       "height=\"350\"><style>%s</style>"
	       "<rect width=\"960\" height=\"350\" fill=\"#fff\"/>\n"
	       "<svg x=\"60\" y=\"30\" width=\"390\" height=\"310\" "
	       "overflow=\"visible\">\n",
	       style);
	draw_durations(&toy);
	puts("</svg><svg x=\"540\" y=\"30\" width=\"390\" height=\"310\" "
	     "overflow=\"visible\">");
	lp_io_draw_density(stdout, 2, "Density", &clusters, NULL, 0, 0);
	puts("</svg></svg>");
	lp_io_clusters_done(&clusters);
	return 0;
}
