/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/settings.h"

#include "base/memory.h"
#include "base/number.h"
#include "disk/spindle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_WORDS 7
#define NS_PER_MS 1e6
/* One hour: more is "stuck". */
#define MOST_MS 3600000.0

struct word {
	const char *at;
	size_t n;
};

/* A command's words behind its first. */
struct words {
	struct word word[MOST_WORDS];
	size_t count;
};

struct entry {
	const char *name;
	const char *form; /* what is expected behind the name */
	enum lab_disk_verb verb;
	/* 0 or -EINVAL; the line of the error is made by the caller. */
	int (*take)(struct lab_disk_settings *s, const struct words *words);
};

void lab_disk_settings_default(struct lab_disk_settings *settings)
{
	*settings = (struct lab_disk_settings){
		.rate = 12000000,
		.seek_ns = 8000000,
		.seed = 1,
		.errors_to = UINT64_MAX,
	};
}

static bool is(const struct word *word, const char *text)
{
	return strlen(text) == word->n && memcmp(word->at, text, word->n) == 0;
}

/* The factor of a unit, whose length is in *length; 1 if it has none. */
static uint64_t unit(const char *text, size_t n, size_t *length)
{
	const bool binary = n > 1 && text[n - 1] == 'i';
	const char *letters = binary ? "KMGT" : "kMGT";
	const char *letter = NULL;
	uint64_t factor = 1;

	if (n)
		letter = strchr(letters, text[n - (binary ? 2 : 1)]);
	*length = 0;
	if (!letter || !*letter)
		return 1;
	*length = binary ? 2 : 1;
	for (const char *p = letters; p <= letter; p++)
		factor *= binary ? 1024 : 1000;
	return factor;
}

int lab_bytes_parse(const char *text, size_t n, uint64_t *bytes)
{
	size_t length;
	uint64_t factor = unit(text, n, &length), v;
	int status = lp_parse_u64(text, n - length, &v);

	if (status < 0)
		return status;
	if (v > UINT64_MAX / factor)
		return -ERANGE;
	*bytes = v * factor;
	return 0;
}

static int take_bytes(const struct word *word, uint64_t *bytes)
{
	return lab_bytes_parse(word->at, word->n, bytes);
}

static int take_rate_of(const struct word *word, uint64_t *rate)
{
	uint64_t v;

	if (take_bytes(word, &v) < 0 || v < LAB_RATE_MIN || v > LAB_RATE_MAX)
		return -EINVAL;
	*rate = v;
	return 0;
}

static int take_ms(const struct word *word, uint64_t *ns)
{
	double ms;

	if (lp_parse_double(word->at, word->n, &ms) < 0 || !(ms >= 0) ||
	    ms > MOST_MS)
		return -EINVAL;
	*ns = (uint64_t)(ms * NS_PER_MS + 0.5);
	return 0;
}

static int take_rate(struct lab_disk_settings *s, const struct words *words)
{
	return words->count == 1 ? take_rate_of(&words->word[0], &s->rate)
				 : -EINVAL;
}

static int take_seek(struct lab_disk_settings *s, const struct words *words)
{
	return words->count == 1 ? take_ms(&words->word[0], &s->seek_ns)
				 : -EINVAL;
}

static int take_latency(struct lab_disk_settings *s, const struct words *words)
{
	return words->count == 1 ? take_ms(&words->word[0], &s->latency_ns)
				 : -EINVAL;
}

static int take_jitter(struct lab_disk_settings *s, const struct words *words)
{
	const struct word *seed = &words->word[1];

	if (words->count < 1 || words->count > 2 ||
	    (words->count == 2 &&
	     lp_parse_u64(seed->at, seed->n, &s->seed) < 0))
		return -EINVAL;
	return take_ms(&words->word[0], &s->jitter_ns);
}

static int take_stuck(struct lab_disk_settings *s, const struct words *words)
{
	if (words->count != 1)
		return -EINVAL;
	s->stuck = is(&words->word[0], "on");
	return s->stuck || is(&words->word[0], "off") ? 0 : -EINVAL;
}

static int take_region(const struct word *word, uint64_t *first, uint64_t *last)
{
	const char *dots = memmem(word->at, word->n, "..", 2);
	struct word from, to;

	if (!dots)
		return -EINVAL;
	from = (struct word){ word->at, (size_t)(dots - word->at) };
	to = (struct word){ dots + 2, word->n - from.n - 2 };
	if (take_bytes(&from, first) < 0 || take_bytes(&to, last) < 0 ||
	    *first >= *last)
		return -EINVAL;
	return 0;
}

static int take_error_kind(struct lab_disk_settings *s, const struct word *word)
{
	static const struct {
		const char *name;
		unsigned errors;
	} kinds[] = {
		{ "none", 0 },
		{ "read", LAB_ERRORS_READ },
		{ "write", LAB_ERRORS_WRITE },
		{ "both", LAB_ERRORS_BOTH },
	};

	for (size_t i = 0; i < lp_array_size(kinds); i++)
		if (is(word, kinds[i].name)) {
			s->errors = kinds[i].errors;
			return 0;
		}
	return -EINVAL;
}

