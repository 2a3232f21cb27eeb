// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/numbers.h"

#include <ginac/ginac.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A size of the model that formulas write as a letter.
struct SizeSymbol
{
    std::string base; ///< its name in the cost formula: "f"
    std::string name; ///< its name for the reader: "f", or "f_2" for a second value of f
    std::string meaning; ///< how it follows from other sizes, or empty
    std::int64_t value = 0;
    GiNaC::symbol symbol;
};

/// The order of letters in formulas and lists: by symbolPlace(), f before f_2 before f_10.
bool precedes(const SizeSymbol& a, const SizeSymbol& b);

/// A logarithm that formulas treat as one more letter, so that they stay polynomials.
struct LogSymbol
{
    GiNaC::ex argument;
    GiNaC::symbol symbol;
};

/// The letters of one formula. A name that comes with another value (d_ff of other blocks) is
/// another letter.
///
/// GiNaC counts references without locks: everything of core/formula stays on one thread.
class SymbolTable
{
public:
    /// The letter for `base` with this value, made on first use.
    GiNaC::ex size(std::string_view base, std::int64_t value, std::string_view meaning);

    /// log2 of an expression: products become sums, powers of two numbers; the rest is a letter.
    GiNaC::ex log2(const GiNaC::ex& argument);

    /// Applies substitutions of sizes to a formula, inside logarithms too, and expands it.
    GiNaC::ex substituted(const GiNaC::ex& formula, const GiNaC::exmap& substitutions);

    /// Whether the size occurs in the formula, or in a logarithm that occurs in it.
    bool occurs(const SizeSymbol& size, const GiNaC::ex& formula) const;

    /// Calls a letter of the cost formulas by another name, with the meaning that name has.
    void rename(std::string_view base, std::string_view other);

    /// Gives every size its final name. The sizes in `formula` come first: a formula with one f
    /// calls it "f", whatever other blocks have.
    void nameSizesOf(const GiNaC::ex& formula);

    /// Gives every size the name that `nameOf` returns.
    template <class NameOf>
    void nameEach(NameOf nameOf)
    {
        for (SizeSymbol& size : m_sizes) {
            size.name = nameOf(size);
        }
    }

    const std::vector<SizeSymbol>& sizes() const { return m_sizes; }
    const std::vector<LogSymbol>& logs() const { return m_logs; }

    /// The size that the reader knows by this name, or nullptr.
    const SizeSymbol* sizeNamed(std::string_view name) const;

    /// The formula's value with all sizes put in; it must hold no logarithm.
    GiNaC::numeric valueOf(const GiNaC::ex& formula) const;

private:
    GiNaC::ex logOfInteger(const GiNaC::numeric& number);

    /// The letter for log2(argument), made on first use.
    GiNaC::ex logSymbol(const GiNaC::ex& argument);

    std::vector<SizeSymbol> m_sizes;
    std::vector<LogSymbol> m_logs;
};

/// Makes the cost templates write formulas: sizes become letters of a table.
template <>
class Numbers<GiNaC::ex>
{
public:
    explicit Numbers(SymbolTable& table)
        : m_table(table)
    {}

    GiNaC::ex operator()(std::string_view symbol,
                         std::int64_t value,
                         std::string_view meaning = {}) const
    {
        return m_table.size(symbol, value, meaning);
    }

    /// 2.5·n·log2(n) without the rounding to whole operations that the numbers have: formula and
    /// number differ by half an operation per transform at most.
    GiNaC::ex realFft(const GiNaC::ex& length, std::int64_t /*value*/) const
    {
        return GiNaC::numeric(5, 2) * length * m_table.log2(length);
    }

    GiNaC::ex complexFft(const GiNaC::ex& length, std::int64_t value) const
    {
        return GiNaC::ex(2) * realFft(length, value);
    }

private:
    SymbolTable& m_table;
};

} // namespace flopsmith
