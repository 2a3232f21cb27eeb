// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/symbolic_numbers.h"

#include <ginac/ginac.h>

#include <string>
#include <vector>

namespace flopsmith {

/// A formula as a sum of products in an order that does not depend on how GiNaC keeps it, which
/// changes from run to run: letters by symbolPlace(), then logarithms; terms by descending powers
/// of the letters in that order, so that d^2 comes before d and a plain number last.
class CanonicalSum
{
public:
    /// The formula must be a sum of products of the table's letters, their reciprocals and
    /// numbers, or expand to one. Names are the table's of now.
    CanonicalSum(const GiNaC::ex& formula, const SymbolTable& table);

    /// "24*d^2*B*S + 4*d*B*S^2"; "0" for an empty sum. Divisions come last: "2*d^2*G*B*S/H".
    std::string text() const;

    /// The same with numbers in the place of letters: "24*768^2*1*1024 + 4*768*1*1024^2".
    std::string numbers() const;

    /// For LaTeX's mathematics: letters side by side with thin spaces, divisions as fractions.
    std::string latex() const;

    /// The letters of the formula, in logarithms too, in order.
    const std::vector<SizeSymbol>& sizes() const { return m_sizes; }

    /// The factors if it is a single product: letters of sizes() with their powers.
    bool isProduct() const { return m_terms.size() == 1; }
    int powerInProduct(std::size_t size) const { return m_terms.front().powers.at(size); }

private:
    struct Letter
    {
        std::string name;
        std::string number;
        std::string latex;
        GiNaC::symbol symbol;
        bool isLog = false;
    };

    struct Term
    {
        GiNaC::numeric coefficient{1};
        std::vector<int> powers; ///< of m_letters
    };

    void takeSizes(const GiNaC::ex& formula, const SymbolTable& table);
    void takeLogs(const GiNaC::ex& formula, const SymbolTable& table);
    Term termOf(const GiNaC::ex& product) const;
    void multiply(Term& term, const GiNaC::ex& factor) const;

    template <class Product>
    std::string joined(Product product) const;
    std::string plainProduct(const Term& term, std::string Letter::*spelling) const;
    std::string latexProduct(const Term& term) const;
    std::string latexFactors(const Term& term, int sign, bool logs) const;

    std::vector<SizeSymbol> m_sizes;
    std::vector<Letter> m_letters; ///< sizes in order, then logarithms
    std::vector<Term> m_terms;
};

} // namespace flopsmith
