// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/teach/expression/node.h"

#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace flopsmith {
namespace {

struct ExpressionToken
{
    enum class Kind { number, text, word, symbol, end };

    Kind kind = Kind::end;
    std::size_t position = 1;
    std::string text{}; ///< of a text, without its quotes
    Value number{};
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isExpressionSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// "12" and "1e9" as exact numbers; nothing with a point or with more than 38 digits.
std::optional<Count> wholeLiteral(std::string_view text)
{
    constexpr std::size_t kMaxDigits = 38;
    const std::size_t mark = text.find_first_of("eE");
    int exponent = 0;
    if (mark != std::string_view::npos) {
        const std::string_view power = text.substr(mark + 1);
        const std::size_t sign = !power.empty() && power.front() == '+' ? 1 : 0;
        const auto read =
            std::from_chars(power.data() + sign, power.data() + power.size(), exponent);
        if (read.ec != std::errc{} || exponent < 0) {
            return std::nullopt;
        }
    }
    const std::string_view mantissa = text.substr(0, mark);
    if (mantissa.find('.') != std::string_view::npos || exponent > static_cast<int>(kMaxDigits)
        || mantissa.size() + static_cast<std::size_t>(exponent) > kMaxDigits) {
        return std::nullopt;
    }
    Count number = 0;
    for (const char digit : mantissa) {
        number = number * 10 + (digit - '0');
    }
    for (int i = 0; i < exponent; ++i) {
        number *= 10;
    }
    return number;
}

/// Splits a text into tokens.
class ExpressionTokens
{
public:
    explicit ExpressionTokens(std::string_view text)
        : m_text(text)
    {}

    Result<ExpressionToken> next()
    {
        while (m_at < m_text.size() && isExpressionSpace(m_text[m_at])) {
            ++m_at;
        }
        ExpressionToken token{.position = m_at + 1};
        if (m_at == m_text.size()) {
            return token;
        }
        const char c = m_text[m_at];
        if (isDigit(c) || (c == '.' && m_at + 1 < m_text.size() && isDigit(m_text[m_at + 1]))) {
            return number(std::move(token));
        }
        if (isLetter(c)) {
            return word(std::move(token));
        }
        return c == '\'' ? quoted(std::move(token)) : symbol(std::move(token));
    }

private:
    std::size_t skippedDigits(std::size_t at) const
    {
        while (at < m_text.size() && isDigit(m_text[at])) {
            ++at;
        }
        return at;
    }

    Result<ExpressionToken> number(ExpressionToken token)
    {
        std::size_t end = skippedDigits(m_at);
        if (end < m_text.size() && m_text[end] == '.') {
            end = skippedDigits(end + 1);
        }
        if (end < m_text.size() && (m_text[end] == 'e' || m_text[end] == 'E')) {
            const bool isSigned =
                end + 1 < m_text.size() && (m_text[end + 1] == '+' || m_text[end + 1] == '-');
            const std::size_t digits = end + (isSigned ? 2 : 1);
            if (skippedDigits(digits) == digits) {
                return errorAt(token.position, "a number's exponent has no digits");
            }
            end = skippedDigits(digits);
        }
        token.kind = ExpressionToken::Kind::number;
        token.text = m_text.substr(m_at, end - m_at);
        m_at = end;
        if (const auto whole = wholeLiteral(token.text)) {
            token.number = *whole;
            return token;
        }
        return realNumber(std::move(token));
    }

    static Result<ExpressionToken> realNumber(ExpressionToken token)
    {
        std::string text = token.text;
        if (const std::size_t plus = text.find('+'); plus != std::string::npos) {
            text.erase(plus, 1); // from_chars() does not accept it
        }
        double real = 0.0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), real);
        if (read.ec != std::errc{} || read.ptr != text.data() + text.size()
            || !std::isfinite(real)) {
            return errorAt(token.position, "\"" + excerpt(token.text) + "\" is no number");
        }
        token.number = real;
        return token;
    }

    Result<ExpressionToken> word(ExpressionToken token)
    {
        std::size_t end = m_at;
        while (end < m_text.size() && (isLetter(m_text[end]) || isDigit(m_text[end]))) {
            ++end;
        }
        token.kind = ExpressionToken::Kind::word;
        token.text = m_text.substr(m_at, end - m_at);
        m_at = end;
        return token;
    }

