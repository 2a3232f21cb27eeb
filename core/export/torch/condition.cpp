// SPDX-License-Identifier: MIT
#include "core/export/torch/condition.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

namespace flopsmith::torch {
namespace {

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
        || c == '.' || c == '-';
}

// Words, "==", "!=" and single other characters.
std::vector<std::string_view> tokensOf(std::string_view text)
{
    std::vector<std::string_view> tokens;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 1;
        if (isWordPart(text[at])) {
            while (at + length < text.size() && isWordPart(text[at + length])) {
                ++length;
            }
        } else if ((text[at] == '=' || text[at] == '!') && at + 1 < text.size()
                   && text[at + 1] == '=') {
            length = 2;
        }
        if (text[at] != ' ') {
            tokens.push_back(text.substr(at, length));
        }
        at += length;
    }
    return tokens;
}

std::optional<double> numberIn(std::string_view word)
{
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc{} && end == word.data() + word.size() ? std::optional(number)
                                                                    : std::nullopt;
}

// One condition, read from left to right. After an error all further steps return false.
class Condition
{
public:
    Condition(std::string_view text, const TemplateContext& context)
        : m_text(text)
        , m_tokens(tokensOf(text))
        , m_context(context)
    {}

    Result<bool> evaluate()
    {
        const bool result = anyOf();
        if (m_error.empty() && m_next < m_tokens.size()) {
            fail("\"" + std::string(m_tokens[m_next]) + "\" is not expected in \""
                 + std::string(m_text) + "\"");
        }
        if (!m_error.empty()) {
            return Error{m_error};
        }
        return result;
    }

private:
    void fail(std::string sentence)
    {
        if (m_error.empty()) {
            m_error = std::move(sentence);
        }
    }

    bool take(std::string_view token)
    {
        const bool found = m_next < m_tokens.size() && m_tokens[m_next] == token;
        m_next += found ? 1 : 0;
        return found;
    }

    // The next word; without one an error, and an empty word.
    std::string_view word(const char* expected)
    {
        if (m_next < m_tokens.size() && isWordPart(m_tokens[m_next].front())) {
            return m_tokens[m_next++];
        }
        fail("\"" + std::string(m_text) + "\" lacks " + expected);
        return {};
    }

    bool anyOf()
    {
        bool result = allOf();
        while (take("or")) {
            result = allOf() || result;
        }
        return result;
    }

    bool allOf()
    {
        bool result = one();
        while (take("and")) {
            result = one() && result;
        }
        return result;
    }

    bool one()
    {
        if (take("not")) {
            return !one();
        }
        if (take("(")) {
            const bool result = anyOf();
            if (!take(")")) {
                fail("\"" + std::string(m_text) + "\" lacks a \")\"");
            }
            return result;
        }
        return comparison();
    }

    bool comparison()
    {
        const std::string_view name = word("the name of a field");
        const auto value = m_context.values.find(name);
        if (value == m_context.values.end()) {
            fail("there is no field \"" + std::string(name) + "\"; known are " + knownFields());
            return false;
        }
        if (take("==")) {
            return equals(value->second, word("a value after ==")) && m_error.empty();
        }
        if (take("!=")) {
            return !equals(value->second, word("a value after !=")) && m_error.empty();
        }
        return isSet(name, value->second);
    }

    bool isSet(std::string_view name, const FieldValue& value)
    {
        if (const auto* flag = std::get_if<bool>(&value)) {
            return *flag;
        }
        if (const auto* whole = std::get_if<std::int64_t>(&value)) {
            return *whole != 0;
        }
        if (const auto* real = std::get_if<double>(&value)) {
            return *real != 0.0;
        }
        fail("\"" + std::string(name) + "\" is a choice; compare it by == or !=");
        return false;
    }

    bool equals(const FieldValue& value, std::string_view wanted)
    {
        if (const auto* choice = std::get_if<std::string>(&value)) {
            return *choice == wanted;
        }
        if (const auto* flag = std::get_if<bool>(&value)) {
            if (wanted != "true" && wanted != "false") {
                fail("\"" + std::string(wanted)
                     + "\" is compared with a flag; it is true or false");
            }
            return *flag == (wanted == "true");
        }
        const std::optional<double> number = numberIn(wanted);
        if (!number) {
            fail("\"" + std::string(wanted) + "\" is compared with a number and is none");
            return false;
        }
        const auto* whole = std::get_if<std::int64_t>(&value);
        return *number
            == (whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value));
    }

    std::string knownFields() const
    {
        std::string list;
        for (const auto& [name, value] : m_context.values) {
            list += (list.empty() ? "" : ", ") + name;
        }
        return list.empty() ? "none" : list;
    }

    std::string_view m_text;
    std::vector<std::string_view> m_tokens;
    const TemplateContext& m_context;
    std::size_t m_next = 0;
    std::string m_error;
};

} // namespace

Result<bool> holds(std::string_view condition, const TemplateContext& context)
{
    return Condition(condition, context).evaluate();
}

} // namespace flopsmith::torch
