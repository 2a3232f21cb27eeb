// SPDX-License-Identifier: MIT
#include "core/store/when.h"

#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>

namespace flopsmith {
namespace {

constexpr UnixSeconds kMinute = 60;
constexpr UnixSeconds kHour = 60 * kMinute;
constexpr UnixSeconds kDay = 24 * kHour;
constexpr UnixSeconds kWeek = 7 * kDay;

std::optional<int> wholeNumber(std::string_view text)
{
    int number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
    return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

// "2026-11-18"
std::optional<UnixSeconds> dayOf(std::string_view text)
{
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return std::nullopt;
    }
    const auto year = wholeNumber(text.substr(0, 4));
    const auto month = wholeNumber(text.substr(5, 2));
    const auto day = wholeNumber(text.substr(8, 2));
    if (!year || !month || !day) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) {
        return std::nullopt;
    }
    const std::chrono::seconds since = std::chrono::sys_days(date).time_since_epoch();
    return since.count();
}

// "7d" in seconds
std::optional<UnixSeconds> stretchOf(std::string_view text)
{
    struct Unit
    {
        std::string_view name;
        UnixSeconds seconds;
    };
    constexpr std::array<Unit, 4> kUnits{
        {{"min", kMinute}, {"h", kHour}, {"d", kDay}, {"w", kWeek}}};
    for (const Unit& unit : kUnits) {
        if (text.ends_with(unit.name)) {
            const auto number = wholeNumber(text.substr(0, text.size() - unit.name.size()));
            return number ? std::optional(*number * unit.seconds) : std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace

std::string ageText(UnixSeconds then, UnixSeconds now)
{
    const UnixSeconds age = now - then;
    if (age <= 0) {
        return "just now";
    }
    if (age < kMinute) {
        return std::to_string(age) + " s ago";
    }
    if (age < kHour) {
        return std::to_string(age / kMinute) + " min ago";
    }
    if (age < 2 * kDay) {
        return std::to_string(age / kHour) + " h ago";
    }
    return std::to_string(age / kDay) + " days ago";
}

Result<UnixSeconds> sinceOf(const std::string& text, UnixSeconds now)
{
    if (const auto day = dayOf(text)) {
        return *day;
    }
    if (const auto stretch = stretchOf(text)) {
        return std::max<UnixSeconds>(0, now - *stretch);
    }
    return Error{
        "\"" + excerpt(text)
        + "\": expected a day as in 2026-11-18, or how long ago as in 90min, 6h, 7d or 2w"};
}

} // namespace flopsmith
