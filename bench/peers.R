# SPDX-License-Identifier: Apache-2.0
#
# usage: Rscript peers.R FILE N [FILE N]...
#
# The thesis's peer comparison as one writes it in R, on the samples of
# bench_peers: what dist() alone takes, and the whole. Each file counts twice,
# as the thesis's load has two groups of each size.
args <- commandArgs(trailingOnly = TRUE)
window <- 60
shift <- 30
smooth <- 15
threshold <- 12

cpu <- function() sum(proc.time()[1:2])

compare <- function(x) {
  spent <- 0
  flags <- 0
  means <- stats::filter(x, rep(1 / smooth, smooth), sides = 1)
  for (end in seq(window, nrow(x), by = shift)) {
    w <- means[(end - window + 1):end, ]
    v <- w[!is.na(w)]
    range <- max(v) - min(v)
    width <- 2 * IQR(v) * window^(-1 / 3)
    if (width == 0) width <- max(range / 1000, 1)
    bins <- min(1000, ceiling(range / width))
    width <- max(width, range / 1000)
    bin <- pmin(bins - 1, floor((w - min(v)) / width))
    cell <- as.vector(bin + rep(seq_len(ncol(x)) - 1, each = window) * bins)
    counts <- matrix(tabulate(cell + 1, ncol(x) * bins), nrow = bins)
    present <- colSums(!is.na(w))
    curves <- t(apply(counts, 2, cumsum)) / present
    start <- cpu()
    d <- dist(curves, method = "manhattan")
    spent <- spent + cpu() - start
    over <- rowSums(as.matrix(d) > threshold)
    flags <- flags + sum(2 * over > ncol(x) - 1)
  }
  c(spent, flags)
}

dist_s <- 0
start <- cpu()
for (k in seq(1, length(args), by = 2)) {
  n <- as.integer(args[k + 1])
  x <- matrix(readBin(args[k], "double", 1e8), ncol = n, byrow = TRUE)
  result <- compare(x)
  dist_s <- dist_s + 2 * result[1]
  cat(sprintf("R, n = %d: dist() %.2f s, %d flags\n", n, result[1],
              as.integer(result[2])))
}
cat(sprintf("R, thesis load: dist() alone %.2f s, the whole %.2f s CPU\n",
            dist_s, 2 * (cpu() - start)))