static int take_errors(struct lab_disk_settings *s, const struct words *words)
{
	int status;

	if (words->count % 2 == 0)
		return -EINVAL;
	s->errors_after = s->errors_from = 0;
	s->errors_to = UINT64_MAX;
	status = take_error_kind(s, &words->word[0]);
	for (size_t i = 1; status == 0 && i < words->count; i += 2) {
		const struct word *value = &words->word[i + 1];

		if (is(&words->word[i], "after"))
			status = take_bytes(value, &s->errors_after);
		else if (is(&words->word[i], "region"))
			status = take_region(value, &s->errors_from,
					     &s->errors_to);
		else
			status = -EINVAL;
	}
	return status;
}

static int take_bus(struct lab_disk_settings *s, const struct words *words)
{
	const struct word *path = &words->word[0];

	if (words->count < 1 || words->count > 2)
		return -EINVAL;
	s->bus_rate = 0;
	if (words->count == 1 && is(path, "none")) {
		s->bus[0] = '\0';
		return 0;
	}
	if (path->at[0] != '/' || path->n >= sizeof(s->bus))
		return -EINVAL;
	memcpy(s->bus, path->at, path->n);
	s->bus[path->n] = '\0';
	return words->count == 1 ? 0
				 : take_rate_of(&words->word[1], &s->bus_rate);
}

static int take_cache(struct lab_disk_settings *s, const struct words *words)
{
	if (words->count != 1)
		return -EINVAL;
	s->is_volatile = is(&words->word[0], "volatile");
	return s->is_volatile || is(&words->word[0], "through") ? 0 : -EINVAL;
}

static int take_number(const struct word *word, uint64_t *number)
{
	return lp_parse_u64(word->at, word->n, number);
}

static int take_part(const struct word *word, double *part)
{
	if (lp_parse_double(word->at, word->n, part) < 0 || !(*part >= 0) ||
	    *part > 1)
		return -EINVAL;
	return 0;
}

/* "none", "first 8", "random 0.5": how many of the words, or -EINVAL. */
static int take_keep(struct lab_disk_cut *cut, const struct word *word,
		     size_t n)
{
	if (n >= 1 && is(word, "none")) {
		cut->keep = LAB_KEEP_NONE;
		return 1;
	}
	if (n >= 2 && is(word, "first")) {
		cut->keep = LAB_KEEP_FIRST;
		return take_number(word + 1, &cut->first) < 0 ? -EINVAL : 2;
	}
	if (n >= 2 && is(word, "random")) {
		cut->keep = LAB_KEEP_RANDOM;
		return take_part(word + 1, &cut->part) < 0 ? -EINVAL : 2;
	}
	return -EINVAL;
}

/* What stands behind "power cut". A write that is torn must be kept. */
static int take_cut(struct lab_disk_cut *cut, const struct words *words)
{
	*cut = (struct lab_disk_cut){ .seed = 1 };
	for (size_t i = 1; i < words->count;) {
		const struct word *word = &words->word[i];
		size_t left = words->count - i - 1;
		int used = 0;

		if (is(word, "keep"))
			used = take_keep(cut, word + 1, left);
		else if (is(word, "torn"))
			cut->torn = true;
		else if (!is(word, "seed") || left == 0 ||
			 take_number(word + 1, &cut->seed) < 0)
			return -EINVAL;
		else
			used = 1;
		if (used < 0)
			return used;
		i += 1 + (size_t)used;
	}
	return cut->torn && cut->keep == LAB_KEEP_NONE ? -EINVAL : 0;
}

static int take_power(struct lab_disk_settings *s, const struct words *words)
{
	if (words->count < 1)
		return -EINVAL;
	s->off = is(&words->word[0], "cut");
	if (s->off)
		return take_cut(&s->cut, words);
	return words->count == 1 && is(&words->word[0], "on") ? 0 : -EINVAL;
}

static int take_gone(struct lab_disk_settings *s, const struct words *words)
{
	s->gone = true;
	return words->count == 0 ? 0 : -EINVAL;
}

static int take_back(struct lab_disk_settings *s, const struct words *words)
{
	s->gone = false;
	return words->count == 0 ? 0 : -EINVAL;
}

static int take_flip(struct lab_disk_settings *s, const struct words *words)
{
	struct lab_disk_flip *flip = &s->flip;
	int status = -EINVAL;

	*flip = (struct lab_disk_flip){ .to = UINT64_MAX, .seed = 1 };
	if (words->count % 2 == 1)
		status = take_number(&words->word[0], &flip->n);
	for (size_t i = 1; status == 0 && i < words->count; i += 2) {
		const struct word *value = &words->word[i + 1];

		if (is(&words->word[i], "region"))
			status = take_region(value, &flip->from, &flip->to);
		else if (is(&words->word[i], "seed"))
			status = take_number(value, &flip->seed);
		else
			status = -EINVAL;
	}
	return status == 0 && flip->n >= 1 && flip->n <= LAB_FLIPS_MOST
		       ? 0
		       : -EINVAL;
}

