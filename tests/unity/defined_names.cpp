// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unity/defined_names.h"

#include "tests/unity/signature.h"

#include <algorithm>
#include <stdexcept>

namespace flopsmith::test {
namespace {

using Kind = SourceToken::Kind;

class NameReader
{
public:
    explicit NameReader(Tokens tokens)
        : m_tokens(tokens)
    {}

    std::vector<DefinedName> names()
    {
        while (!ended()) {
            if (at("}")) {
                throw std::runtime_error("line " + std::to_string(m_tokens[m_at].line)
                                         + ": } closes nothing");
            }
            member();
        }
        return std::move(m_names);
    }

private:
    struct Name
    {
        std::string text;
        int line = 1;
    };

    bool at(std::string_view text, std::size_t ahead = 0) const
    {
        return m_at + ahead < m_tokens.size() && m_tokens[m_at + ahead].is(text);
    }

    bool ended() const { return m_at >= m_tokens.size(); }
    void skipBracket() { m_at = closing(m_tokens, m_at) + 1; }

    // Up to a semicolon outside all braces, and past it.
    void skipStatement()
    {
        while (!ended() && !at(";")) {
            at("{") || at("(") || at("[") ? skipBracket() : static_cast<void>(++m_at);
        }
        ++m_at;
    }

    void add(DefinedName::Kind kind, const Name& name, const std::string& signature = "")
    {
        m_names.push_back({kind, m_path + name.text, signature, name.line});
    }

    void scope(const std::string& name)
    {
        const std::string outer = m_path;
        m_path += name.empty() ? "" : name + "::";
        while (!ended() && !at("}")) {
            member();
        }
        if (ended()) {
            throw std::runtime_error("nothing closes namespace " + m_path);
        }
        m_path = outer;
        ++m_at;
    }

    void member()
    {
        const SourceToken& token = m_tokens[m_at];
        if (token.kind == Kind::define || token.kind == Kind::undefine) {
            macro(token);
            ++m_at;
        } else if (at(";")) {
            ++m_at;
        } else if (at("namespace") || (at("inline") && at("namespace", 1))) {
            namespaceMember();
        } else if (at("extern") && m_tokens[m_at + 1].kind == Kind::literal && at("{", 2)) {
            m_at += 3;
            scope("");
        } else if (at("using") || at("typedef")) {
            alias({});
        } else if (at("static_assert") || (at("extern") && !at("template", 1))) {
            skipStatement();
        } else if (at("template")) {
            templateMember();
        } else {
            declaration({});
        }
    }

    void macro(const SourceToken& token)
    {
        if (token.kind == Kind::define) {
            m_names.push_back({DefinedName::Kind::other, "#define " + token.text, "", token.line});
        } else {
            std::erase_if(m_names,
                          [&](const DefinedName& n) { return n.name == "#define " + token.text; });
        }
    }

    void namespaceMember()
    {
        std::string name;
        for (; !ended() && !at("{") && !at("=") && !at(";"); ++m_at) {
            if (!at("namespace") && !at("inline")) {
                name += m_tokens[m_at].text;
            }
        }
        if (at("{")) {
            ++m_at;
            scope(name);
        } else {
            statementAlias(name);
        }
    }

    // name = what it stands for; the same may be said twice
    void statementAlias(const std::string& name)
    {
        const std::size_t begin = m_at;
        const int line = m_tokens[m_at].line;
        skipStatement();
        add(DefinedName::Kind::alias, {name, line}, joined(m_tokens.subspan(begin, m_at - begin)));
    }

    void alias(Tokens templateParameters)
    {
        if (at("using") && at("=", 2)) {
            const std::string name = m_tokens[m_at + 1].text;
            m_at += 2;
            statementAlias(name);
            if (!templateParameters.empty()) {
                m_names.back().kind = DefinedName::Kind::other; // may be said once only
            }
        } else {
            skipStatement(); // using-declarations and -directives may be repeated
        }
    }

    void templateMember()
    {
        ++m_at;
        if (!at("<")) {
            return skipStatement(); // an explicit instantiation
        }
        const std::size_t open = m_at;
        skipBracket();
        const Tokens parameters = m_tokens.subspan(open + 1, m_at - open - 2);
        if (at("template")) {
            return templateMember();
        }
        at("using") ? alias(parameters) : declaration(parameters);
    }

