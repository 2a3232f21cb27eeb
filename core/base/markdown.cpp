// SPDX-License-Identifier: MIT
#include "core/base/markdown.h"

#include "core/base/printable.h"

namespace flopsmith {
namespace {

// Position after a list marker at the beginning of a text ("- ", "+ ", "1. ", "1) "), or npos.
std::size_t listMark(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos || text[first] == '-' || text[first] == '+') {
        return first;
    }
    const std::size_t mark = text.find_first_not_of("0123456789", first);
    const bool isNumbered =
        mark != std::string_view::npos && mark > first && (text[mark] == '.' || text[mark] == ')');
    return isNumbered ? mark : std::string_view::npos;
}

} // namespace

std::string markdownWords(std::string_view text)
{
    constexpr std::string_view kMarkup = "\\`*_{}[]<>#|~$&^@";
    const std::string plain = printable(text);
    const std::size_t list = listMark(plain);
    std::string escaped;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const bool isAddress = plain.compare(i, 2, ":/") == 0;
        const bool isMarkup = kMarkup.find(plain[i]) != std::string_view::npos;
        escaped += isMarkup || isAddress || i == list ? "\\" : "";
        escaped += plain[i];
    }
    return escaped;
}

} // namespace flopsmith
