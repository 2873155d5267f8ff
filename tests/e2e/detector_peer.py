# SPDX-License-Identifier: Apache-2.0
"""The detector once more, by plain sorting, to compare with limpid's.

A group is a Group: its kind (disk, net or tcp), the names of its components,
and data {name: array [component][block]}, with the names of COUNTERS[kind] and
"seconds", the time that a block's differences cover. A block that is missing
is NaN in all arrays of its component.

    measured = measure_group(group)                # what does not depend on Z
    scored = score_group(measured, Z)              # {(metric, T): Score}
    scored["service", 6].z_level[component][block]
    found = accusations(group, scored, Z)
    episodes(found), findings(found, server_of)
"""

import dataclasses
import math

import numpy as np

COUNTERS = {
    "disk": ["io_ms", "ios", "read", "written", "request_ms"],
    "net": ["rx", "tx"],
    "tcp": ["sent", "retrans", "lossy", "active"],
}
METRICS = {
    "disk": ["service", "latency", "read", "write"],
    "net": ["receive", "send"],
    "tcp": ["loss"],
}
# The counter of a throughput, and the least that the others are taken to move
# in a second: sectors or bytes.
LOADS = {"read": ("read", 200), "write": ("written", 200),
         "receive": ("rx", 100e3), "send": ("tx", 100e3)}
MAD = 1.4826
PRIOR_WEIGHT = 4
LEAST_REQUESTS = 8
LEAST_OTHERS = 2
LEAST_VALUES = 6
LEAST_BASE = 5
WHOLE_POOL = 8  # from so many components on, pools keep the component itself
LOSSY_SHARE, LOSS_GATE, LOSS_UNIT = 0.0005, 0.0005, 0.005
APART_S = 60
HOG_EXTRA, HOG_Z = 0.25, 2.5
# Three of six blocks at the clip limit, the others 0, are z = Z: enough.
CLIP, SLACK = 2, 1e-9
# Prior spread of level and of change, gate of level and of change.
LIMITS = {
    "service": (0.05, 0.015, math.log(1.25), math.log(1.08)),
    "latency": (0.15, 0.10, math.log(1.5), math.log(1.4)),
    "read": (0.10, 0.10, 0.25, 0.25),
    "write": (0.10, 0.10, 0.25, 0.25),
    "receive": (0.10, 0.10, 0.5, 0.5),
    "send": (0.10, 0.10, 0.5, 0.5),
}


@dataclasses.dataclass
class Options:
    windows: tuple = (6, 12, 24, 48, 96)
    history: int = 240
    change: bool = True
    metrics: tuple = ()  # only these, if any


@dataclasses.dataclass
class Group:
    kind: str
    names: list
    data: dict


@dataclasses.dataclass
class Measured:
    """Of one metric and window length: all that does not depend on Z.

    level is the smaller of the mean and the pooled residual; extra says where
    the window has the load or wait that the gate asks for beside it."""
    metric: str
    window: int
    residual: np.ndarray
    pooled: np.ndarray
    s_w: np.ndarray
    s_b: np.ndarray
    s_c: np.ndarray
    base: np.ndarray
    s_level: np.ndarray
    s_change: np.ndarray
    level: np.ndarray
    extra: np.ndarray


@dataclasses.dataclass
class Score:
    """Of one metric and window length: what follows from Measured and Z."""
    measured: Measured
    z_level: np.ndarray
    z_change: np.ndarray
    effect_level: np.ndarray
    effect_change: np.ndarray
    passed_level: np.ndarray   # the gates of effect
    passed_change: np.ndarray
    accused: np.ndarray


# ---- medians ----