    void declaration(Tokens templateParameters)
    {
        if (at("class") || at("struct") || at("union") || at("enum")) {
            if (typeDefinition()) {
                return;
            }
        }
        const std::size_t begin = m_at;
        while (!ended()) {
            if (at("operator")) {
                return operatorDefinition(templateParameters);
            }
            if (at("requires") || isKeywordWithBracket()) {
                ++m_at;
                if (at("(")) {
                    skipBracket();
                }
            } else if (at("<") || (at("[") && at("[", 1))) {
                skipBracket();
            } else if (at("(")) {
                return function(begin, nameBefore(m_at), templateParameters);
            } else if (at("=") || at("{") || at("[") || at(";") || at(",")) {
                return variable(begin);
            } else {
                ++m_at;
            }
        }
    }

    bool isKeywordWithBracket() const
    {
        return (at("decltype") || at("alignas") || at("__attribute__") || at("noexcept")
                || at("explicit"))
            && at("(", 1);
    }

    // Whether a type is defined or declared here: else it is part of a variable's or function's type.
    bool typeDefinition()
    {
        std::size_t i = m_at + 1;
        if (m_tokens[i].is("class") || m_tokens[i].is("struct")) {
            ++i;
        }
        while (m_tokens[i].is("alignas") || m_tokens[i].is("[")) {
            i = closing(m_tokens, m_tokens[i].is("[") ? i : i + 1) + 1;
        }
        const int line = m_tokens[i].line;
        std::string name;
        while (m_tokens[i].isWord() || m_tokens[i].is("::") || m_tokens[i].is("<")) {
            const std::size_t end = m_tokens[i].is("<") ? closing(m_tokens, i) + 1 : i + 1;
            name += m_tokens[i].is("final") ? "" : joined(m_tokens.subspan(i, end - i));
            i = end;
        }
        if (m_tokens[i].is(";")) {
            m_at = i + 1;
            return true;
        }
        if (!m_tokens[i].is("{") && !m_tokens[i].is(":")) {
            return false;
        }
        if (!name.empty()) {
            add(DefinedName::Kind::other, {name, line});
        }
        const bool enumerators = at("enum") && !at("class", 1) && !at("struct", 1);
        while (!m_tokens[i].is("{") && !m_tokens[i].is(";")) {
            ++i;
        }
        m_at = i;
        if (at("{")) {
            skipBracket();
            if (enumerators) {
                addEnumerators(m_tokens.subspan(i + 1, m_at - i - 2));
            }
        }
        skipStatement();
        return true;
    }

    void addEnumerators(Tokens list)
    {
        for (const Tokens enumerator : separated(list)) {
            add(DefinedName::Kind::other, {enumerator.front().text, enumerator.front().line});
        }
    }

    // The qualified name that ends before a position: Class<int>::member<T>.
    Name nameBefore(std::size_t end) const
    {
        std::size_t i = end;
        while (i > 0 && m_tokens[i - 1].is(">")) {
            i = openOf(i - 1);
        }
        while (i > 0 && m_tokens[i - 1].isWord()) {
            --i;
            if (i == 0 || !(m_tokens[i - 1].is("::") || m_tokens[i - 1].is("~"))) {
                break;
            }
            i -= m_tokens[i - 1].is("~") && i > 1 && m_tokens[i - 2].is("::") ? 2 : 1;
            while (i > 0 && m_tokens[i - 1].is(">")) {
                i = openOf(i - 1);
            }
        }
        return {joined(m_tokens.subspan(i, end - i)), m_tokens[i].line};
    }

    std::size_t openOf(std::size_t close) const
    {
        int depth = 0;
        std::size_t i = close;
        for (; i > 0; --i) {
            depth += m_tokens[i].is(">") ? 1 : m_tokens[i].is("<") ? -1 : 0;
            if (depth == 0) {
                break;
            }
        }
        return i;
    }

