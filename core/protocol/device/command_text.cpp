// SPDX-License-Identifier: MIT
#include "core/protocol/device/command_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace flopsmith {
namespace {

constexpr std::string_view kBlanks = " \t\n\r";
constexpr std::string_view kEscapedInDoubleQuotes = "\"\\$`";

bool isPlain(char c)
{
    constexpr std::string_view kOthers = "_-+=./:,@%^";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
        || kOthers.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80U;
}

std::string quoted(const std::string& word)
{
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain)) {
        return word;
    }
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    }
    return text + "'";
}

// Reads one line from left to right.
class Words
{
public:
    explicit Words(std::string_view line)
        : m_line(line)
    {}

    Result<std::vector<std::string>> all()
    {
        std::vector<std::string> words;
        for (skipBlanks(); !atEnd(); skipBlanks()) {
            std::string word;
            while (!atEnd() && kBlanks.find(m_line[m_at]) == std::string_view::npos) {
                FLOPSMITH_RETURN_IF_ERROR(take(word));
            }
            words.push_back(std::move(word));
        }
        return words;
    }

private:
    bool atEnd() const { return m_at == m_line.size(); }

    void skipBlanks() { m_at = std::min(m_line.find_first_not_of(kBlanks, m_at), m_line.size()); }

    // A character, a pair of backslash and character, or a quoted stretch.
    Status take(std::string& word)
    {
        const char c = m_line[m_at++];
        if (c == '\'' || c == '"') {
            return takeQuoted(c, word);
        }
        if (c != '\\') {
            word += c;
            return Done{};
        }
        if (atEnd()) {
            return Error{"the command ends with a backslash that stands before nothing"};
        }
        word += m_line[m_at++];
        return Done{};
    }

    Status takeQuoted(char quote, std::string& word)
    {
        const std::size_t opened = m_at;
        for (; !atEnd(); ++m_at) {
            if (m_line[m_at] == quote) {
                ++m_at;
                return Done{};
            }
            if (quote == '"' && m_line[m_at] == '\\' && m_at + 1 < m_line.size()
                && kEscapedInDoubleQuotes.find(m_line[m_at + 1]) != std::string_view::npos) {
                ++m_at;
            }
            word += m_line[m_at];
        }
        return Error{"the quote " + std::string(1, quote) + " at character "
                     + std::to_string(opened) + " of the command is not closed"};
    }

    std::string_view m_line;
    std::size_t m_at = 0;
};

} // namespace

std::string commandText(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + quoted(word);
    }
    return text;
}

Result<std::vector<std::string>> commandOf(std::string_view line)
{
    return Words(line).all();
}

} // namespace flopsmith
