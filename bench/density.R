# SPDX-License-Identifier: Apache-2.0
#
# usage: Rscript density.R FILE N
#
# R's density() of the N doubles in FILE: CPU time, the best of several rounds.
args <- commandArgs(trailingOnly = TRUE)
n <- as.numeric(args[2])
x <- readBin(args[1], "double", n)
best <- Inf
for (i in 1:7) {
  invisible(gc())
  start <- proc.time()
  d <- density(x, adjust = 2)
  best <- min(best, sum((proc.time() - start)[1:2]))
}
cat(sprintf("R density() of %.0f: %.1f ms, bandwidth %.12g\n", n, best * 1e3,
            d$bw))
