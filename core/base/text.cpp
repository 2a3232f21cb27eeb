// SPDX-License-Identifier: MIT
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

namespace flopsmith {
namespace {

thread_local bool threeDigits = false; ///< see ThreeDigits

constexpr const char* kDash = "\xE2\x80\x93";

// Four digits below 1000 ("218.7"), three below 100 ("96.2", "1.43"): the eye compares these best.
int decimalsFor(double value)
{
    const double size = std::abs(value);
    if (size >= (threeDigits ? 99.95 : 999.95)) {
        return 0;
    }
    return size >= 9.995 ? 1 : 2;
}

std::string significant(double value)
{
    if (value == std::floor(value) && std::abs(value) < 1000.0) {
        return fixedText(value, 0);
    }
    return fixedText(value, decimalsFor(value));
}

// Two digits of a number that two decimals would not show, "0.0031", whatever the locale.
std::string smallText(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 2);
    return {buffer.data(), end.ptr};
}

// "3.14e23", as papers write the operations of a training run.
std::string powerOfTenText(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, 2);
    std::string text(buffer.data(), end.ptr);
    text.erase(std::remove(text.begin(), text.end(), '+'), text.end());
    return text;
}

template <std::size_t Size>
ShortNumber scaled(double value, double base, const std::array<std::string_view, Size>& units)
{
    const double rounding = threeDigits ? 0.0005 : 0.00005;
    std::size_t unit = 0;
    while (unit + 1 < Size && std::abs(value) >= base * (1.0 - rounding)) {
        value /= base;
        ++unit;
    }
    return {significant(value), std::string(units[unit])};
}

} // namespace

ThreeDigits::ThreeDigits(bool on)
    : m_before(std::exchange(threeDigits, on))
{}

ThreeDigits::~ThreeDigits()
{
    threeDigits = m_before;
}

std::string fixedText(double value, int digits)
{
    if (!std::isfinite(value)) {
        return kDash;
    }
    std::array<char, 400> buffer{};
    const auto [end, problem] = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits);
    std::string text = problem == std::errc() ? std::string(buffer.data(), end) : kDash;
    const bool isZero = text.find_first_not_of("-0.") == std::string::npos;
    return isZero && text.starts_with('-') ? text.substr(1) : text;
}

ShortNumber shortNumber(double value)
{
    static constexpr std::array<std::string_view, 7> kPrefixes{"", "k", "M", "G", "T", "P", "E"};
    constexpr double kBeyondPrefixes = 9.995e20;
    if (!std::isfinite(value)) {
        return {kDash, ""};
    }
    if (std::abs(value) >= kBeyondPrefixes) {
        return {powerOfTenText(value), ""};
    }
    return scaled(value, 1000.0, kPrefixes);
}

std::string siText(double value)
{
    return shortNumber(value).text();
}

ShortNumber shortParameters(double parameters)
{
    ShortNumber shown = shortNumber(parameters);
    if (shown.prefix == "G") {
        shown.prefix = "B";
    }
    return shown;
}

std::string parametersText(double parameters)
{
    return shortParameters(parameters).text();
}

std::string rateText(double perSecond, std::string_view unit)
{
    const ShortNumber rate = shortNumber(perSecond);
    return rate.figure + " " + rate.prefix + std::string(unit);
}

std::string durationText(double seconds)
{
    if (!std::isfinite(seconds)) {
        return kDash;
    }
    const double size = std::abs(seconds);
    if (size >= 0.9995 || size == 0.0) {
        return significant(seconds) + " s";
    }
    if (size >= 0.9995e-3) {
        return significant(seconds * 1e3) + " ms";
    }
    if (size >= 0.9995e-6) {
        return significant(seconds * 1e6) + " \xC2\xB5s";
    }
    return significant(seconds * 1e9) + " ns";
}

std::string bytesText(double bytes)
{
    static constexpr std::array<std::string_view, 7> kUnits{
        "B", "kB", "MB", "GB", "TB", "PB", "EB"};
    if (!std::isfinite(bytes)) {
        return kDash;
    }
    return scaled(bytes, 1000.0, kUnits).text();
}

std::string groupedDigits(Count count)
{
    static constexpr std::string_view kNarrowSpace = "\xE2\x80\xAF";
    const std::string plain = digits(count);
    const std::size_t start = plain.front() == '-' ? 1 : 0;
    std::string grouped = plain.substr(0, start);
    for (std::size_t i = start; i < plain.size(); ++i) {
        if (i > start && (plain.size() - i) % 3 == 0) {
            grouped += kNarrowSpace;
        }
        grouped += plain[i];
    }
    return grouped;
}

std::string percentText(double share)
{
    const double percent = share * 100.0;
    if (!std::isfinite(percent)) {
        return kDash;
    }
    if (percent == 0.0) {
        return "0 %";
    }
    if (percent < 0.01) {
        return "< 0.01 %";
    }
    return fixedText(percent, percent < 0.095 ? 2 : 1) + " %";
}

std::string signedPercentText(double share)
{
    constexpr double kLeast = 0.005; // in per cent
    constexpr double kManyTimes = 999.95;
    const double percent = std::abs(share) * 100.0;
    if (!std::isfinite(percent)) {
        return kDash;
    }
    if (percent < kLeast) {
        return share == 0.0 ? "0 %" : "\xE2\x89\x88 0 %";
    }
    const int decimals = percent < 0.095 ? 2 : percent < kManyTimes ? 1 : 0;
    return (share < 0.0 ? "\xE2\x88\x92" : "+") + fixedText(percent, decimals) + " %";
}

std::string ratioText(double ratio)
{
    if (ratio <= 0.0) {
        return "";
    }
    return (ratio < 0.0995 ? smallText(ratio) : siText(ratio)) + "\xC3\x97";
}

std::string dateText(std::int64_t secondsSince1970)
{
    namespace chrono = std::chrono;
    constexpr std::int64_t kLast = 253'402'300'799; // of the year 9999
    const chrono::sys_seconds time{
        chrono::seconds(std::clamp(secondsSince1970, std::int64_t{0}, kLast))};
    const auto day = chrono::floor<chrono::days>(time);
    const chrono::year_month_day date(day);
    const auto minutes = chrono::floor<chrono::minutes>(time - day).count();
    const auto padded = [](std::int64_t number) {
        return (number < 10 ? "0" : "") + std::to_string(number);
    };
    return std::to_string(static_cast<int>(date.year())) + "-"
        + padded(static_cast<unsigned>(date.month())) + "-"
        + padded(static_cast<unsigned>(date.day())) + " " + padded(minutes / 60) + ":"
        + padded(minutes % 60) + " UTC";
}

std::string numberText(double value)
{
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

} // namespace flopsmith
