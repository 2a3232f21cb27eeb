// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/expression.h"

#include "core/formula/canonical_sum.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

// Bounds that no sensible constraint meets, so that a silly one does not take minutes to expand.
constexpr std::size_t kLongest = 100;
constexpr int kDeepest = 16;
constexpr int kHighestPower = 6;
constexpr int kMaxDigits = 40;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool startsName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isProduct(const GiNaC::ex& expression, const SymbolTable& table)
{
    return CanonicalSum(expression, table).isProduct();
}

// Whether all numbers are neither huge nor tiny.
bool isModest(const GiNaC::ex& expression)
{
    if (!GiNaC::is_a<GiNaC::numeric>(expression)) {
        return true;
    }
    const auto number = GiNaC::ex_to<GiNaC::numeric>(expression);
    const GiNaC::numeric bound = GiNaC::numeric(10).power(kMaxDigits);
    return GiNaC::abs(number.numer()) < bound && number.denom() < bound;
}

// A value with an upper bound on its total power of sizes.
struct Value
{
    GiNaC::ex value;
    int degree = 0;
};

class Parser
{
public:
    Parser(std::string_view text, const SymbolTable& table)
        : m_text(text)
        , m_table(table)
    {}

    Result<GiNaC::ex> parsed()
    {
        if (m_text.size() > kLongest) {
            return Error{"is longer than " + std::to_string(kLongest) + " characters"};
        }
        const Value value = sum();
        if (next() != '\0') {
            fail("has " + here() + " where the expression should end");
        }
        if (m_problem.has_value()) {
            return Error{*m_problem};
        }
        return value.value;
    }

private:
    Value sum()
    {
        Value total = product();
        while (next() == '+' || next() == '-') {
            const bool minus = take() == '-';
            const Value term = product();
            total.value += minus ? -term.value : term.value;
            total.degree = std::max(total.degree, term.degree);
        }
        return total;
    }

    Value product()
    {
        if (next() == '-') {
            take();
            const Value value = product();
            return {-value.value, value.degree};
        }
        Value total = factor();
        while (!m_problem.has_value()) {
            const char c = next();
            if (c == '/') {
                take();
                divide(total, factor());
            } else if (c == '*' || c == '(' || isDigit(c) || startsName(c)) {
                if (c == '*') {
                    take();
                }
                const Value by = factor();
                total = {total.value * by.value, total.degree + by.degree};
            } else {
                break;
            }
            check(total);
        }
        return total;
    }

    void divide(Value& total, const Value& by)
    {
        if (m_problem.has_value()) {
            return;
        }
        if (by.value.expand().is_zero()) {
            fail("divides by zero");
        } else if (!isProduct(by.value, m_table)) {
            fail("divides by a sum; a number or a product of sizes is possible");
        } else {
            total = {total.value / by.value.expand(), total.degree + by.degree};
        }
    }

    Value factor()
    {
        Value base = primary();
        if (next() != '^' || m_problem.has_value()) {
            return base;
        }
        take();
        const std::optional<int> power = smallInteger();
        if (!power.has_value()) {
            fail("has a power that is not a number from 0 to " + std::to_string(kHighestPower));
            return base;
        }
        base = {GiNaC::pow(base.value, *power), base.degree * *power};
        check(base);
        return base;
    }

    Value primary()
    {
        const char c = next();
        if (isDigit(c) || c == '.') {
            return number();
        }
        if (startsName(c)) {
            return size();
        }
        if (c != '(') {
            fail("has " + here() + " where a number or a size should stand");
            return {};
        }
        return parenthesised();
    }

    Value parenthesised()
    {
        take();
        if (++m_depth > kDeepest) {
            fail("has more than " + std::to_string(kDeepest) + " nested parentheses");
            return {};
        }
        Value inner = sum();
        if (next() != ')') {
            fail("lacks a closing parenthesis");
            return inner;
        }
        take();
        --m_depth;
        return inner;
    }

    // 12 or 2.5, exactly.
    Value number()
    {
        std::string digits;
        GiNaC::numeric scale(1);
        bool fraction = false;
        while (m_at < m_text.size()
               && (isDigit(m_text[m_at]) || (!fraction && m_text[m_at] == '.'))) {
            if (m_text[m_at] == '.') {
                fraction = true;
            } else {
                digits += m_text[m_at];
                scale *= fraction ? 10 : 1;
            }
            ++m_at;
        }
        if (digits.empty()) {
            fail("has a point without digits");
            return {};
        }
        Value value{GiNaC::numeric(digits.c_str()) / scale};
        check(value);
        return value;
    }

    Value size()
    {
        std::string name;
        while (m_at < m_text.size() && (startsName(m_text[m_at]) || isDigit(m_text[m_at]))) {
            name += m_text[m_at++];
        }
        const SizeSymbol* size = m_table.sizeNamed(name);
        if (size == nullptr) {
            fail("names " + name + ", but this model's sizes are " + sizeNames(m_table));
            return {};
        }
        return {size->symbol, 1};
    }

    std::optional<int> smallInteger()
    {
        const bool one =
            isDigit(next()) && (m_at + 1 == m_text.size() || !isDigit(m_text[m_at + 1]));
        if (!one || next() > '0' + kHighestPower) {
            return std::nullopt;
        }
        return take() - '0';
    }

    void check(const Value& value)
    {
        if (value.degree > kHighestPower) {
            fail("has sizes to a power above " + std::to_string(kHighestPower));
        } else if (!isModest(value.value)) {
            fail("has a number of more than " + std::to_string(kMaxDigits) + " digits");
        }
    }

    // Only the first problem is kept; later ones follow from it.
    void fail(std::string problem)
    {
        if (!m_problem.has_value()) {
            m_problem = std::move(problem);
        }
        m_at = m_text.size();
    }

    char next()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) {
            ++m_at;
        }
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    char take()
    {
        const char c = next();
        ++m_at;
        return c;
    }

    std::string here()
    {
        return m_at < m_text.size() ? "\"" + std::string(m_text.substr(m_at)) + "\"" : "nothing";
    }

    std::string_view m_text;
    const SymbolTable& m_table;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<std::string> m_problem;
};

} // namespace

std::string sizeNames(const SymbolTable& table)
{
    std::vector<SizeSymbol> sizes = table.sizes();
    std::sort(sizes.begin(), sizes.end(), precedes);
    std::string text;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool last = i + 1 == sizes.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + sizes[i].name;
    }
    return text;
}

Result<GiNaC::ex> expressionFrom(std::string_view text, const SymbolTable& table)
{
    return Parser(text, table).parsed();
}

} // namespace flopsmith
