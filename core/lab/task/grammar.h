// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/random.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// One way to write a symbol: other symbols of the grammar, by their names in braces, and letters:
/// "{noun} {verb}".
struct GrammarRule
{
    std::string_view symbol;
    double weight = 1.0; ///< over the sum of the weights of all rules of the symbol
    std::string_view text;
};

/// The English of the lab: sentences of lower case that end with ". ". Two different ways to draw a
/// sentence never give the same letters, so that the draws have the entropy of the text.
const std::vector<GrammarRule>& labGrammar();

/// Sentences from a grammar without loops that never end.
class Grammar
{
public:
    /// The first rule's symbol is a sentence.
    explicit Grammar(const std::vector<GrammarRule>& rules);

    std::string sentence(Random& random) const;

    double sentenceEntropy() const; ///< nats
    double sentenceLength() const; ///< characters, on average

    /// Nats per character of sentences one after the other: entropy over length.
    double entropy() const { return sentenceEntropy() / sentenceLength(); }

private:
    struct Piece
    {
        std::string letters; ///< empty: a symbol
        std::size_t symbol = 0;
    };
    struct Alternative
    {
        double probability = 0.0;
        std::vector<Piece> pieces;
    };
    struct Expected
    {
        double entropy = 0.0;
        double length = 0.0;
    };

    std::size_t numberOf(std::string_view symbol);
    std::vector<Piece> piecesOf(std::string_view text);
    void write(std::size_t symbol, Random& random, std::string& text) const;
    Expected expected(std::size_t symbol) const;

    std::vector<std::string_view> m_names;
    std::vector<std::vector<Alternative>> m_alternatives; ///< of each symbol
};

} // namespace flopsmith