    Result<ExpressionToken> quoted(ExpressionToken token)
    {
        const std::size_t end = m_text.find('\'', m_at + 1);
        if (end == std::string_view::npos) {
            return errorAt(token.position, "a text in single quotes does not end");
        }
        token.kind = ExpressionToken::Kind::text;
        token.text = m_text.substr(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return token;
    }

    Result<ExpressionToken> symbol(ExpressionToken token)
    {
        static constexpr std::array<std::string_view, 15> kSymbols{
            "<=", ">=", "==", "!=", "<", ">", "=", "+", "-", "*", "/", "^", "(", ")", ","};
        for (const std::string_view each : kSymbols) {
            if (m_text.substr(m_at, each.size()) == each) {
                token.kind = ExpressionToken::Kind::symbol;
                token.text = each == "=" ? "==" : each;
                m_at += each.size();
                return token;
            }
        }
        return errorAt(token.position,
                       "\"" + excerpt(m_text.substr(m_at, 1)) + "\" means nothing here");
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// Reads by recursive descent; the first mistake is kept and ends it.
class ExpressionParser
{
public:
    explicit ExpressionParser(std::string_view text)
        : m_tokens(text)
    {
        advance();
    }

    Result<ExpressionNodePtr> whole()
    {
        const ExpressionNodePtr root = level(0);
        if (m_problem.empty() && m_token.kind != ExpressionToken::Kind::end) {
            fail("the expression should end here, but \"" + excerpt(m_token.text) + "\" follows");
        }
        return m_problem.empty() ? Result<ExpressionNodePtr>(root) : Error{m_problem};
    }

private:
    using Kind = ExpressionNode::Kind;

    void advance()
    {
        Result<ExpressionToken> token = m_tokens.next();
        if (!token && m_problem.empty()) {
            m_problem = token.error().message;
        }
        m_token = token ? std::move(*token) : ExpressionToken{};
    }

    void fail(const std::string& sentence)
    {
        if (m_problem.empty()) {
            m_problem = errorAt(m_token.position, sentence).message;
        }
        m_token = {}; // so that every loop ends
    }

    bool isSymbol(std::string_view text) const
    {
        return m_token.kind == ExpressionToken::Kind::symbol && m_token.text == text;
    }

    bool isOperatorAmong(std::span<const std::string_view> names) const
    {
        for (const std::string_view name : names) {
            const bool isWord = name == "or" || name == "and";
            const auto kind = isWord ? ExpressionToken::Kind::word : ExpressionToken::Kind::symbol;
            if (m_token.kind == kind && m_token.text == name) {
                return true;
            }
        }
        return false;
    }

    static ExpressionNodePtr operation(std::size_t position,
                                       std::string name,
                                       std::vector<ExpressionNodePtr> operands)
    {
        return std::make_shared<const ExpressionNode>(
            ExpressionNode{.kind = Kind::operation,
                           .position = position,
                           .name = std::move(name),
                           .operands = std::move(operands)});
    }

    // Operators of one strength, from the weakest on, grouped from the left.
    ExpressionNodePtr level(std::size_t strength)
    {
        static constexpr std::array<std::string_view, 1> kOr{"or"};
        static constexpr std::array<std::string_view, 1> kAnd{"and"};
        static constexpr std::array<std::string_view, 6> kCompare{"<=", ">=", "==", "!=", "<", ">"};
        static constexpr std::array<std::string_view, 2> kSum{"+", "-"};
        static constexpr std::array<std::string_view, 2> kProduct{"*", "/"};
        static const std::array<std::span<const std::string_view>, 5> kLevels{
            kOr, kAnd, kCompare, kSum, kProduct};
        if (strength == kLevels.size()) {
            return prefixed();
        }
        ExpressionNodePtr left = level(strength + 1);
        while (isOperatorAmong(kLevels[strength])) {
            const std::size_t position = m_token.position;
            std::string name = m_token.text;
            if (++m_chained > kMaxChained) {
                fail("the expression has too many operators");
                break;
            }
            advance();
            ExpressionNodePtr right = level(strength + 1);
            left = operation(position, std::move(name), {std::move(left), std::move(right)});
        }
        return left;
    }

    ExpressionNodePtr prefixed()
    {
        const bool isNot = m_token.kind == ExpressionToken::Kind::word && m_token.text == "not";
        if (!isNot && !isSymbol("-")) {
            return power();
        }
        const std::size_t position = m_token.position;
        std::string name = m_token.text;
        advance();
        return nested([&] {
            // "not a < b" denies the comparison; "-a ^ b" negates the power.
            return operation(
                position, std::move(name), {isNot ? level(kCompareLevel) : prefixed()});
        });
    }

    // Grouped from the right: 2 ^ 3 ^ 2 is 2 ^ 9.
    ExpressionNodePtr power()
    {
        ExpressionNodePtr base = primary();
        if (!isSymbol("^")) {
            return base;
        }
        const std::size_t position = m_token.position;
        advance();
        return nested([&] { return operation(position, "^", {base, prefixed()}); });
    }

    ExpressionNodePtr primary()
    {
        const ExpressionToken token = m_token;
        switch (token.kind) {
        case ExpressionToken::Kind::number:
        case ExpressionToken::Kind::text: advance(); return literal(token);
        case ExpressionToken::Kind::word: return named(token);
        case ExpressionToken::Kind::symbol:
        case ExpressionToken::Kind::end: break;
        }
        if (!isSymbol("(")) {
            fail("expected a number, a text in single quotes, a function or \"(\"");
            return {};
        }
        advance();
        ExpressionNodePtr inside = nested([this] { return level(0); });
        expect(")");
        return inside;
    }

    static ExpressionNodePtr literal(const ExpressionToken& token)
    {
        const bool isText = token.kind == ExpressionToken::Kind::text;
        return std::make_shared<const ExpressionNode>(ExpressionNode{
            .position = token.position, .literal = isText ? Value(token.text) : token.number});
    }

    // A truth or a function.
    ExpressionNodePtr named(const ExpressionToken& token)
    {
        advance();
        if (token.text == "true" || token.text == "false") {
            return std::make_shared<const ExpressionNode>(
                ExpressionNode{.position = token.position, .literal = token.text == "true"});
        }
        ExpressionNode call{.kind = Kind::call, .position = token.position, .name = token.text};
        if (!isSymbol("(")) {
            fail("expected \"(\" after \"" + excerpt(token.text)
                 + "\"; texts stand in single quotes");
            return {};
        }
        advance();
        while (m_problem.empty() && !isSymbol(")")) {
            call.operands.push_back(nested([this] { return level(0); }));
            if (call.operands.size() > kMaxArguments) {
                fail("a function has at most " + std::to_string(kMaxArguments) + " arguments");
            } else if (!isSymbol(")")) {
                expect(",");
            }
        }
        expect(")");
        return std::make_shared<const ExpressionNode>(std::move(call));
    }

    void expect(std::string_view symbol)
    {
        if (isSymbol(symbol)) {
            advance();
            return;
        }
        fail("expected \"" + std::string(symbol) + "\"");
    }

    template <class Read>
    ExpressionNodePtr nested(Read read)
    {
        if (++m_depth > kMaxExpressionDepth) {
            fail("the expression is nested more than " + std::to_string(kMaxExpressionDepth)
                 + " deep");
        }
        ExpressionNodePtr node = m_problem.empty() ? read() : ExpressionNodePtr();
        --m_depth;
        return node;
    }

    static constexpr std::size_t kCompareLevel = 2;
    static constexpr int kMaxChained = 200; // each makes the tree deeper by one

    ExpressionTokens m_tokens;
    ExpressionToken m_token{};
    std::string m_problem;
    int m_depth = 0;
    int m_chained = 0;
};

} // namespace

Error errorAt(std::size_t position, std::string_view sentence)
{
    return {"character " + std::to_string(position) + ": " + std::string(sentence)};
}

Result<ExpressionNodePtr> parsedExpression(std::string_view text)
{
    if (text.size() > kMaxExpressionLength) {
        return Error{"an expression has at most " + std::to_string(kMaxExpressionLength)
                     + " characters, this one " + std::to_string(text.size())};
    }
    return ExpressionParser(text).whole();
}

} // namespace flopsmith
