// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The characters of a text in UTF-8, one view per code point.
std::vector<std::string_view> charactersOf(std::string_view text);

/// The characters that a model of text knows, one token each. Characters that are rare in the text,
/// and those beyond the largest size, share the last token.
class Alphabet
{
public:
    static constexpr std::size_t kMaxSymbols = 128;
    static constexpr int kRareBelow = 5; ///< occurrences

    /// Of a text in UTF-8: by code point. At least two symbols.
    static Alphabet of(std::string_view text);

    /// Of symbols that a saved model names.
    explicit Alphabet(std::vector<std::string> symbols);

    int size() const { return static_cast<int>(m_symbols.size()); }

    /// Each is one character; U+FFFD stands for rare ones.
    const std::vector<std::string>& symbols() const { return m_symbols; }

    /// A character that is not among the symbols becomes the one for rare ones, or is left out where
    /// there is none.
    std::vector<int> tokens(std::string_view text) const;

    std::string text(std::span<const int> tokens) const;

private:
    std::vector<std::string> m_symbols; ///< in the order of their bytes, the rare one last
};

/// Entropies of a text's tokens in nats, counted from the text: of single tokens, and of a token
/// whose predecessor is known.
struct TextEntropies
{
    double uniform = 0.0; ///< ln V
    double single = 0.0;
    double pair = 0.0;
};

TextEntropies entropiesOf(std::span<const int> tokens, int vocab);

} // namespace flopsmith
