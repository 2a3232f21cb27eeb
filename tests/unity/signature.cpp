// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unity/signature.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

namespace flopsmith::test {
namespace {

constexpr std::array<std::string_view, 13> kBuiltIn = {"const",
                                                       "volatile",
                                                       "unsigned",
                                                       "signed",
                                                       "int",
                                                       "long",
                                                       "short",
                                                       "char",
                                                       "bool",
                                                       "float",
                                                       "double",
                                                       "void",
                                                       "auto"};

bool isBuiltIn(const SourceToken& token)
{
    return std::ranges::find(kBuiltIn, token.text) != kBuiltIn.end();
}

Tokens withoutDefault(Tokens parameter)
{
    const auto equals =
        std::ranges::find_if(parameter, [](const SourceToken& t) { return t.is("="); });
    return parameter.first(static_cast<std::size_t>(equals - parameter.begin()));
}

Tokens withoutAttribute(Tokens parameter)
{
    if (parameter.size() > 1 && parameter[0].is("[") && parameter[1].is("[")) {
        return parameter.subspan(closing(parameter, 0) + 1);
    }
    return parameter;
}

// "const Theme& theme" names its parameter, "const Theme&" and "const Theme" do not.
bool lastIsName(Tokens parameter)
{
    if (parameter.size() < 2 || !parameter.back().isWord() || isBuiltIn(parameter.back())) {
        return false;
    }
    const SourceToken& before = parameter[parameter.size() - 2];
    return !before.is("::") && !before.is("const") && !before.is("typename")
        && !before.is("struct");
}

std::map<std::string, std::string> templateNames(Tokens templateParameters)
{
    std::map<std::string, std::string> names;
    for (const Tokens parameter : separated(templateParameters)) {
        const Tokens declared = withoutDefault(parameter);
        if (!declared.empty() && declared.back().isWord()) {
            names.emplace(declared.back().text, "$" + std::to_string(names.size()));
        }
    }
    return names;
}

std::string typeText(Tokens type, const std::map<std::string, std::string>& names)
{
    const bool value = type.empty() || !(type.back().is("&") || type.back().is("*"));
    std::string text;
    for (std::size_t i = 0; i < type.size(); ++i) {
        if (i == 0 && type[i].is("const") && value) {
            continue; // does not tell functions apart
        }
        const auto name = names.find(type[i].text);
        text += name == names.end() ? type[i].text : name->second;
        text += type[i].isWord() ? " " : "";
    }
    return text;
}

} // namespace

std::size_t closing(Tokens tokens, std::size_t open)
{
    const bool angle = tokens[open].is("<");
    std::vector<char> stack;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const char c = tokens[i].kind == SourceToken::Kind::symbol ? tokens[i].text.front() : ' ';
        if (c == '(' || c == '[' || c == '{') {
            stack.push_back(c);
        } else if (c == '<' && angle
                   && stack.size() == static_cast<std::size_t>(std::ranges::count(stack, '<'))) {
            stack.push_back(c);
        } else if (c == ')' || c == ']' || c == '}'
                   || (c == '>' && !stack.empty() && stack.back() == '<')) {
            if (stack.empty()) {
                break;
            }
            stack.pop_back();
        }
        if (stack.empty()) {
            return i;
        }
    }
    throw std::runtime_error("line " + std::to_string(tokens[open].line) + ": nothing closes "
                             + tokens[open].text);
}

std::vector<Tokens> separated(Tokens tokens)
{
    std::vector<Tokens> parts;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")
            || (tokens[i].is("<") && i > 0 && tokens[i - 1].isWord())) {
            i = closing(tokens, i);
        } else if (tokens[i].is(",")) {
            parts.push_back(tokens.subspan(begin, i - begin));
            begin = i + 1;
        }
    }
    if (begin < tokens.size()) {
        parts.push_back(tokens.subspan(begin));
    }
    return parts;
}

std::string parameterTypes(Tokens parameters, Tokens templateParameters)
{
    const std::map<std::string, std::string> names = templateNames(templateParameters);
    std::string text;
    for (const Tokens parameter : separated(parameters)) {
        Tokens type = withoutAttribute(withoutDefault(parameter));
        std::string array;
        if (!type.empty() && type.back().is("]")) {
            const auto open =
                std::ranges::find_if(type, [](const SourceToken& t) { return t.is("["); });
            array = joined({open, type.end()});
            type = {type.begin(), open};
        }
        if (lastIsName(type)) {
            type = type.first(type.size() - 1);
        }
        text += (text.empty() ? "" : ", ") + typeText(type, names) + array;
    }
    return text == "void " ? "" : text;
}

std::string templateHead(Tokens templateParameters)
{
    const std::map<std::string, std::string> names = templateNames(templateParameters);
    std::string text;
    for (const Tokens parameter : separated(templateParameters)) {
        std::string type = typeText(withoutDefault(parameter), names);
        text += (text.empty() ? "" : ", ")
            + (type.starts_with("class ") ? "typename" + type.substr(5) : type);
    }
    return text;
}

std::string joined(Tokens tokens)
{
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool words = i > 0 && tokens[i - 1].isWord() && tokens[i].isWord();
        text += (words ? " " : "") + tokens[i].text;
    }
    return text;
}

} // namespace flopsmith::test
