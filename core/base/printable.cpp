// SPDX-License-Identifier: MIT
#include "core/base/printable.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr std::size_t kLongestExcerpt = 200;

struct CodePoint
{
    char32_t value = 0;
    std::size_t bytes = 1;
    bool valid = true;
};

bool continues(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// The first code point of a text that is not empty (RFC 3629).
CodePoint firstOf(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80U) {
        return {lead, 1};
    }
    const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
    constexpr std::array<char32_t, 5> kMin{0, 0, 0x80, 0x800, 0x10000}; // by bytes
    char32_t value = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if (i >= text.size() || !continues(text[i])) {
            return {0, 1, false};
        }
        value = (value << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    const bool valid = lead >= 0xC2U && value >= kMin.at(bytes) && value <= 0x10FFFF && !surrogate;
    return {value, valid ? bytes : 1, valid};
}

bool isBetween(char32_t value, char32_t first, char32_t last)
{
    return value >= first && value <= last;
}

// Characters that a terminal or a layout acts upon: C0, DEL and C1, line and paragraph separators,
// and the marks, embeddings, overrides and isolates of the writing direction.
bool isControl(char32_t value)
{
    return value < 0x20 || isBetween(value, 0x7F, 0x9F) || isBetween(value, 0x2028, 0x202E)
        || isBetween(value, 0x2066, 0x2069) || value == 0x200E || value == 0x200F;
}

} // namespace

std::string printable(std::string_view text)
{
    std::string shown;
    while (!text.empty()) {
        const CodePoint next = firstOf(text);
        if (!next.valid) {
            shown += kReplacement;
        } else if (isControl(next.value)) {
            shown += ' ';
        } else {
            shown += text.substr(0, next.bytes);
        }
        text.remove_prefix(next.bytes);
    }
    return shown;
}

std::string printableLines(std::string_view text)
{
    std::string shown;
    for (;;) {
        const std::size_t end = text.find('\n');
        shown += printable(text.substr(0, end));
        if (end == std::string_view::npos) {
            return shown;
        }
        shown += '\n';
        text.remove_prefix(end + 1);
    }
}

bool isPrintable(std::string_view text)
{
    return printable(text) == text;
}

std::size_t validUtf8Bytes(std::string_view text)
{
    std::size_t valid = 0;
    while (valid < text.size()) {
        const CodePoint next = firstOf(text.substr(valid));
        if (!next.valid) {
            break;
        }
        valid += next.bytes;
    }
    return valid;
}

std::string elided(std::string_view text, std::size_t maxPoints)
{
    const auto isStart = [](char c) { return !continues(c); };
    const auto points = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), isStart));
    if (points <= maxPoints || maxPoints == 0) {
        return std::string(text);
    }
    const std::size_t before = (maxPoints - 1) / 2;
    const std::size_t after = points - (maxPoints - 1 - before);
    std::string shown;
    std::size_t point = 0; // number of the one that a byte belongs to, from 1
    for (const char c : text) {
        point += isStart(c) ? 1 : 0;
        if (point == before + 1 && isStart(c)) {
            shown += kEllipsis;
        }
        if (point <= before || point > after) {
            shown += c;
        }
    }
    return shown;
}

std::string excerpt(std::string_view text)
{
    return elided(printable(text), kLongestExcerpt);
}

} // namespace flopsmith
