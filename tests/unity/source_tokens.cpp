// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unity/source_tokens.h"

#include <algorithm>
#include <cctype>

namespace flopsmith::test {
namespace {

using Kind = SourceToken::Kind;

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_'
        || static_cast<signed char>(c) < 0;
}

class Tokenizer
{
public:
    explicit Tokenizer(std::string_view source)
        : m_rest(source)
    {}

    std::vector<SourceToken> tokens()
    {
        while (!m_rest.empty()) {
            next();
        }
        return std::move(m_tokens);
    }

private:
    void next()
    {
        const char c = m_rest.front();
        if (std::isspace(static_cast<unsigned char>(c))) {
            take(1);
        } else if (m_rest.starts_with("//")) {
            take(m_rest.find('\n'));
        } else if (m_rest.starts_with("/*")) {
            take(after(m_rest.find("*/"), 2));
        } else if (c == '#') {
            directive();
        } else if (c == '"' || c == '\'') {
            add(Kind::literal, quoted(c));
        } else if (std::isdigit(static_cast<unsigned char>(c))) {
            add(Kind::number, numberLength());
        } else if (isWordCharacter(c)) {
            wordOrPrefixedLiteral();
        } else {
            add(Kind::symbol, m_rest.starts_with("::") || m_rest.starts_with("->") ? 2 : 1);
        }
    }

    void directive()
    {
        std::size_t end = m_rest.find('\n');
        while (end != std::string_view::npos && end > 0 && m_rest[end - 1] == '\\') {
            end = m_rest.find('\n', end + 1);
        }
        const std::string_view line = m_rest.substr(0, end);
        for (const Kind kind : {Kind::define, Kind::undefine}) {
            const std::string_view word = kind == Kind::define ? "define" : "undef";
            std::size_t at = line.find_first_not_of(" \t", 1);
            if (at == std::string_view::npos || !line.substr(at).starts_with(word)) {
                continue;
            }
            at = std::min(line.find_first_not_of(" \t", at + word.size()), line.size());
            const auto stop =
                std::find_if_not(line.begin() + static_cast<long>(at), line.end(), isWordCharacter);
            m_tokens.push_back(
                {kind, std::string(line.begin() + static_cast<long>(at), stop), m_line});
        }
        take(end);
    }

    void wordOrPrefixedLiteral()
    {
        const auto end = std::find_if_not(m_rest.begin(), m_rest.end(), isWordCharacter);
        const auto length = static_cast<std::size_t>(end - m_rest.begin());
        const std::string_view word = m_rest.substr(0, length);
        const char following = length < m_rest.size() ? m_rest[length] : ' ';
        if (following == '"' && word.ends_with('R') && word.size() <= 3) {
            add(Kind::literal, rawStringLength(length));
        } else if ((following == '"' || following == '\'')
                   && (word == "u8" || word == "u" || word == "U" || word == "L")) {
            take(length);
        } else {
            add(Kind::word, length);
        }
    }

    // R"name( … )name"
    std::size_t rawStringLength(std::size_t prefix) const
    {
        const std::size_t open = m_rest.find('(', prefix);
        const std::string close =
            ")" + std::string(m_rest.substr(prefix + 1, open - prefix - 1)) + "\"";
        return after(m_rest.find(close, open), close.size());
    }

    std::size_t quoted(char quote) const
    {
        std::size_t at = 1;
        while (at < m_rest.size() && m_rest[at] != quote) {
            at += m_rest[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    // 1'000, 0x1p-3 and 1e+9 are one number each
    std::size_t numberLength() const
    {
        std::size_t at = 1;
        while (
            at < m_rest.size()
            && (isWordCharacter(m_rest[at]) || m_rest[at] == '.' || m_rest[at] == '\''
                || ((m_rest[at] == '-' || m_rest[at] == '+')
                    && std::string_view("eEpP").find(m_rest[at - 1]) != std::string_view::npos))) {
            ++at;
        }
        return at;
    }

    static std::size_t after(std::size_t position, std::size_t length)
    {
        return position == std::string_view::npos ? position : position + length;
    }

    void add(Kind kind, std::size_t length)
    {
        const std::string_view text = m_rest.substr(0, length);
        m_tokens.push_back({kind, kind == Kind::literal ? "" : std::string(text), m_line});
        take(length);
    }

    void take(std::size_t length)
    {
        const std::string_view taken = m_rest.substr(0, length);
        m_line += static_cast<int>(std::count(taken.begin(), taken.end(), '\n'));
        m_rest.remove_prefix(taken.size());
    }

    std::string_view m_rest;
    int m_line = 1;
    std::vector<SourceToken> m_tokens;
};

} // namespace

std::vector<SourceToken> sourceTokens(std::string_view source)
{
    return Tokenizer(source).tokens();
}

} // namespace flopsmith::test