static int take_nothing(struct lab_disk_settings *s, const struct words *words)
{
	(void)s;
	return words->count == 0 ? 0 : -EINVAL;
}

static const struct entry table[] = {
	{ "rate", "BYTES per second, 1000 to 10G", LAB_DISK_SET, take_rate },
	{ "seek", "MILLISECONDS", LAB_DISK_SET, take_seek },
	{ "latency", "MILLISECONDS", LAB_DISK_SET, take_latency },
	{ "jitter", "MILLISECONDS [SEED]", LAB_DISK_JITTER, take_jitter },
	{ "errors", "none|read|write|both [after BYTES] [region FROM..TO]",
	  LAB_DISK_ERRORS, take_errors },
	{ "stuck", "on|off", LAB_DISK_STUCK, take_stuck },
	{ "bus", "none, or an absolute PATH [BYTES per second]", LAB_DISK_BUS,
	  take_bus },
	{ "cache", "through|volatile", LAB_DISK_CACHE, take_cache },
	{ "power",
	  "on, or cut [keep none|first N|random PART] [torn] [seed N]; only "
	  "what is kept can be torn",
	  LAB_DISK_POWER, take_power },
	{ "gone", "nothing", LAB_DISK_SET, take_gone },
	{ "back", "nothing", LAB_DISK_SET, take_back },
	{ "flip", "1 to 1000 [region FROM..TO] [seed N]", LAB_DISK_FLIP,
	  take_flip },
	{ "status", "nothing", LAB_DISK_STATUS, take_nothing },
	{ "reset", "nothing", LAB_DISK_RESET, take_nothing },
};

static const struct entry *find(const struct word *name)
{
	for (size_t i = 0; i < lp_array_size(table); i++)
		if (is(name, table[i].name))
			return &table[i];
	return NULL;
}

/* The next word of the line; an empty one at its end. */
static struct word next_word(const char **at, const char *end)
{
	struct word word;

	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
	word.at = *at;
	while (*at < end && **at != ' ' && **at != '\t')
		(*at)++;
	word.n = (size_t)(*at - word.at);
	return word;
}

static int refuse(const struct word *name, struct lp_error *err)
{
	char names[160] = "";
	size_t used = 0;

	for (size_t i = 0; i < lp_array_size(table); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used,
					 "%s%s", i ? ", " : "", table[i].name);
	return lp_fail(err, EINVAL, "no command '%.*s'; there are %s",
		       (int)(name->n < 64 ? name->n : 64), name->at, names);
}

/* Replies repeat words of the command: they stay one readable line. */
static bool is_plain(const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (((unsigned char)line[i] < ' ' && line[i] != '\t') ||
		    line[i] == 0x7f)
			return false;
	return true;
}

int lab_disk_settings_take(struct lab_disk_settings *settings, const char *line,
			   size_t n, struct lp_error *err)
{
	const char *at = line, *end = line + n;
	struct lab_disk_settings taken = *settings;
	struct words words = { .count = 0 };
	struct word name = next_word(&at, end), word;
	const struct entry *entry = find(&name);

	if (!is_plain(line, n))
		return lp_fail(err, EINVAL,
			       "a command is one line without control "
			       "characters");
	if (!entry)
		return refuse(&name, err);
	while ((word = next_word(&at, end)).n && words.count < MOST_WORDS)
		words.word[words.count++] = word;
	if (word.n || entry->take(&taken, &words) < 0)
		return lp_fail(err, EINVAL, "%s: expected %s", entry->name,
			       entry->form);
	*settings = taken;
	return (int)entry->verb;
}

static const char *errors_name(unsigned errors)
{
	static const char *const names[] = { "none", "read", "write", "both" };

	return names[errors & LAB_ERRORS_BOTH];
}

int lab_disk_settings_format(const struct lab_disk_settings *s, char *text,
			     size_t room)
{
	return snprintf(text, room,
			"rate=%" PRIu64 " seek_us=%" PRIu64
			" latency_us=%" PRIu64 " jitter_us=%" PRIu64
			" seed=%" PRIu64 " errors=%s"
			" errors_after=%" PRIu64 " errors_from=%" PRIu64
			" errors_to=%" PRIu64 " stuck=%s bus=%s"
			" cache=%s power=%s plugged=%s",
			s->rate, s->seek_ns / 1000, s->latency_ns / 1000,
			s->jitter_ns / 1000, s->seed, errors_name(s->errors),
			s->errors_after, s->errors_from, s->errors_to,
			s->stuck ? "on" : "off", s->bus[0] ? s->bus : "none",
			s->is_volatile ? "volatile" : "through",
			s->off ? "off" : "on", s->gone ? "no" : "yes");
}
