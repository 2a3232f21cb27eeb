// SPDX-License-Identifier: MIT
#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace flopsmith {
namespace {

struct UnitPrefix
{
    std::string_view name;
    double factor;
};

constexpr std::array<UnitPrefix, 11> kPrefixes{{
    {"Ki", 1024.0},
    {"Mi", 1048576.0},
    {"Gi", 1073741824.0},
    {"Ti", 1099511627776.0},
    {"k", 1e3},
    {"K", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"P", 1e15},
    {"%", 0.01},
}};

constexpr std::array<std::string_view, 3> kTimes{"*", "\xC2\xB7", "\xC3\x97"}; // *, ·, ×

void skipBlanks(std::string_view& text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    text.remove_prefix(first == std::string_view::npos ? text.size() : first);
}

bool skip(std::string_view& text, std::string_view word)
{
    const bool found = text.starts_with(word);
    text.remove_prefix(found ? word.size() : 0);
    return found;
}

// A number with its prefix, taken from the front of the text.
std::optional<double> takenFactor(std::string_view& text, PlainB plainB)
{
    skipBlanks(text);
    double number = 0.0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{}) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    skipBlanks(text);
    const bool hasPrefix = std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](const auto& prefix) {
        const bool found = skip(text, prefix.name);
        number *= found ? prefix.factor : 1.0;
        return found;
    });
    if (skip(text, "B") && !hasPrefix && plainB == PlainB::billions) {
        number *= 1e9;
    }
    skipBlanks(text);
    return number;
}

bool takesTimes(std::string_view& text)
{
    for (const std::string_view sign : kTimes) {
        if (skip(text, sign)) {
            return true;
        }
    }
    return false;
}

} // namespace

std::optional<double> quantityOf(std::string_view text, PlainB plainB)
{
    std::optional<double> product = takenFactor(text, plainB);
    while (product && takesTimes(text)) {
        const std::optional<double> factor = takenFactor(text, plainB);
        product = factor ? std::optional(*product * *factor) : std::nullopt;
    }
    return product && text.empty() && std::isfinite(*product) ? product : std::nullopt;
}

std::optional<std::int64_t> wholeQuantityOf(std::string_view text)
{
    std::int64_t whole = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (read.ec == std::errc{} && read.ptr == text.data() + text.size()) {
        return whole;
    }
    constexpr double kLargest = 9.0e15;
    const std::optional<double> quantity = quantityOf(text);
    const bool isWhole =
        quantity && *quantity == std::round(*quantity) && std::abs(*quantity) <= kLargest;
    return isWhole ? std::optional(static_cast<std::int64_t>(*quantity)) : std::nullopt;
}

std::optional<double> realQuantityOf(std::string_view text)
{
    std::string typed(text);
    const std::size_t comma = typed.find(',');
    if (comma != std::string::npos && typed.find('.') == std::string::npos) {
        typed[comma] = '.';
    }
    return quantityOf(typed);
}

} // namespace flopsmith
