// SPDX-License-Identifier: MIT
#include "core/model/pattern.h"

#include "core/base/check.h"
#include "core/model/model.h"

#include <algorithm>
#include <cstdint>

namespace flopsmith {
namespace {

constexpr int kLongestPeriod = 64; // in runs; longer periods are not searched for

std::size_t indexOf(int number)
{
    return static_cast<std::size_t>(number);
}

const BlockRun& runIn(const Model& model, int run)
{
    return model.runs.at(indexOf(run));
}

std::string numbered(std::int64_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string boundsProblem(const Model& model, const Pattern& pattern)
{
    const auto runs = static_cast<std::int64_t>(model.runs.size());
    if (pattern.firstRun < 0 || pattern.times < 1) {
        return "first is at least 0 and times at least 1";
    }
    if (pattern.length < 2) {
        return "a pattern has at least 2 runs; of one run, set the repeat";
    }
    const std::int64_t end =
        pattern.firstRun + std::int64_t{pattern.length} * std::int64_t{pattern.times};
    if (end <= runs) {
        return {};
    }
    const std::int64_t fit = std::max<std::int64_t>(runs - pattern.firstRun, 0) / pattern.length;
    return numbered(pattern.times, "repeat") + " of " + std::to_string(pattern.length)
        + " runs from run " + std::to_string(pattern.firstRun) + " on need " + std::to_string(end)
        + " runs, and the model has " + std::to_string(runs) + "; at most "
        + numbered(fit, "repeat") + (fit == 1 ? " fits" : " fit");
}

// Of a pattern that is within the model's runs.
std::string contentProblem(const Model& model, const Pattern& pattern)
{
    const Stack half = runIn(model, pattern.firstRun).block.stack;
    for (int run = pattern.firstRun; run < pattern.end(); ++run) {
        if (runIn(model, run).block.stack != half) {
            return "it has blocks of the encoder and of the decoder; a pattern stands in one of "
                   "them";
        }
        const int first = pattern.firstRun + (run - pattern.firstRun) % pattern.length;
        if (runIn(model, run) != runIn(model, first)) {
            return "run " + std::to_string(run) + " differs from run " + std::to_string(first)
                + ", which it repeats; make them equal or leave the pattern out";
        }
    }
    return {};
}

bool haveEqualBlocks(const Model& model, int first, int last)
{
    for (int run = first + 1; run <= last; ++run) {
        if (runIn(model, run).block != runIn(model, first).block) {
            return false;
        }
    }
    return true;
}

// The shortest period that the runs are whole repeats of.
int periodOf(const Model& model, int first, int last)
{
    const int count = last - first + 1;
    for (int length = 2; length <= count / 2; ++length) {
        bool repeats = count % length == 0;
        for (int run = first + length; repeats && run <= last; ++run) {
            repeats = runIn(model, run) == runIn(model, run - length);
        }
        if (repeats) {
            return length;
        }
    }
    return count;
}

void joinRuns(Model& model, int first, int last)
{
    for (int run = first + 1; run <= last; ++run) {
        model.runs[indexOf(first)].repeat += model.runs[indexOf(run)].repeat;
    }
    model.runs.erase(model.runs.begin() + first + 1, model.runs.begin() + last + 1);
    shiftPatterns(model, last + 1, first - last);
}

void addInOrder(std::vector<Pattern>& patterns, const Pattern& added)
{
    const auto behind = std::find_if(patterns.begin(), patterns.end(), [&added](const Pattern& p) {
        return p.firstRun > added.firstRun;
    });
    patterns.insert(behind, added);
}

// Equal runs have equal numbers, which compare quickly.
std::vector<int> numbersOf(const std::vector<BlockRun>& runs)
{
    std::vector<const BlockRun*> kinds;
    std::vector<int> numbers;
    for (const BlockRun& run : runs) {
        const auto same = std::find_if(
            kinds.begin(), kinds.end(), [&run](const BlockRun* kind) { return *kind == run; });
        numbers.push_back(static_cast<int>(same - kinds.begin()));
        if (same == kinds.end()) {
            kinds.push_back(&run);
        }
    }
    return numbers;
}

// How often the `length` runs from `first` on repeat in direct succession.
int timesFrom(const std::vector<int>& numbers, int first, int length)
{
    const int count = static_cast<int>(numbers.size());
    int end = first + length;
    while (end < count && numbers[indexOf(end)] == numbers[indexOf(end - length)]) {
        ++end;
    }
    return (end - first) / length;
}

} // namespace

std::optional<PatternProblem> patternProblem(const Model& model)
{
    int free = 0; // the first run at which the next pattern may begin
    for (std::size_t i = 0; i < model.patterns.size(); ++i) {
        const Pattern& pattern = model.patterns[i];
        std::string sentence = boundsProblem(model, pattern);
        if (sentence.empty() && pattern.firstRun < free) {
            sentence = "it begins with run " + std::to_string(pattern.firstRun)
                + ", but the pattern before it reaches to run " + std::to_string(free - 1)
                + "; patterns stand one behind the other";
        }
        if (sentence.empty()) {
            sentence = contentProblem(model, pattern);
        }
        if (!sentence.empty()) {
            return PatternProblem{static_cast<int>(i), std::move(sentence)};
        }
        free = pattern.end();
    }
    return std::nullopt;
}

int patternOf(const Model& model, int run)
{
    const auto found = std::find_if(model.patterns.begin(),
                                    model.patterns.end(),
                                    [run](const Pattern& pattern) { return pattern.holds(run); });
    return found == model.patterns.end() ? -1 : static_cast<int>(found - model.patterns.begin());
}

std::vector<int> repeatsOf(const Model& model, int run)
{
    const int index = patternOf(model, run);
    if (index < 0) {
        return {run};
    }
    const Pattern& pattern = model.patterns[indexOf(index)];
    std::vector<int> repeats;
    for (int each = shownRun(model, run); each < pattern.end(); each += pattern.length) {
        repeats.push_back(each);
    }
    return repeats;
}

int shownRun(const Model& model, int run)
{
    const int index = patternOf(model, run);
    if (index < 0) {
        return run;
    }
    const Pattern& pattern = model.patterns[indexOf(index)];
    return pattern.firstRun + (run - pattern.firstRun) % pattern.length;
}

std::vector<int> shownRuns(const Model& model)
{
    std::vector<int> shown;
    for (int run = 0; run < static_cast<int>(model.runs.size()); ++run) {
        if (shownRun(model, run) == run) {
            shown.push_back(run);
        }
    }
    return shown;
}

void alignRepeats(Model& model, int run)
{
    if (patternOf(model, run) < 0) {
        return;
    }
    const BlockRun source = runIn(model, run);
    for (const int other : repeatsOf(model, run)) {
        model.runs[indexOf(other)] = BlockRun(source);
    }
}

bool hasJoinableRuns(const Model& model)
{
    for (int run = 1; run < static_cast<int>(model.runs.size()); ++run) {
        const int pattern = patternOf(model, run);
        const bool inside =
            pattern >= 0 && shownRun(model, run) != model.patterns[indexOf(pattern)].firstRun;
        const bool outside = pattern < 0 && patternOf(model, run - 1) < 0;
        if ((inside || outside) && runIn(model, run).block == runIn(model, run - 1).block) {
            return true;
        }
    }
    return false;
}

int blocksInPeriod(const Model& model, const Pattern& pattern)
{
    int blocks = 0;
    for (int run = pattern.firstRun; run < pattern.firstRun + pattern.length; ++run) {
        blocks += runIn(model, run).repeat;
    }
    return blocks;
}

Status setTimes(Model& model, int index, int times)
{
    Pattern& pattern = model.patterns.at(indexOf(index));
    const int period = blocksInPeriod(model, pattern);
    const int others = model.layers() - period * pattern.times;
    if (times < 1) {
        return Error{"a pattern comes at least once"};
    }
    if (const std::int64_t blocks = std::int64_t{times} * period; others + blocks > kMaxLayers) {
        return Error{numbered(times, "repeat") + " of " + numbered(period, "block") + " are "
                     + numbered(blocks, "layer")
                     + (others > 0 ? " and the model has " + std::to_string(others) + " more" : "")
                     + "; at most " + numbered((kMaxLayers - others) / period, "repeat")
                     + " are possible"};
    }
    const int end = pattern.end();
    const std::vector<BlockRun> once(model.runs.begin() + pattern.firstRun,
                                     model.runs.begin() + pattern.firstRun + pattern.length);
    const int grown = pattern.length * (times - pattern.times);
    shiftPatterns(model, end, grown);
    if (grown < 0) {
        model.runs.erase(model.runs.begin() + end + grown, model.runs.begin() + end);
    }
    for (int i = pattern.times; i < times; ++i) {
        model.runs.insert(model.runs.begin() + end, once.begin(), once.end());
    }
    pattern.times = times;
    return Done{};
}

std::string whyNoPattern(const Model& model, int first, int last)
{
    if (first >= last) {
        return "One run of equal blocks is a group already: select several runs.";
    }
    for (int run = first; run <= last; ++run) {
        if (patternOf(model, run) >= 0) {
            return "Blocks of a pattern are not grouped again: ungroup them first.";
        }
        if (runIn(model, run).block.stack != runIn(model, first).block.stack) {
            return "A group stands in the encoder or in the decoder, not in both.";
        }
    }
    return {};
}

Status makePattern(Model& model, int first, int last)
{
    if (const std::string reason = whyNoPattern(model, first, last); !reason.empty()) {
        return Error{reason};
    }
    if (haveEqualBlocks(model, first, last)) {
        joinRuns(model, first, last);
        return Done{};
    }
    const int length = periodOf(model, first, last);
    addInOrder(model.patterns, {first, length, (last - first + 1) / length});
    return Done{};
}

void dissolvePattern(Model& model, int pattern)
{
    FLOPSMITH_CHECK(pattern >= 0 && pattern < static_cast<int>(model.patterns.size()));
    model.patterns.erase(model.patterns.begin() + pattern);
}

void dissolveCutBy(Model& model, int first, int last)
{
    std::erase_if(model.patterns, [first, last](const Pattern& pattern) {
        const bool overlaps = pattern.firstRun <= last && first < pattern.end();
        return overlaps && !(first <= pattern.firstRun && pattern.end() - 1 <= last);
    });
}

void shiftPatterns(Model& model, int fromRun, int by)
{
    for (Pattern& pattern : model.patterns) {
        pattern.firstRun += pattern.firstRun >= fromRun ? by : 0;
    }
}

std::vector<Pattern> foundPatterns(const std::vector<BlockRun>& runs)
{
    const std::vector<int> numbers = numbersOf(runs);
    const int count = static_cast<int>(numbers.size());
    std::vector<Pattern> found;
    for (int first = 0; first < count;) {
        Pattern longest{first, 2, 1};
        for (int length = 2; length <= std::min(kLongestPeriod, (count - first) / 2); ++length) {
            const Pattern repeated{first, length, timesFrom(numbers, first, length)};
            if (repeated.times > 1 && (longest.times == 1 || repeated.end() > longest.end())) {
                longest = repeated;
            }
        }
        const bool repeats = longest.times > 1;
        if (repeats) {
            found.push_back(longest);
        }
        first = repeats ? longest.end() : first + 1;
    }
    return found;
}

} // namespace flopsmith
