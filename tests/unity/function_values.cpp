// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unity/function_values.h"

#include "tests/unity/source_tokens.h"

#include <algorithm>

namespace flopsmith::test {
namespace {

bool isOneOf(const SourceToken& token, std::initializer_list<std::string_view> texts)
{
    return std::ranges::any_of(texts, [&](std::string_view text) { return token.is(text); });
}

} // namespace

std::set<std::string> functionsAsValues(std::string_view source)
{
    const std::vector<SourceToken> tokens = sourceTokens(source);
    std::set<std::string> values;
    std::set<std::string> variables;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].isWord()) {
            continue;
        }
        const SourceToken& before = tokens[i - 1];
        const bool ends = isOneOf(tokens[i + 1], {")", ",", ";", "}"});
        if (ends && isOneOf(before, {"(", ",", "=", "{", ":", "?", "return", "&"})) {
            values.insert(tokens[i].text);
        }
        const bool afterType =
            (before.isWord() && !before.is("return")) || isOneOf(before, {">", "&", "*"});
        if (afterType && (ends || isOneOf(tokens[i + 1], {"=", "{", ":", "["}))) {
            variables.insert(tokens[i].text);
        }
    }
    for (const std::string& variable : variables) {
        values.erase(variable);
    }
    return values;
}

} // namespace flopsmith::test
