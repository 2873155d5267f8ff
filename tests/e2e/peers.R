# SPDX-License-Identifier: Apache-2.0
#
# usage: peers | Rscript peers.R
#
# The peer comparison once more, written plainly from the documents (FAST'10
# 10.1, thesis 3.3, 4.6.1, 5.3, 5.8, 6.2.3) and docs/methods/peer-comparison.md,
# without a look at limpid's code: moving average, bins, histograms, distances,
# flags, votes, absence and training, each compared with what limpid printed.
tolerance <- 1e-12
compared <- 0
wrong <- 0

check <- function(what, mine, theirs) {
  compared <<- compared + length(mine)
  same <- length(mine) == length(theirs) &&
    all(is.nan(mine) == is.nan(theirs)) &&
    all(abs(mine - theirs) <= tolerance * pmax(1, abs(mine)), na.rm = TRUE)
  if (!same) {
    wrong <<- wrong + 1
    if (wrong <= 20)
      cat(what, "\n  R:     ", head(mine, 12), "\n  limpid:", head(theirs, 12),
          "\n")
  }
}

moving_average <- function(x, width) {
  x[!is.finite(x)] <- NaN
  sapply(seq_along(x), function(t) {
    v <- x[max(1, t - width + 1):t]
    v <- v[!is.nan(v)]
    if (2 * length(v) < width) NaN else sum(v) / length(v)
  })
}

cube_root <- function(w) {
  r <- w^(1 / 3)
  r - (r^3 - w) / (3 * r^2)
}

# x: samples by row, components by column.
cdf_bins <- function(x, floor, always) {
  v <- x[!is.nan(x)]
  if (length(v) == 0 || max(v) == min(v)) return(c(0, 0, 0))
  range <- max(v) - min(v)
  few <- sum(colSums(!is.nan(x)) > 0) < 5
  spread <- if (few) mad(v, constant = 1) else IQR(v, type = 7)
  width <- if (spread == 0) max(range / 1000, floor)
           else 2 * spread / cube_root(nrow(x))
  width <- max(width, always)
  if (range / width > 1000) width <- range / 1000
  c(min(v), width, min(1000, ceiling(range / width)))
}

pdf_bins <- function(x) {
  v <- x[!is.nan(x)]
  bins <- ceiling(log2(nrow(x)) + 1)
  if (length(v) == 0 || max(v) == min(v)) return(c(0, 0, 0))
  c(min(v), (max(v) - min(v)) / bins, bins)
}

histogram <- function(v, bins) {
  v <- v[!is.nan(v)]
  tabulate(pmin(bins[3] - 1, floor((v - bins[1]) / bins[2])) + 1, bins[3])
}

cdf_distance <- function(p, q) {
  sum(abs(cumsum(p) / sum(p) - cumsum(q) / sum(q)))
}

pdf_distance <- function(p, q) {
  p <- (p + 0.5) / (sum(p) + length(p) / 2)
  q <- (q + 0.5) / (sum(q) + length(q) / 2)
  (sum(p * log(p / q)) + sum(q * log(q / p))) / 2
}

# All distances, NaN where there is none.
distances <- function(counts, distance) {
  n <- length(counts)
  d <- matrix(NaN, n, n)
  has <- which(!sapply(counts, is.null))
  for (i in has) for (j in has[has > i])
    d[i, j] <- d[j, i] <- distance(counts[[i]], counts[[j]])
  d
}

# others, over, median, critical. A distance that a threshold meets exactly is
# not over it, whichever way R rounded.
summary_of <- function(d, threshold) {
  d <- d[!is.nan(d)]
  over <- sum(d - threshold > tolerance)
  if (length(d) < 2) return(c(length(d), over, NaN, NaN))
  c(length(d), over, median(d),
    sort(d, decreasing = TRUE)[floor(length(d) / 2) + 1])
}

enough <- function(v) 2 * sum(!is.nan(v)) >= length(v)

# One number a component, its distance: median, thresh, cwnd.
measure <- function(method, x) {
  if (method == "median") {
    middle <- apply(x, 1, function(v) median(v[!is.nan(v)]))
    return(apply(x, 2, function(v) if (!enough(v)) NaN else
      sum(abs(v - middle), na.rm = TRUE) * length(v) / sum(!is.nan(v))))
  }
  if (method == "thresh")
    return(apply(x, 2, function(v) if (!enough(v)) NaN else
      max(v, na.rm = TRUE)))
  v <- log2(pmax(1, x[nrow(x), ]))
  middle <- median(v[!is.nan(v)])
  if (is.na(middle) || middle <= 0) rep(NaN, length(v)) else v / middle
}

votes <- function(flags, k) {
  apply(flags, 2, function(f) sapply(seq_along(f), function(t)
    sum(f[max(1, t - 2 * k + 2):t]) >= k))
}

# The documents' way: raise (or lower) until no window is flagged; steps that
# are far too low are passed over.
train <- function(method, critical) {
  if (method == "cwnd") {
    for (step in 99:1) if (!any(critical < step / 100)) return(step / 100)
    return(0.01)
  }
  step <- max(1, floor(10 * max(critical)) - 3)
  while (any(critical > step / 10)) step <- step + 1
  2 * step / 10
}

numbers <- function(fields) as.numeric(fields)

rows_of <- function(lines, what) {
  lines <- lines[startsWith(lines, paste0(what, ","))]
  lapply(strsplit(lines, ","), function(f) numbers(f[-1]))
}

