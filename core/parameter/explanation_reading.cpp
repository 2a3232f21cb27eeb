// SPDX-License-Identifier: MIT
#include "core/parameter/explanation_reading.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr std::string_view kHeading = "## ";
constexpr std::string_view kFormula = "Formula: ";
constexpr std::string_view kSource = "Source: ";

struct Paragraph
{
    int line; // of its first word
    std::string text; // without line breaks
};

bool beginsParagraph(std::string_view line)
{
    return line.starts_with(kHeading) || line.starts_with(kFormula) || line.starts_with(kSource);
}

std::vector<Paragraph> paragraphsOf(std::string_view text)
{
    std::vector<Paragraph> paragraphs;
    bool isOpen = false;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, text.find_last_not_of(" \t\r\n", end) + 1);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (!line.empty() && (!isOpen || beginsParagraph(line))) {
            paragraphs.push_back({number, std::string(line)});
        } else if (!line.empty()) {
            paragraphs.back().text.append(" ").append(line);
        }
        isOpen = !line.empty() && !line.starts_with(kHeading);
    }
    return paragraphs;
}

// Puts a paragraph below a heading where it belongs; false if something is there.
bool take(Explanation& entry, std::string_view paragraph)
{
    std::string* part = &entry.text;
    if (paragraph.starts_with(kFormula)) {
        part = &entry.formula;
        paragraph.remove_prefix(kFormula.size());
    } else if (paragraph.starts_with(kSource)) {
        part = &entry.source;
        paragraph.remove_prefix(kSource.size());
    }
    const bool isFirst = part->empty();
    *part = paragraph;
    return isFirst;
}

Error errorAt(const std::string& place, const Explanation& entry, const char* what)
{
    return {place + ": \"" + entry.key + "\" " + what};
}

} // namespace

Result<std::vector<Explanation>> parsedExplanations(std::string_view fileName,
                                                    std::string_view text)
{
    std::vector<Explanation> entries;
    for (const Paragraph& paragraph : paragraphsOf(text)) {
        const std::string place = std::string(fileName) + ':' + std::to_string(paragraph.line);
        if (paragraph.text.starts_with(kHeading)) {
            entries.push_back({.key = paragraph.text.substr(kHeading.size()), .place = place});
        } else if (!entries.empty() && !take(entries.back(), paragraph.text)) {
            return errorAt(place, entries.back(), "has one text, one formula and one source");
        }
    }
    for (const Explanation& entry : entries) {
        if (entry.text.empty()) {
            return errorAt(entry.place, entry, "has no text");
        }
        if (entry.source.empty()) {
            return errorAt(entry.place, entry, "has no paragraph that begins with \"Source: \"");
        }
    }
    return entries;
}

} // namespace flopsmith
