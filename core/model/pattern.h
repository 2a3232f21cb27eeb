// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

struct BlockRun;
struct Model;

/// Runs of a model that repeat as a group, "(A B B) × 4": the runs from `firstRun` on, `length` of
/// them in each period, `times` periods. Run i of every repeat equals run i of the first one. A
/// pattern only groups runs and changes no count. One period is enough for a group whose number
/// will be raised later; a single run is no pattern, because it has a repeat of its own.
struct Pattern
{
    int firstRun = 0; ///< index into Model::runs
    int length = 2; ///< runs of one period, at least 2
    int times = 1;

    bool operator==(const Pattern&) const = default;

    /// Index of the run after the last repeat.
    int end() const { return firstRun + length * times; }
    bool holds(int run) const { return firstRun <= run && run < end(); }
};

/// An invalid pattern, with what is wrong and what would be right.
struct PatternProblem
{
    int pattern = 0; ///< index into Model::patterns
    std::string sentence;
};

/// The first invalid pattern: outside the model's runs, overlapping another one, in both halves of
/// an encoder-decoder, or with repeats that differ. Check untrusted patterns with it before
/// anything else.
std::optional<PatternProblem> patternProblem(const Model& model);

/// The pattern that holds the run, as an index into Model::patterns, or -1.
int patternOf(const Model& model, int run);

/// The runs that correspond to this one in all repeats of its pattern, ascending; only the run
/// itself if it is in no pattern.
std::vector<int> repeatsOf(const Model& model, int run);

/// The run that represents this one where a pattern is shown once: the one of the first repeat.
int shownRun(const Model& model, int run);

/// All runs except those of further repeats.
std::vector<int> shownRuns(const Model& model);

/// Makes the run equal in all repeats of its pattern, with its length.
void alignRepeats(Model& model, int run);

/// Whether two neighbouring runs have equal blocks and no border of a pattern between them.
bool hasJoinableRuns(const Model& model);

/// Blocks of one period.
int blocksInPeriod(const Model& model, const Pattern& pattern);

/// Changes the number of periods. An Error if the model would have too many layers.
Status setTimes(Model& model, int pattern, int times);

/// Why makePattern() would fail, as a sentence; empty if it would not.
std::string whyNoPattern(const Model& model, int first, int last);

/// Groups the runs first … last: a longer run if all blocks are equal, the pattern that they repeat
/// if they are several equal periods, otherwise a pattern of one period. An Error for a single run,
/// for blocks of a pattern, and across the halves of an encoder-decoder.
Status makePattern(Model& model, int first, int last);

/// Removes the pattern; all of its blocks stay.
void dissolvePattern(Model& model, int pattern);

/// Removes the patterns that the runs first … last cut: with runs inside and outside.
void dissolveCutBy(Model& model, int first, int last);

/// Moves the patterns that begin with this run or later.
void shiftPatterns(Model& model, int fromRun, int by);

/// The longest repetitions from the first run on, of at least two runs and two repeats each: five
/// blocks with a window and one without, every fourth block with experts. Runs that do not repeat
/// as often as the rest stay outside.
std::vector<Pattern> foundPatterns(const std::vector<BlockRun>& runs);

} // namespace flopsmith