matrix_of <- function(lines, what) do.call(rbind, rows_of(lines, what))

# What limpid printed of one case, by kind of line.
read_case <- function(lines) {
  head <- strsplit(lines[1], ",")[[1]]
  p <- numbers(head[4:11])
  names(p) <- c("n", "points", "smooth", "window", "shift", "k", "floor", "always")
  counts <- rows_of(lines, "histogram")
  list(method = head[3], name = paste(head[3], "on", head[2]), p = as.list(p),
       x = matrix_of(lines, "x"), means = matrix_of(lines, "mean"),
       thresholds = rows_of(lines, "thresholds")[[1]],
       bins = matrix_of(lines, "bins"), counts = counts,
       count_ends = sapply(counts, `[`, 1),
       distances = matrix_of(lines, "distance"),
       verdicts = matrix_of(lines, "verdict"),
       trained = matrix_of(lines, "trained")[, 2])
}

check_histograms <- function(case, where, end, counts) {
  for (their in case$counts[case$count_ends == end]) {
    mine <- counts[[their[2] + 1]]
    check(paste(where, "samples of", their[2]), sum(mine), their[3])
    if (!is.null(mine))
      check(paste(where, "histogram of", their[2]),
            if (case$method == "cdf") cumsum(mine) else mine, their[-(1:3)])
  }
}

# Flags by all pairs: cdf, pdf.
check_pairs <- function(case, where, end, w, theirs) {
  cdf <- case$method == "cdf"
  bins <- if (cdf) cdf_bins(w, case$p$floor, case$p$always) else pdf_bins(w)
  check(paste(where, "bins"), bins, case$bins[case$bins[, 1] == end, 2:4])
  counts <- lapply(seq_len(ncol(w)), function(i)
    if (bins[3] > 0 && enough(w[, i])) histogram(w[, i], bins) else NULL)
  check_histograms(case, where, end, counts)
  d <- distances(counts, if (cdf) cdf_distance else pdf_distance)
  if (!is.null(case$distances)) {
    there <- case$distances[case$distances[, 1] == end, , drop = FALSE]
    check(paste(where, "distances"), d[there[, 2:3, drop = FALSE] + 1],
          there[, 4])
  }
  s <- t(sapply(seq_len(ncol(w)), function(i)
    summary_of(d[i, ], case$thresholds[i])))
  check(paste(where, "others"), s[, 1], theirs[, 4])
  check(paste(where, "over"), s[, 2], theirs[, 5])
  check(paste(where, "median"), s[, 3], theirs[, 6])
  check(paste(where, "critical"), s[, 4], theirs[, 7])
  s[, 1] >= 2 & 2 * s[, 2] > s[, 1]
}

# Flags by one number each: median, thresh, cwnd.
check_measure <- function(case, where, w, theirs) {
  m <- measure(case$method, w)
  check(paste(where, "critical"), m, theirs[, 7])
  beyond <- if (case$method == "cwnd") m < case$thresholds
            else m > case$thresholds
  sum(!is.nan(m)) > 2 & !is.nan(m) & beyond
}

# Training is by limpid's own numbers, checked before: rounding up to a step
# knows no tolerance.
check_training <- function(case) {
  trained <- sapply(seq_len(case$p$n), function(i) {
    critical <- case$verdicts[case$verdicts[, 2] == i - 1, 7]
    critical <- critical[!is.nan(critical)]
    if (length(critical) == 0) NaN else train(case$method, critical)
  })
  check(paste(case$name, "trained"), trained, case$trained)
}

check_case <- function(case) {
  p <- case$p
  check(paste(case$name, "moving average"),
        as.vector(apply(case$x, 2, moving_average, width = p$smooth)),
        as.vector(case$means))
  ends <- seq(ceiling(p$window / p$shift) * p$shift, p$points, by = p$shift)
  check(paste(case$name, "windows"), ends, unique(case$verdicts[, 1]))
  flags <- absent <- matrix(0, length(ends), p$n)
  for (k in seq_along(ends)) {
    # The means are limpid's, checked above.
    w <- case$means[(ends[k] - p$window + 1):ends[k], , drop = FALSE]
    where <- paste(case$name, "window", ends[k])
    theirs <- case$verdicts[case$verdicts[, 1] == ends[k], , drop = FALSE]
    with <- colSums(!is.nan(w)) > 0
    absent[k, ] <- !with & 2 * sum(with) > p$n - 1
    flags[k, ] <- if (case$method %in% c("cdf", "pdf"))
      check_pairs(case, where, ends[k], w, theirs)
    else check_measure(case, where, w, theirs)
    check(paste(where, "flags"), flags[k, ], theirs[, 3])
    check(paste(where, "absent"), absent[k, ], theirs[, 9])
  }
  check(paste(case$name, "anomalous"), as.vector(t(votes(flags, p$k))) + 0,
        case$verdicts[, 8])
  check(paste(case$name, "gone"), as.vector(t(votes(absent, p$k))) + 0,
        case$verdicts[, 10])
  check_training(case)
}

input <- file("stdin")
lines <- readLines(input)
close(input)
first <- which(startsWith(lines, "case,"))
last <- c(first[-1] - 1, length(lines))
for (k in seq_along(first)) check_case(read_case(lines[first[k]:last[k]]))
cat(sprintf("%d cases, %d numbers compared, %d comparisons differ\n",
            length(first), compared, wrong))
quit(status = if (wrong > 0 || length(first) == 0) 1 else 0)
