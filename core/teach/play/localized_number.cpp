// SPDX-License-Identifier: MIT
#include "core/teach/play/localized_number.h"

#include "core/base/printable.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace flopsmith {
namespace {

constexpr std::string_view kNarrowBlank = "\xE2\x80\xAF"; // between groups, as base/text.h writes

struct NumberSigns
{
    char decimal = '.';
    std::string_view group = ",";
};

constexpr NumberSigns kPointSigns{};
constexpr NumberSigns kCommaSigns{',', "."};
constexpr NumberSigns kCommaAndBlankSigns{',', kNarrowBlank};

constexpr std::array<std::string_view, 8>
    kCommaLanguages{"da", "de", "es", "id", "it", "nl", "pt", "tr"};
constexpr std::array<std::string_view, 8>
    kCommaAndBlankLanguages{"cs", "fi", "fr", "nb", "pl", "ru", "sv", "uk"};

const NumberSigns& signsOf(std::string_view language)
{
    const std::string_view alone = language.substr(0, language.find_first_of("_-"));
    const auto isAmong = [alone](const auto& languages) {
        return std::find(languages.begin(), languages.end(), alone) != languages.end();
    };
    return isAmong(kCommaLanguages)        ? kCommaSigns
        : isAmong(kCommaAndBlankLanguages) ? kCommaAndBlankSigns
                                           : kPointSigns;
}

bool isDecimalDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool hasPointAt(std::string_view number, std::size_t at)
{
    return number[at] == '.' && at > 0 && at + 1 < number.size() && isDecimalDigit(number[at - 1])
        && isDecimalDigit(number[at + 1]);
}

// Replaces every kind of blank and apostrophe between groups by ' '.
std::string withPlainBlanks(std::string_view text)
{
    static constexpr std::array<std::string_view, 6> kBlanks{
        "\t", "'", "\xC2\xA0", "\xE2\x80\x89", kNarrowBlank, "\xE2\x80\x99"};
    std::string plain;
    while (!text.empty()) {
        const auto* blank = std::find_if(kBlanks.begin(), kBlanks.end(), [text](auto each) {
            return text.substr(0, each.size()) == each;
        });
        const std::size_t length = blank != kBlanks.end() ? blank->size() : 1;
        plain += blank != kBlanks.end() ? ' ' : text.front();
        text.remove_prefix(length);
    }
    const std::size_t first = plain.find_first_not_of(' ');
    return first == std::string::npos
        ? std::string()
        : plain.substr(first, plain.find_last_not_of(' ') - first + 1);
}

// Removes "M" from the end of "4.7 M" and returns its 1e6; 1 without a prefix.
double takenPrefix(std::string& text)
{
    struct Prefix
    {
        char letter;
        double factor;
    };
    static constexpr std::array<Prefix, 7> kPrefixes{
        {{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'B', 1e9}, {'T', 1e12}, {'P', 1e15}}};
    for (const Prefix& prefix : kPrefixes) {
        if (!text.empty() && text.back() == prefix.letter) {
            text.pop_back();
            text.erase(text.find_last_not_of(' ') + 1);
            return prefix.factor;
        }
    }
    return 1.0;
}

// Whether the only sign of "1.234" may also be a thousands separator.
bool isAmbiguous(std::string_view number, std::size_t sign)
{
    constexpr std::size_t kGroup = 3;
    return number.size() - sign - 1 == kGroup && sign >= 1 && sign <= kGroup
        && number.front() != '0';
}

// Position of the decimal sign, or the end if there is none.
std::size_t decimalSign(std::string_view number, const NumberSigns& signs)
{
    const std::size_t last = number.find_last_of(".,");
    if (last == std::string_view::npos) {
        return number.size();
    }
    const char sign = number[last];
    if (number.find(sign) != last) {
        return number.size(); // it occurs several times, so it separates groups
    }
    const bool isAlone = number.find_first_of("., ") == last;
    const bool isGroup =
        isAlone && isAmbiguous(number, last) && signs.group == std::string_view(&sign, 1);
    return isGroup ? number.size() : last;
}

// "1.234.567" without its separators; empty if they do not separate groups of three, or differ.
std::string ungrouped(std::string_view whole)
{
    constexpr std::size_t kGroup = 3;
    const std::size_t first = whole.find_first_of("., ");
    if (first == std::string_view::npos) {
        return std::string(whole);
    }
    if (first > kGroup) {
        return {};
    }
    const char sign = whole[first];
    std::string digits(whole.substr(0, first));
    for (std::size_t at = first; at < whole.size(); at += kGroup + 1) {
        if (whole[at] != sign || whole.size() - at - 1 < kGroup) {
            return {};
        }
        digits += whole.substr(at + 1, kGroup);
    }
    return digits;
}

// "4700000.5" of a text without exponent; empty if it is no number.
std::string plainNumber(std::string_view number, const NumberSigns& signs)
{
    const std::size_t sign = decimalSign(number, signs);
    const bool startsWithSign = sign == 0 && !number.empty(); // ".5"
    const std::string whole = startsWithSign ? "0" : ungrouped(number.substr(0, sign));
    std::string plain = whole;
    if (sign < number.size()) {
        plain += "." + std::string(number.substr(sign + 1));
    }
    const auto isPart = [](char c) { return isDecimalDigit(c) || c == '.'; };
    const bool isNumber = !whole.empty() && isDecimalDigit(plain.back())
        && std::all_of(plain.begin(), plain.end(), isPart)
        && std::count(plain.begin(), plain.end(), '.') <= 1;
    return isNumber ? plain : std::string();
}

} // namespace

std::string localizedNumber(std::string_view number, std::string_view language)
{
    const NumberSigns& signs = signsOf(language);
    std::string spoken;
    for (std::size_t at = 0; at < number.size();) {
        if (number.substr(at, kNarrowBlank.size()) == kNarrowBlank) {
            spoken += signs.group;
            at += kNarrowBlank.size();
            continue;
        }
        spoken += hasPointAt(number, at) ? signs.decimal : number[at];
        ++at;
    }
    return spoken;
}

std::string localizedDigits(Count count, std::string_view language)
{
    return localizedNumber(groupedDigits(count), language);
}

Result<double> typedNumber(std::string_view text, std::string_view language)
{
    constexpr std::size_t kLongestNumber = 100;
    std::string number = withPlainBlanks(text.substr(0, kLongestNumber + 1));
    const double factor = takenPrefix(number);
    const std::size_t exponent = std::min(number.find_first_of("eE"), number.size());
    const std::string plain =
        plainNumber(std::string_view(number).substr(0, exponent), signsOf(language));
    std::string whole = plain + number.substr(exponent);
    whole.erase(std::remove(whole.begin(), whole.end(), '+'), whole.end()); // of "1e+6"
    double value = 0.0;
    const auto read = std::from_chars(whole.data(), whole.data() + whole.size(), value);
    const bool isRead = !plain.empty() && text.size() <= kLongestNumber && read.ec == std::errc{}
        && read.ptr == whole.data() + whole.size() && std::isfinite(value * factor);
    if (!isRead) {
        constexpr Count kExample = 4'700'000;
        return Error{"\"" + excerpt(text) + "\" is no number; write it as "
                     + localizedDigits(kExample, language) + " or "
                     + localizedNumber("4.7 M", language)};
    }
    return value * factor;
}

} // namespace flopsmith