def median(values):
    """Of those that are there; NaN of none."""
    there = np.sort(values[~np.isnan(values)], axis=None)
    n = len(there)
    if n == 0:
        return np.nan
    return (there[(n - 1) // 2] + there[n // 2]) / 2


def median_of_others(x):
    """For each component and block; NaN where fewer than two others are."""
    result = np.full(x.shape, np.nan)
    at = np.arange(x.shape[1])
    for i in range(len(x) if len(x) > LEAST_OTHERS else 0):
        others = np.sort(np.delete(x, i, axis=0), axis=0)  # NaN comes last
        have = np.sum(~np.isnan(others), axis=0)
        low = others[np.maximum(have - 1, 0) // 2, at]
        high = others[np.minimum(have // 2, len(others) - 1), at]
        result[i] = np.where(have >= LEAST_OTHERS, (low + high) / 2, np.nan)
    return result


def above_others(x):
    return x - median_of_others(x)


def pool_spread(values, i):
    """MAD of the others' values, or of all in large groups."""
    if len(values) < WHOLE_POOL:
        values = values[np.arange(len(values)) != i]
    there = values[~np.isnan(values)]
    return MAD * median(there) if len(there) >= LEAST_VALUES else np.nan


# ---- windows ----

def window_parts(x, window):
    """[component][block][blocks of the window that ends there]."""
    before = np.full((len(x), window - 1), np.nan)
    return np.lib.stride_tricks.sliding_window_view(
        np.concatenate([before, x], axis=1), window, axis=1)


def number_of(parts):
    return np.sum(~np.isnan(parts), axis=2)


def is_enough(parts):
    """Where a window lies in the recording and has enough of its blocks."""
    window = parts.shape[2]
    if window == 1:
        return number_of(parts) == 1
    enough = number_of(parts) >= max(2, (window + 1) // 2)
    enough[:, :window - 1] = False
    return enough


def window_sums(group, window):
    """{counter: sums over the blocks that are there}, NaN where too few."""
    sums = {}
    for name, x in group.data.items():
        parts = window_parts(x, window)
        sums[name] = np.where(is_enough(parts), np.nansum(parts, axis=2),
                              np.nan)
    return sums


def window_means(residual, window, base=0.0, limit=None):
    """Mean of the window's blocks, less base, clipped to +-limit."""
    parts = window_parts(residual, window) - np.expand_dims(base, -1)
    if limit is not None:
        limit = np.expand_dims(limit, -1)
        parts = np.clip(parts, -limit, limit)
    return np.where(is_enough(parts),
                    np.nansum(parts, axis=2) / np.maximum(1, number_of(parts)),
                    np.nan)


# ---- residuals against the others ----

def log_ratio(top, bottom, enough):
    """ln(top / bottom), missing where one of them is 0."""
    good = enough & (top > 0) & (bottom > 0)
    return np.log(np.where(good, top, np.nan) / np.where(good, bottom, np.nan))


def service_residual(sums):
    enough = sums["ios"] >= LEAST_REQUESTS
    sectors = sums["read"] + sums["written"]
    ra = above_others(log_ratio(sums["io_ms"], sums["ios"], enough))
    rb = above_others(log_ratio(sums["io_ms"], sectors, enough))
    both = np.where((ra > 0) & (rb > 0), np.minimum(ra, rb),
                    np.where((ra < 0) & (rb < 0), np.maximum(ra, rb), 0.0))
    return np.where(np.isnan(ra) | np.isnan(rb), np.nan, both)


def latency_residual(sums):
    enough = sums["ios"] >= LEAST_REQUESTS
    return above_others(log_ratio(sums["request_ms"], sums["ios"], enough))


def load_residual(metric, sums):
    """As a share of what the others move in both directions."""
    name, least = LOADS[metric]
    first, second = ("rx", "tx") if "rx" in sums else ("read", "written")
    total = (sums[first] + sums[second]) / sums["seconds"]
    unit = np.maximum(median_of_others(total), least)
    return above_others(sums[name] / sums["seconds"]) / unit


def loss_residual(sums):
    active = np.where(sums["active"] > 0, sums["active"], np.nan)
    expected = median_of_others(sums["lossy"] / active) * active
    return 2 * (np.sqrt(sums["lossy"] + 0.375) - np.sqrt(expected + 0.375))


def residual_of(metric, sums):
    if metric == "service":
        return service_residual(sums)
    if metric == "latency":
        return latency_residual(sums)
    if metric == "loss":
        return loss_residual(sums)
    return load_residual(metric, sums)


# ---- spreads ----

def first_of_history(block, options):
    return max(0, block + 1 - options.history)


def spread_within(residual, options):
    """s_w: scatter of the others' blocks about their own medians."""
    result = np.full(residual.shape, np.nan)
    for t in range(residual.shape[1]):
        past = residual[:, first_of_history(t, options):t + 1]
        off = np.array([np.abs(one - median(one)) for one in past])
        for i in range(len(residual)):
            result[i, t] = pool_spread(off, i)
    return result


def spread_between(pooled, options):
    """s_b: how far apart the others are at this window length."""
    result = np.full(pooled.shape, np.nan)
    for t in range(pooled.shape[1]):
        past = np.abs(pooled[:, first_of_history(t, options):t + 1])
        for i in range(len(pooled)):
            result[i, t] = pool_spread(past, i)
    return result


def bases(residual, window, options):
    """Medians of the history before the window, and of how many blocks."""
    base = np.full(residual.shape, np.nan)
    number = np.zeros(residual.shape)
    for t in range(residual.shape[1]):
        first = first_of_history(t, options)
        before = residual[:, first:max(first, t + 1 - window)]
        for i, one in enumerate(before):
            number[i, t] = np.sum(~np.isnan(one))
            if number[i, t] >= LEAST_BASE:
                base[i, t] = median(one)
    return base, number


def spread_of_change(pooled, base):
    """s_c: how far the others are now from where they were."""
    return MAD * median_of_others(np.abs(pooled - base))


def level_spread(metric, n, s_w, s_b, window):
    if metric == "loss":
        return np.maximum(1, s_b)
    prior = LIMITS[metric][0]
    between = (PRIOR_WEIGHT * prior**2 + (n - 1) * s_b**2) / (
        PRIOR_WEIGHT + n - 1)
    return np.sqrt(between + s_w**2 / window)


def change_spread(metric, s_w, s_c, number, window):
    prior = LIMITS[metric][1]
    return np.sqrt(np.maximum(s_c, prior)**2 + s_w**2 * (
        1 / window + 1.57 / np.maximum(number, 1)))


# ---- gates ----

def has_extra(metric, sums):
    """Where the window's mean is that much above the others' median."""
    time = sums["seconds"]
    if metric in ("receive", "send"):
        return above_others(sums[LOADS[metric][0]] / time) >= 1e6
    util = above_others(sums["io_ms"] / time / 1000)
    if metric in ("read", "write"):
        return util >= 0.10
    queue = above_others(sums["request_ms"] / time / 1000)
    return (util >= 0.03) | (queue >= 0.03)


def loss_shares(sums):
    """Share of bytes sent again above the others' median, and whether it is
    twice that median."""
    share = sums["retrans"] / np.where(sums["sent"] > 0, sums["sent"], np.nan)
    others = median_of_others(share)
    return share - others, share >= 2 * others


# ---- scores ----

def measure(metric, group, window, residual, s_w, options):
    sums = window_sums(group, window)
    pooled = residual_of(metric, sums)
    s_b = spread_between(pooled, options)
    s_level = level_spread(metric, len(group.names), s_w, s_b, window)
    if metric == "loss":
        none = np.full(pooled.shape, np.nan)
        level, extra = loss_shares(sums)
        return Measured(metric, window, residual, pooled, s_w, s_b, none, none,
                        s_level, none, level, extra)
    base, number = bases(residual, window, options)
    s_c = spread_of_change(pooled, base)
    return Measured(metric, window, residual, pooled, s_w, s_b, s_c, base,
                    s_level, change_spread(metric, s_w, s_c, number, window),
                    np.minimum(window_means(residual, window), pooled),
                    has_extra(metric, sums))


def measure_group(group, options=Options()):
    """{(metric, T): Measured}."""
    length = group.data["seconds"].shape[1]
    result = {}
    with np.errstate(invalid="ignore", divide="ignore"):
        for metric in METRICS[group.kind]:
            if options.metrics and metric not in options.metrics:
                continue
            residual = residual_of(metric, window_sums(group, 1))
            s_w = spread_within(residual, options)
            for window in options.windows:
                if window <= length:
                    result[metric, window] = measure(
                        metric, group, window, residual, s_w, options)
    return result


def exceeds(z, z_limit):
    return z > z_limit * (1 - SLACK)


def z_of(m, s, z_limit, base=0.0):
    mean = window_means(m.residual, m.window, base, CLIP * z_limit * s)
    return np.minimum(mean, m.pooled - base) / s


def score(m, z_limit, options):
    none = np.full(m.pooled.shape, np.nan)
    if m.metric == "loss":
        z, change, z_change = m.pooled / m.s_level, none, none
        passed = m.extra & (m.level >= LOSS_GATE)
        passed_change = np.zeros(z.shape, bool)
    else:
        gate, change_gate = LIMITS[m.metric][2:]
        z = z_of(m, m.s_level, z_limit)
        change = m.level - m.base
        z_change = z_of(m, m.s_change, z_limit, m.base)
        passed = m.extra & (m.level >= gate)
        passed_change = m.extra & (change >= change_gate) & (
            m.level >= change_gate / 2)
    if not options.change:
        change, z_change = none, none
    accused = (passed & exceeds(z, z_limit)) | (
        passed_change & exceeds(z_change, z_limit))
    return Score(m, z, z_change, m.level, change, passed, passed_change,
                 accused)


def score_group(measured, z_limit, options=Options()):
    """{(metric, T): Score}."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return {key: score(one, z_limit, options)
                for key, one in measured.items()}


# ---- lossy seconds ----

def lossy_limit(sent, retrans):
    """Of a group, from sums over the history."""
    share = median(retrans / np.where(sent > 0, sent, np.nan))
    return max(LOSSY_SHARE, 0 if np.isnan(share) else 2 * share)


def loss_counters(sent, retrans, per_block, options=Options()):
    """Counters of tcp per block, of [component][second] with NaN if missing.

    "samples" is how many seconds a block has."""
    n, length = sent.shape
    cut = (n, length // per_block, per_block)
    sent, retrans = sent.reshape(cut), retrans.reshape(cut)
    data = {"sent": np.nansum(sent, axis=2),
            "retrans": np.nansum(retrans, axis=2),
            "active": np.sum(sent > 0, axis=2).astype(float),
            "lossy": np.zeros(cut[:2]),
            "samples": np.sum(~np.isnan(sent), axis=2)}
    for b in range(cut[1]):
        past = slice(first_of_history(b, options), b + 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            limit = lossy_limit(np.sum(data["sent"][:, past], axis=1),
                                np.sum(data["retrans"][:, past], axis=1))
        data["lossy"][:, b] = np.sum(
            (sent[:, b] > 0) & (retrans[:, b] > limit * sent[:, b]), axis=1)
    return data


# ---- accusations, episodes, causes ----

@dataclasses.dataclass
class Accusation:
    component: str
    kind: str         # disk, net or tcp
    metric: str
    window: int
    block: int        # the window's last
    how: str          # level or change
    z: float
    effect: float
    weight: float     # effect / gate; of loss effect / 0.005
    loaded: bool      # a disk that moves more than its peers in this block


@dataclasses.dataclass
class Episode:
    component: str
    kind: str
    first: int
    last: int
    persistence: int  # blocks accused
    strongest: Accusation


@dataclasses.dataclass
class Finding:
    server: str
    first: int
    last: int
    cause: str
    weight: float
    also: list
    strongest: Accusation
    accusations: list


def weight_of(metric, how, effect):
    if metric == "loss":
        return effect / LOSS_UNIT
    return effect / LIMITS[metric][2 if how == "level" else 3]


def is_loaded(scored, i, block):
    """True if component i moves more than its peers in that block."""
    return any(getattr(one, "effect_" + how)[i, block] >= HOG_EXTRA
               and getattr(one, "z_" + how)[i, block] > HOG_Z
               for (metric, _), one in scored.items()
               if metric in ("read", "write") for how in ("level", "change"))


def accusations(group, scored, z_limit):
    """One for each component, block, metric, T and way."""
    found = []
    for (metric, window), one in scored.items():
        for i, t in np.argwhere(one.accused):
            for how in ("level", "change"):
                z = getattr(one, "z_" + how)[i, t]
                passed = getattr(one, "passed_" + how)[i, t]
                if passed and exceeds(z, z_limit):
                    effect = getattr(one, "effect_" + how)[i, t]
                    found.append(Accusation(
                        group.names[i], group.kind, metric, window, int(t),
                        how, z, effect, weight_of(metric, how, effect),
                        is_loaded(scored, i, t)))
    return found


def crowded(found, n):
    """Blocks in which more than a third of n components are accused."""
    accused = {}
    for one in found:
        accused.setdefault(one.block, set()).add(one.component)
    return {block for block, names in accused.items() if 3 * len(names) > n}


def split(found, key, block_s):
    """Lists of what has the same key and is less than 60 s apart."""
    parts, last = [], {}
    for one in sorted(found, key=lambda a: a.block):
        part = last.get(key(one))
        if part and (one.block - part[-1].block) * block_s < APART_S:
            part.append(one)
        else:
            last[key(one)] = [one]
            parts.append(last[key(one)])
    return parts


def strongest(some):
    return max(some, key=lambda a: a.z)


def episodes(found, block_s=10):
    """Of one component and kind each."""
    return [Episode(part[0].component, part[0].kind, part[0].block,
                    part[-1].block, len({a.block for a in part}),
                    strongest(part))
            for part in split(found, lambda a: (a.component, a.kind), block_s)]


def causes(found):
    """[(weight, cause)] of a server's accusations, the weightier first."""
    disk = [a for a in found if a.kind == "disk"]
    net = [a for a in found if a.kind != "disk"]
    sides = []
    if disk:
        hog = any(a.metric in ("read", "write") or a.loaded for a in disk)
        sides.append((max(a.weight for a in disk),
                      "disk-hog" if hog else "disk-busy"))
    if net:
        hog = any(a.kind == "net" for a in net)
        sides.append((max(a.weight for a in net),
                      "network-hog" if hog else "packet-loss"))
    return sorted(sides, reverse=True)


def findings(found, server_of, block_s=10):
    """Of one server each, of all of its components."""
    result = []
    for part in split(found, lambda a: server_of(a.component), block_s):
        sides = causes(part)
        result.append(Finding(
            server_of(part[0].component), part[0].block, part[-1].block,
            sides[0][1], sides[0][0], [cause for _, cause in sides[1:]],
            strongest(part), part))
    return result


def is_victim(one, other):
    """True if a finding is perhaps the consequence of another."""
    slower = all(a.metric in ("service", "latency") and a.how == "change"
                 for a in one.accusations)
    return (slower and one.server != other.server
            and other.weight > 3 * one.weight
            and one.first <= other.last and other.first <= one.last)


# ---- alarm budget ----

LAB_RATE, LAB_Z, LAB_SCALE, LEAST_Z = 3.5, 2, 0.7, 5
LEAST_PEAKS = 50


def lab_threshold(rate):
    """Z for so many false alarms per server-hour, by the lab's tail."""
    return LAB_Z + LAB_SCALE * math.log(LAB_RATE / rate)


def site_threshold(peaks, rate):
    """Z by a site's own tail; None if that is too short.

    peaks is a list of groups' largest z [component][hour], rate is of false
    alarms per component-hour."""
    kept = []
    for group in peaks:
        out = math.ceil(len(group) / 6)
        for hour in np.transpose(group):
            there = np.sort(hour[~np.isnan(hour)])
            kept.extend(there[:max(0, len(there) - out)])
    kept = np.array(kept)
    high = kept[kept > LAB_Z]
    if len(high) < LEAST_PEAKS:
        return None
    middle = median(high)
    above = high[high > middle]
    scale = max(np.mean(above - middle), LAB_SCALE)
    often = len(above) / len(kept)
    return max(LEAST_Z, middle + scale * math.log(often / rate))
