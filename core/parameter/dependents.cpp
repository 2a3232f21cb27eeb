// SPDX-License-Identifier: MIT
#include "core/parameter/correction.h"
#include "core/parameter/differences.h"

#include <algorithm>
#include <cmath>

// Describes the other values that changed when a parameter was set.
namespace flopsmith {
namespace {

constexpr std::size_t kMaxNamed = 3;
constexpr const char* kArrow = " \xE2\x86\x92 ";

std::string shownValue(const FieldValue& value)
{
    const auto* flag = std::get_if<bool>(&value);
    return flag == nullptr ? valueText(value) : *flag ? "on" : "off";
}

std::string wholeText(double number)
{
    return valueText(FieldValue(static_cast<std::int64_t>(number)));
}

// The rule that the old value breaks: "at most 7", "a divisor of 12".
std::string brokenRule(const LegalValues& legal, const FieldValue& before)
{
    if (std::holds_alternative<bool>(before)) {
        return "only " + shownValue(legal.nearest(before)) + " is possible";
    }
    if (const auto* whole = std::get_if<std::int64_t>(&before)) {
        const auto number = static_cast<double>(*whole);
        if (number > legal.high()) {
            return "at most " + wholeText(legal.high());
        }
        if (number < legal.low()) {
            return "at least " + wholeText(legal.low());
        }
    }
    return legal.text();
}

std::string reasonFor(const ParameterDifference& change,
                      const Wishes& wishes,
                      const Scenario& after,
                      const Parameter& set)
{
    const std::string setTo = std::string(set.text.label) + " " + shownValue(set.value(after));
    const bool wished =
        std::any_of(wishes.values.begin(), wishes.values.end(), [&change](const Wish& wish) {
            return wish.place == change.place && wish.value == change.after;
        });
    if (wished) {
        return "as it was before";
    }
    const LegalValues legal = change.parameter.legal(after);
    return legal.contains(change.before) ? "follows " + setTo
                                         : brokenRule(legal, change.before) + " at " + setTo;
}

std::string textOf(const ParameterDifference& change,
                   const Wishes& wishes,
                   const Scenario& after,
                   const Parameter& set)
{
    return std::string(change.parameter.text.label) + " " + shownValue(change.before) + kArrow
        + shownValue(change.after) + " (" + reasonFor(change, wishes, after, set) + ")";
}

bool isMeant(const ParameterDifference& change, const Parameter& set)
{
    return change.parameter.text.key == set.text.key
        || (isLength(change.parameter) && isLength(set));
}

} // namespace

std::string dependentsText(const Scenario& before,
                           const Wishes& wishesBefore,
                           const Scenario& after,
                           const Parameter& set,
                           const ParameterRules& rules)
{
    std::vector<std::string> texts; // equal changes of several runs are named once
    for (const ParameterDifference& change : parameterDifferences(before, after)) {
        const Tie* tie = rules.tieOf(change.place);
        if (tie == nullptr && isMeant(change, set)) {
            continue;
        }
        std::string text = tie != nullptr ? followedText(change, *tie, after)
                                          : textOf(change, wishesBefore, after, set);
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
            texts.push_back(std::move(text));
        }
    }
    std::string all;
    for (std::size_t i = 0; i < std::min(texts.size(), kMaxNamed); ++i) {
        all += (i > 0 ? " \xC2\xB7 " : "") + texts[i];
    }
    const std::size_t more = texts.size() - std::min(texts.size(), kMaxNamed);
    return more == 0 ? all : all + " \xC2\xB7 and " + std::to_string(more) + " more";
}

} // namespace flopsmith
