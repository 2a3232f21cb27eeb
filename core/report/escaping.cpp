// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/escaping.h"

#include "core/base/printable.h"
#include "core/io/table/latex.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace flopsmith {
namespace {

struct Spelling
{
    char32_t character;
    std::string_view latex;
};

// In addition to latexEscaped(): quotation marks, and symbols in lessons.
constexpr std::array<Spelling, 14> kSigns{{{0x2018, "`"},
                                           {0x2019, "'"},
                                           {0x201C, "``"},
                                           {0x201D, "''"},
                                           {0x201E, "\\quotedblbase{}"},
                                           {0x2011, "-"},
                                           {0x203A, "\\guilsinglright{}"},
                                           {0x2082, "$_2$"},
                                           {0x2208, "$\\in$"},
                                           {0x2211, "$\\sum$"},
                                           {0x221E, "$\\infty$"},
                                           {0x2248, "$\\approx$"},
                                           {0x2260, "$\\neq$"},
                                           {0x03BC, "$\\mu$"}}};

// Of text that printable() has left: every character is whole.
char32_t takenCharacter(std::string_view& text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0x80U ? 2 : 1;
    char32_t value = bytes == 1 ? lead : lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        value = (value << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    text.remove_prefix(bytes);
    return value;
}

// The letters of Western Europe, which T1 fonts hold.
bool isInFonts(char32_t character)
{
    return character < 0x80 || (character >= 0xC0 && character <= 0xFF);
}

std::string numberOf(char32_t character)
{
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(character));
    return text.data();
}

std::string latexSign(char32_t character)
{
    const auto* known = std::find_if(kSigns.begin(), kSigns.end(), [=](const Spelling& sign) {
        return sign.character == character;
    });
    return known == kSigns.end() ? numberOf(character) : std::string(known->latex);
}

} // namespace

std::string htmlEscaped(std::string_view text)
{
    std::string escaped;
    for (const char c : printable(text)) {
        switch (c) {
        case '&': escaped += "&amp;"; break;
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '"': escaped += "&quot;"; break;
        case '\'': escaped += "&#39;"; break;
        default: escaped += c;
        }
    }
    return escaped;
}

std::string latexWords(std::string_view text)
{
    const std::string plain = latexEscaped(text);
    std::string words;
    for (std::string_view rest = plain; !rest.empty();) {
        const std::string_view before = rest;
        const char32_t character = takenCharacter(rest);
        words += isInFonts(character) ? std::string(before.substr(0, before.size() - rest.size()))
                                      : latexSign(character);
    }
    return words;
}

} // namespace flopsmith
