// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/constraints.h"

#include "core/formula/canonical_sum.h"
#include "core/formula/expression.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace flopsmith {
namespace {

struct Constraint
{
    std::string text;
    SizeSymbol size; ///< the size that is substituted
    GiNaC::ex value;
};

std::string inQuotes(std::string_view text)
{
    return "\"" + std::string(text) + "\"";
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::vector<std::string> separated(std::span<const std::string> texts)
{
    std::vector<std::string> all;
    for (const std::string& text : texts) {
        for (std::size_t start = 0; start <= text.size();) {
            const std::size_t end = std::min(text.find(',', start), text.size());
            all.emplace_back(trimmed(std::string_view(text).substr(start, end - start)));
            start = end + 1;
        }
    }
    return all;
}

// left = right, solved for the last letter that occurs once in the product `left`.
Result<Constraint> solved(const std::string& text,
                          const GiNaC::ex& left,
                          const GiNaC::ex& right,
                          const SymbolTable& table)
{
    const CanonicalSum sum(left, table);
    for (std::size_t i = sum.sizes().size(); sum.isProduct() && i-- > 0;) {
        if (sum.powerInProduct(i) == 1) {
            const SizeSymbol& size = sum.sizes()[i];
            return Constraint{text, size, (right * size.symbol / left.expand()).expand()};
        }
    }
    return Error{"the constraint " + inQuotes(text)
                 + " has no size to solve for: write one like \"f=4d\" or \"H*h=d\""};
}

Result<Constraint> constraintFrom(const std::string& text, const SymbolTable& table)
{
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || text.find('=', sign + 1) != std::string::npos) {
        return Error{"the constraint " + inQuotes(text)
                     + " is not of the form SIZE=EXPRESSION, as in \"f=4d\""};
    }
    GiNaC::ex sides[2];
    const std::string_view texts[2]{std::string_view(text).substr(0, sign),
                                    std::string_view(text).substr(sign + 1)};
    for (int i = 0; i < 2; ++i) {
        const Result<GiNaC::ex> side = expressionFrom(trimmed(texts[i]), table);
        if (!side.ok()) {
            return Error{"the constraint " + inQuotes(text) + " " + side.error().message};
        }
        sides[i] = side.value();
    }
    return solved(text, sides[0], sides[1], table);
}

std::string numberText(const GiNaC::numeric& value, const SymbolTable& table)
{
    return CanonicalSum(value, table).text();
}

Status checkedAgainstModel(const Constraint& constraint, const SymbolTable& table)
{
    const GiNaC::numeric should = table.valueOf(constraint.value);
    const GiNaC::numeric is(static_cast<long>(constraint.size.value));
    if (should.is_equal(is)) {
        return Done{};
    }
    return Error{"the constraint " + inQuotes(constraint.text)
                 + " does not hold for this model: " + constraint.size.name + " is "
                 + numberText(is, table) + ", and " + CanonicalSum(constraint.value, table).text()
                 + " is " + numberText(should, table)};
}

Status checkedForRepetition(const std::vector<Constraint>& constraints)
{
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (constraints[i].size.name == constraints[j].size.name) {
                return Error{"the constraints " + inQuotes(constraints[j].text) + " and "
                             + inQuotes(constraints[i].text) + " both give "
                             + constraints[i].size.name + ": leave one of them out"};
            }
        }
    }
    return Done{};
}

// The constraints that one of them needs, directly or through others.
std::vector<bool> needed(const std::vector<Constraint>& all, std::size_t from)
{
    std::vector<bool> found(all.size(), false);
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
        const GiNaC::ex value = all[open.back()].value;
        open.pop_back();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!found[i] && value.has(all[i].size.symbol)) {
                found[i] = true;
                open.push_back(i);
            }
        }
    }
    return found;
}

Status checkedForCircles(const std::vector<Constraint>& all)
{
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::vector<bool> links = needed(all, i);
        if (!links[i]) {
            continue;
        }
        std::string others;
        for (std::size_t j = 0; j < all.size(); ++j) {
            if (j != i && links[j] && needed(all, j)[i]) {
                others += (others.empty() ? " together with " : ", ") + inQuotes(all[j].text);
            }
        }
        return Error{"the constraint " + inQuotes(all[i].text) + " gives " + all[i].size.name
                     + " through itself" + others + ": leave one out"};
    }
    return Done{};
}

// Substitutes the constraints into each other until none of the given sizes is left. Without cycles
// the longest chain has as many links as there are constraints.
GiNaC::exmap closed(const std::vector<Constraint>& constraints)
{
    GiNaC::exmap direct;
    for (const Constraint& constraint : constraints) {
        direct[constraint.size.symbol] = constraint.value;
    }
    GiNaC::exmap all = direct;
    for (auto& given : all) {
        for (std::size_t i = 1; i < constraints.size(); ++i) {
            given.second = given.second.subs(direct).expand();
        }
    }
    return all;
}

} // namespace

Result<GiNaC::exmap> substitutionsFrom(std::span<const std::string> constraints,
                                       const SymbolTable& table)
{
    std::vector<Constraint> all;
    for (const std::string& text : separated(constraints)) {
        const Result<Constraint> constraint = constraintFrom(text, table);
        if (!constraint.ok()) {
            return constraint.error();
        }
        if (const Status holds = checkedAgainstModel(constraint.value(), table); !holds.ok()) {
            return holds.error();
        }
        all.push_back(constraint.value());
    }
    if (const Status once = checkedForRepetition(all); !once.ok()) {
        return once.error();
    }
    if (const Status straight = checkedForCircles(all); !straight.ok()) {
        return straight.error();
    }
    return closed(all);
}

} // namespace flopsmith
