// SPDX-License-Identifier: MIT
#include "core/study/variation/axis_text.h"

#include "core/base/printable.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace flopsmith {
namespace {

constexpr const char* kGrammar =
    "an axis is KEY=FROM..TO, with :log2, :step N or :COUNT behind it, or KEY=A,B,C";

Error axisError(std::string_view text, const std::string& what)
{
    return {"axis \"" + excerpt(text) + "\": " + what};
}

std::optional<double> parsedReal(std::string_view text)
{
    double number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = result.ec == std::errc{} && result.ptr == text.data() + text.size();
    return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::vector<std::string> items(std::string_view list)
{
    std::vector<std::string> found;
    while (true) {
        const std::size_t comma = list.find(',');
        found.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos) {
            return found;
        }
        list.remove_prefix(comma + 1);
    }
}

Result<Spacing> parsedSpacing(std::string_view text)
{
    constexpr std::string_view kStep = "step";
    if (text == "log2" || text == "x2") {
        return Spacing{Spacing::Kind::log2, 0};
    }
    Spacing::Kind kind = Spacing::Kind::count;
    if (text.substr(0, kStep.size()) == kStep) {
        kind = Spacing::Kind::step;
        text.remove_prefix(kStep.size());
        while (!text.empty() && (text.front() == ' ' || text.front() == '=')) {
            text.remove_prefix(1);
        }
    }
    const auto amount = parsedReal(text);
    if (!amount) {
        return Error{"\"" + excerpt(text)
                     + "\" is no spacing; it can be log2, step N or a "
                       "number of values"};
    }
    return Spacing{kind, *amount};
}

struct Range
{
    double from = 0;
    double to = 0;
    Spacing spacing;
};

// A number, or with k a multiple of 1024, as axes write it.
std::optional<double> parsedEnd(std::string_view text)
{
    constexpr double kThousand = 1024.0;
    const bool isThousands = !text.empty() && text.back() == 'k';
    text.remove_suffix(isThousands ? 1 : 0);
    const auto number = parsedReal(text);
    return number ? std::optional(*number * (isThousands ? kThousand : 1.0)) : std::nullopt;
}

// FROM..TO[:spacing], or with a space in place of the colon
Result<Range> parsedRange(std::string_view text)
{
    const std::size_t colon = text.find_first_of(": ");
    const std::string_view ends = text.substr(0, colon);
    const std::size_t dots = ends.find("..");
    if (dots == std::string_view::npos) {
        return Error{kGrammar}; // spacing must follow a colon
    }
    const auto from = parsedEnd(ends.substr(0, dots));
    const auto to = parsedEnd(ends.substr(dots + 2));
    if (!from || !to) {
        return Error{"the ends must be finite numbers, as in 128..8192 or 1k..64k"};
    }
    Range range{*from, *to, {}};
    if (colon != std::string_view::npos) {
        FLOPSMITH_TRY(const Spacing spacing, parsedSpacing(text.substr(colon + 1)));
        range.spacing = spacing;
    }
    return range;
}

Result<Axis> rangeAxis(const Scenario& scenario,
                       std::string_view key,
                       std::string_view text,
                       AxisValues allowed)
{
    FLOPSMITH_TRY(const Range range, parsedRange(text));
    return axisBetween(scenario, key, range.from, range.to, range.spacing, allowed);
}

} // namespace

Result<Axis> parsedAxis(std::string_view text, const Scenario& scenario, AxisValues allowed)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
        return axisError(text, kGrammar);
    }
    const std::string_view key = text.substr(0, equals);
    const std::string_view values = text.substr(equals + 1);
    const Result<Axis> axis = values.find("..") == std::string_view::npos
        ? axisOfTexts(scenario, key, items(values), allowed)
        : rangeAxis(scenario, key, values, allowed);
    return axis ? axis : axisError(text, axis.error().message);
}

} // namespace flopsmith
