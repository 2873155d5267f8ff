# SPDX-License-Identifier: Apache-2.0
#
# usage: densities | Rscript densities.R
#
# Everything again, by R's own functions and by the sums as they stand.
failed <- 0
checked <- 0

check <- function(what, good) {
  checked <<- checked + length(good)
  if (!all(good)) {
    failed <<- failed + 1
    cat("differs:", what, "\n")
  }
}

near <- function(a, b, by) length(a) == length(b) && all(abs(a - b) <= by)

exact <- function(x, h, at) sapply(at, function(t) mean(dnorm(t, x, h)))
slope <- function(x, h, at)
  sapply(at, function(t) mean(-(t - x) / h^2 * dnorm(t, x, h)))

# All turning points: where the slope changes its sign on a finer grid than
# limpid's, then by uniroot.
turns <- function(x, h) {
  step <- min((diff(range(x)) + 6 * h) / 2000, h / 5)
  at <- seq(min(x) - 3 * h, max(x) + 3 * h, by = step)
  at <- at[sapply(at, function(t) any(abs(x - t) < 8 * h))]
  s <- sign(slope(x, h, at))
  at <- at[s != 0]
  s <- s[s != 0]
  where <- which(head(s, -1) * tail(s, -1) < 0)
  sapply(where, function(i)
    uniroot(function(t) slope(x, h, t), at[c(i, i + 1)], tol = 1e-12)$root)
}

check_density <- function(name, x, r) {
  h <- bw.nrd0(x) * r$adjust
  check(paste(name, "bandwidth"), near(r$bandwidth, h, 1e-12 * h))
  d <- density(x, adjust = r$adjust)
  check(paste(name, "points"), near(r$at, d$x, 1e-9))
  some <- seq(1, 512, by = if (length(x) > 3000) 7 else 1)
  sum <- exact(x, h, r$at[some])
  peak <- max(r$value)
  # To 1e-9 of the sum wherever that is a thousandth of the peak or more.
  check(paste(name, "density"),
        near(r$value[some], sum, 1e-9 * pmax(sum, 1e-3 * peak)))
  # R's own bins are finer than the bandwidth only then.
  if (diff(r$at[1:2]) < h / 4)
    check(paste(name, "density()"), near(r$value, d$y, 0.01 * peak))
  visible <- r$heights > 1e-6 * peak
  found <- turns(x, h)
  found <- found[exact(x, h, found) > 1e-6 * peak]
  # Each is one of R's; of R's only pairs within a step may be missing.
  apart <- function(a, b)
    sapply(a, function(t) if (length(b)) min(abs(t - b)) else Inf)
  check(paste(name, "extrema"),
        apart(r$extrema[visible], found) <= 1e-6 * h)
  missing <- found[apart(found, r$extrema) > 1e-6 * h]
  check(paste(name, "all extrema"),
        length(missing) == 0 ||
          (length(missing) %% 2 == 0 &&
             all(diff(missing)[seq(1, length(missing) - 1, 2)] < h / 2)))
}

# The rule of clusters, as the header says it.
check_clusters <- function(name, x, r) {
  odd <- seq(1, length(r$extrema), by = 2)
  at <- r$extrema[odd]
  height <- r$heights[odd]
  minima <- r$extrema[-odd]
  counts <- tabulate(findInterval(x, minima) + 1, length(at))
  kept <- height >= max(height) |
    (height >= 1e-6 * max(height) & counts >= 0.01 * length(x))
  which_kept <- which(kept)
  splits <- sapply(seq_along(which_kept)[-1], function(i) {
    between <- which_kept[i - 1]:(which_kept[i] - 1)
    minima[between[which.min(r$heights[-odd][between])]]
  })
  splits <- as.numeric(unlist(splits))
  check(paste(name, "peaks"), near(r$peaks, at[kept], 1e-12))
  check(paste(name, "splits"), near(r$splits, splits, 1e-12))
  check(paste(name, "counts"),
        near(r$counts, tabulate(findInterval(x, splits) + 1, sum(kept)), 0))
  h <- r$bandwidth
  matter <- kept & height >= 0.05 * max(height)
  last <- max(which(matter))
  below <- function(t) exact(x, h, t) - 0.05 * height[last]
  step <- at[last] + (0:4000) * h / 50
  first <- which(below(step) <= 0)[1]
  limit <- uniroot(below, step[first - 1:0], tol = 1e-12)$root
  check(paste(name, "limit"), near(r$limit, limit, 1e-6 * h))
  check(paste(name, "slow"), r$slow == sum(x > r$limit))
}

check_line <- function(r) {
  expected <- c(coef(lm(y ~ x, r)), coef(lm(I(y - 450) ~ 0 + x, r)),
                coef(lm(y ~ x, r, weights = w)),
                coef(lm(I(y - 450) ~ 0 + x, r, weights = w)))
  check("line", near(r$line / unname(expected), rep(1, 6), 1e-9))
}

result <- list()
input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  word <- strsplit(line, " ", fixed = TRUE)[[1]]
  if (word[1] == "case") {
    name <- word[2]
    result <- list()
  } else if (word[1] == "end") {
    if (name == "line") {
      check_line(as.list(result))
    } else {
      check_density(paste(name, "x 2"), result$x, result)
      check_clusters(name, result$x, result)
    }
  } else {
    result[[word[1]]] <- as.numeric(word[-1])
    if (word[1] == "quantiles")
      check(paste(name, "quantiles"),
            near(result$quantiles,
                 unname(quantile(result$x,
                                 c(0, 0.05, 0.25, 0.5, 0.75, 0.99, 1))),
                 1e-12))
    if (word[1] == "heights" && result$adjust == 1)
      check_density(paste(name, "x 1"), result$x, result)
  }
}
cat(checked, "checks,", failed, "differ\n")
if (failed > 0 || checked < 200) quit(status = 1)
