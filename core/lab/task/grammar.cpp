// SPDX-License-Identifier: MIT
#include "core/lab/task/grammar.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {

const std::vector<GrammarRule>& labGrammar()
{
    // Within a symbol no alternative begins another, and a determiner says the number.
    static const std::vector<GrammarRule> kRules = {
        {"sentence", 5.0, "{one} {does} {any}. "},
        {"sentence", 3.0, "{many} {do} {any}. "},
        {"sentence", 1.0, "if {one} {does} {any}, then {many} {do} {any}. "},
        {"any", 2.0, "{one}"},
        {"any", 1.0, "{many}"},
        {"one", 3.0, "the {thing}"},
        {"one", 2.0, "a {kind} {thing}"},
        {"one", 1.0, "every {thing} near the {thing}"},
        {"many", 2.0, "some {thing}s"},
        {"many", 1.0, "all {kind} {thing}s"},
        {"many", 1.0, "two {thing}s"},
        {"kind", 4.0, "small"},
        {"kind", 3.0, "old"},
        {"kind", 2.0, "quiet"},
        {"kind", 1.0, "wooden"},
        {"kind", 1.0, "bright"},
        {"thing", 6.0, "river"},
        {"thing", 5.0, "garden"},
        {"thing", 4.0, "window"},
        {"thing", 3.0, "letter"},
        {"thing", 2.0, "morning"},
        {"thing", 2.0, "teacher"},
        {"thing", 1.0, "engine"},
        {"thing", 1.0, "castle"},
        {"thing", 1.0, "island"},
        {"thing", 1.0, "question"},
        {"does", 3.0, "sees"},
        {"does", 2.0, "finds"},
        {"does", 2.0, "moves"},
        {"does", 1.0, "remembers"},
        {"does", 1.0, "never {act}s"},
        {"do", 3.0, "see"},
        {"do", 2.0, "find"},
        {"do", 2.0, "move"},
        {"do", 1.0, "remember"},
        {"do", 1.0, "never {act}"},
        {"act", 2.0, "answer"},
        {"act", 1.0, "follow"},
        {"act", 1.0, "paint"},
    };
    return kRules;
}

Grammar::Grammar(const std::vector<GrammarRule>& rules)
{
    FLOPSMITH_CHECK(!rules.empty());
    for (const GrammarRule& rule : rules) {
        const std::size_t symbol = numberOf(rule.symbol);
        std::vector<Piece> pieces = piecesOf(rule.text); // may make room for more symbols
        m_alternatives[symbol].push_back({rule.weight, std::move(pieces)});
    }
    for (std::vector<Alternative>& alternatives : m_alternatives) {
        FLOPSMITH_CHECK(!alternatives.empty()); // every symbol that is used has a rule
        double sum = 0.0;
        for (const Alternative& alternative : alternatives) {
            sum += alternative.probability;
        }
        for (Alternative& alternative : alternatives) {
            alternative.probability /= sum;
        }
    }
}

std::size_t Grammar::numberOf(std::string_view symbol)
{
    const auto known = std::find(m_names.begin(), m_names.end(), symbol);
    if (known != m_names.end()) {
        return static_cast<std::size_t>(known - m_names.begin());
    }
    m_names.push_back(symbol);
    m_alternatives.emplace_back();
    return m_names.size() - 1;
}

std::vector<Grammar::Piece> Grammar::piecesOf(std::string_view text)
{
    std::vector<Piece> pieces;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        if (open != 0) {
            const std::string_view letters = text.substr(0, open);
            pieces.push_back({.letters = std::string(letters)});
            text.remove_prefix(letters.size());
            continue;
        }
        const std::size_t close = text.find('}');
        FLOPSMITH_CHECK(close != std::string_view::npos);
        pieces.push_back({.symbol = numberOf(text.substr(1, close - 1))});
        text.remove_prefix(close + 1);
    }
    return pieces;
}

std::string Grammar::sentence(Random& random) const
{
    std::string text;
    write(0, random, text);
    return text;
}

void Grammar::write(std::size_t symbol, Random& random, std::string& text) const
{
    const std::vector<Alternative>& alternatives = m_alternatives[symbol];
    double left = random.uniform();
    std::size_t chosen = 0;
    while (chosen + 1 < alternatives.size() && left >= alternatives[chosen].probability) {
        left -= alternatives[chosen].probability;
        ++chosen;
    }
    for (const Piece& piece : alternatives[chosen].pieces) {
        if (piece.letters.empty()) {
            write(piece.symbol, random, text);
        } else {
            text += piece.letters;
        }
    }
}

Grammar::Expected Grammar::expected(std::size_t symbol) const
{
    Expected sum;
    for (const Alternative& alternative : m_alternatives[symbol]) {
        Expected own{.entropy = -std::log(alternative.probability)};
        for (const Piece& piece : alternative.pieces) {
            const Expected inner = piece.letters.empty() ? expected(piece.symbol) : Expected{};
            own.entropy += inner.entropy;
            own.length += inner.length + static_cast<double>(piece.letters.size());
        }
        sum.entropy += alternative.probability * own.entropy;
        sum.length += alternative.probability * own.length;
    }
    return sum;
}

double Grammar::sentenceEntropy() const
{
    return expected(0).entropy;
}

double Grammar::sentenceLength() const
{
    return expected(0).length;
}

} // namespace flopsmith