    void operatorDefinition(Tokens templateParameters)
    {
        const bool qualified = m_at > 1 && m_tokens[m_at - 1].is("::");
        std::string name = qualified ? nameBefore(m_at - 1).text + "::" : "";
        const int line = m_tokens[m_at].line;
        do {
            name += m_tokens[m_at++].text + " ";
            if (at("(") && at(")", 1) && at("(", 2)) {
                name += "()";
                m_at += 2;
            }
        } while (!ended() && !at("("));
        function(m_at, {name, line}, templateParameters);
    }

    // At the bracket of its parameters.
    void function(std::size_t begin, const Name& name, Tokens templateParameters)
    {
        const bool hasType = begin + 1 < m_at; // a macro has none
        const std::size_t open = m_at;
        skipBracket();
        const Tokens parameters = m_tokens.subspan(open + 1, m_at - open - 2);
        const std::string qualifiers = qualifiersOfFunction();
        if (at("{") || at(":")) {
            const std::string head = templateHead(templateParameters);
            const std::string types = parameterTypes(parameters, templateParameters);
            const bool isMember = name.text.find("::") != std::string::npos;
            add(isMember ? DefinedName::Kind::member : DefinedName::Kind::function,
                name,
                head + "(" + types + ")" + qualifiers);
            skipInitialisers();
            skipBracket();
            return;
        }
        if (at(";") && hasType && initialises(parameters)) {
            add(DefinedName::Kind::other, name);
        }
        if (at(";") || at("=")) {
            skipStatement();
        } // else a macro without a semicolon
    }

    // What may stand between a function's parameters and its body, and tells it from others.
    std::string qualifiersOfFunction()
    {
        std::string text;
        while (at("const") || at("&") || at("noexcept") || at("requires") || at("(") || at("&&")) {
            const std::size_t begin = m_at;
            at("(") ? skipBracket() : static_cast<void>(++m_at);
            if (!m_tokens[begin].is("noexcept")) {
                text += joined(m_tokens.subspan(begin, m_at - begin));
            }
        }
        if (at("->")) {
            while (!ended() && !at("{") && !at(";")) {
                at("(") || at("<") ? skipBracket() : static_cast<void>(++m_at);
            }
        }
        return text;
    }

    // Members' initial values: ": m_a(1), m_b{2}".
    void skipInitialisers()
    {
        if (!at(":")) {
            return;
        }
        do {
            ++m_at;
            while (!ended() && !at("(") && !at("{")) {
                at("<") ? skipBracket() : static_cast<void>(++m_at);
            }
            skipBracket();
        } while (at(","));
    }

    // "const QString kText(kRaw, 3);" is a variable, "int rows(Table);" a function.
    static bool initialises(Tokens parameters)
    {
        for (const Tokens parameter : separated(parameters)) {
            const bool hasDefault =
                std::ranges::any_of(parameter, [](const SourceToken& t) { return t.is("="); });
            const SourceToken& first = parameter.front();
            const bool constant = parameter.size() == 1 && first.isWord() && first.text.size() > 1
                && first.text[0] == 'k' && std::isupper(static_cast<unsigned char>(first.text[1]));
            if (!hasDefault && (constant || hasValue(parameter))) {
                return true;
            }
        }
        return false;
    }

    // A literal, other than as an argument of a template: "const BlockSums<1>& sums" has none.
    static bool hasValue(Tokens parameter)
    {
        for (std::size_t i = 0; i < parameter.size(); ++i) {
            if (parameter[i].is("<")) {
                i = closing(parameter, i);
            } else if (parameter[i].kind == Kind::literal || parameter[i].kind == Kind::number) {
                return true;
            }
        }
        return false;
    }

    void variable(std::size_t begin)
    {
        if (m_at > begin && m_tokens[m_at - 1].isWord() && m_at - begin > 1) {
            add(DefinedName::Kind::other, nameBefore(m_at));
        }
        skipStatement();
    }

    Tokens m_tokens;
    std::size_t m_at = 0;
    std::string m_path;
    std::vector<DefinedName> m_names;
};

} // namespace

std::vector<DefinedName> definedNames(std::string_view source)
{
    const std::vector<SourceToken> tokens = sourceTokens(source);
    return NameReader(tokens).names();
}

} // namespace flopsmith::test
