// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/canonical_sum.h"

#include "core/base/check.h"
#include "core/formula/symbol_names.h"

#include <algorithm>
#include <cstdlib>
#include <locale>
#include <sstream>

namespace flopsmith {
namespace {

// The operands of a sum or product, or the expression itself if it is neither.
template <class Kind>
GiNaC::exvector operands(const GiNaC::ex& expression)
{
    if (!GiNaC::is_a<Kind>(expression)) {
        return {expression};
    }
    return GiNaC::exvector(expression.begin(), expression.end());
}

std::string digitsOf(const GiNaC::numeric& number)
{
    std::ostringstream stream;
    stream.imbue(std::locale::classic());
    stream << number;
    return stream.str();
}

std::string withPower(const std::string& factor, int power)
{
    return power == 1 ? factor : factor + "^" + std::to_string(power);
}

void append(std::string& product, std::string_view between, const std::string& factor)
{
    if (!product.empty() && !factor.empty()) {
        product += between;
    }
    product += factor;
}

} // namespace

CanonicalSum::CanonicalSum(const GiNaC::ex& formula, const SymbolTable& table)
{
    const GiNaC::ex sum = formula.expand();
    takeSizes(sum, table);
    takeLogs(sum, table);
    for (const GiNaC::ex& product : operands<GiNaC::add>(sum)) {
        if (!product.is_zero()) {
            m_terms.push_back(termOf(product));
        }
    }
    std::sort(m_terms.begin(), m_terms.end(), [](const Term& a, const Term& b) {
        return a.powers > b.powers;
    });
}

void CanonicalSum::takeSizes(const GiNaC::ex& formula, const SymbolTable& table)
{
    for (const SizeSymbol& size : table.sizes()) {
        if (table.occurs(size, formula)) {
            m_sizes.push_back(size);
        }
    }
    std::sort(m_sizes.begin(), m_sizes.end(), precedes);
    for (const SizeSymbol& size : m_sizes) {
        m_letters.push_back({.name = size.name,
                             .number = std::to_string(size.value),
                             .latex = latexName(size.name),
                             .symbol = size.symbol});
    }
}

void CanonicalSum::takeLogs(const GiNaC::ex& formula, const SymbolTable& table)
{
    for (const LogSymbol& log : table.logs()) {
        if (formula.has(log.symbol)) {
            const CanonicalSum argument(log.argument, table);
            const std::string latex = argument.latex();
            m_letters.push_back(
                {.name = "log2(" + argument.text() + ")",
                 .number = "log2(" + argument.numbers() + ")",
                 .latex = "\\log_2 " + (argument.isProduct() ? latex : "(" + latex + ")"),
                 .symbol = log.symbol,
                 .isLog = true});
        }
    }
    const auto logs = m_letters.begin() + static_cast<std::ptrdiff_t>(m_sizes.size());
    std::sort(
        logs, m_letters.end(), [](const Letter& a, const Letter& b) { return a.name < b.name; });
}

CanonicalSum::Term CanonicalSum::termOf(const GiNaC::ex& product) const
{
    Term term{.powers = std::vector<int>(m_letters.size(), 0)};
    for (const GiNaC::ex& factor : operands<GiNaC::mul>(product)) {
        multiply(term, factor);
    }
    return term;
}

void CanonicalSum::multiply(Term& term, const GiNaC::ex& factor) const
{
    if (GiNaC::is_a<GiNaC::numeric>(factor)) {
        term.coefficient *= GiNaC::ex_to<GiNaC::numeric>(factor);
        return;
    }
    const bool isPower = GiNaC::is_a<GiNaC::power>(factor);
    const GiNaC::ex symbol = isPower ? factor.op(0) : factor;
    const GiNaC::ex power = isPower ? factor.op(1) : GiNaC::ex(1);
    const auto letter = std::find_if(m_letters.begin(), m_letters.end(), [&](const Letter& known) {
        return symbol.is_equal(known.symbol);
    });
    FLOPSMITH_CHECK(letter != m_letters.end() && power.info(GiNaC::info_flags::integer));
    term.powers[static_cast<std::size_t>(letter - m_letters.begin())] +=
        GiNaC::ex_to<GiNaC::numeric>(power).to_int();
}

std::string CanonicalSum::text() const
{
    return joined([this](const Term& term) { return plainProduct(term, &Letter::name); });
}

std::string CanonicalSum::numbers() const
{
    return joined([this](const Term& term) { return plainProduct(term, &Letter::number); });
}

std::string CanonicalSum::latex() const
{
    return joined([this](const Term& term) { return latexProduct(term); });
}

// `product` spells a term without its sign.
template <class Product>
std::string CanonicalSum::joined(Product product) const
{
    std::string text;
    for (const Term& term : m_terms) {
        const bool negative = term.coefficient.is_negative();
        if (text.empty()) {
            text = negative ? "-" : "";
        } else {
            text += negative ? " - " : " + ";
        }
        text += product(term);
    }
    return m_terms.empty() ? "0" : text;
}

std::string CanonicalSum::plainProduct(const Term& term, std::string Letter::*spelling) const
{
    const GiNaC::numeric size = GiNaC::abs(term.coefficient);
    std::string product = size.is_equal(1) ? "" : digitsOf(size);
    std::string divisors;
    for (std::size_t i = 0; i < m_letters.size(); ++i) {
        const int power = term.powers[i];
        const std::string factor = withPower(m_letters[i].*spelling, std::abs(power));
        if (power > 0) {
            append(product, "*", factor);
        } else if (power < 0) {
            divisors += "/" + factor;
        }
    }
    return (product.empty() ? "1" : product) + divisors;
}

std::string CanonicalSum::latexProduct(const Term& term) const
{
    const GiNaC::numeric size = GiNaC::abs(term.coefficient);
    const GiNaC::numeric over = size.numer();
    const GiNaC::numeric under = size.denom();
    std::string above = over.is_equal(1) ? "" : digitsOf(over);
    std::string below = under.is_equal(1) ? "" : digitsOf(under);
    const std::string letters = latexFactors(term, +1, false);
    const std::string divisors = latexFactors(term, -1, false);
    if (!divisors.empty()) {
        append(above, "\\,", letters);
        append(below, "\\,", divisors);
    }
    const std::string one = above.empty() ? "1" : above;
    std::string product = below.empty() ? above : "\\frac{" + one + "}{" + below + "}";
    if (divisors.empty()) {
        append(product, "\\,", letters);
    }
    append(product, "\\,", latexFactors(term, +1, true));
    return product.empty() ? "1" : product;
}

// The letters above (sign > 0) or below the fraction bar; logarithms are written beside it.
std::string CanonicalSum::latexFactors(const Term& term, int sign, bool logs) const
{
    std::string product;
    for (std::size_t i = 0; i < m_letters.size(); ++i) {
        const Letter& letter = m_letters[i];
        const int power = sign * term.powers[i];
        if (power <= 0 || letter.isLog != logs) {
            continue;
        }
        const std::string base =
            letter.isLog && power > 1 ? "(" + letter.latex + ")" : letter.latex;
        append(product, "\\,", power == 1 ? base : base + "^{" + std::to_string(power) + "}");
    }
    return product;
}

} // namespace flopsmith
