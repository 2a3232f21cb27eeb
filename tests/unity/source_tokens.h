// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::test {

// A word, number, literal or character of C++ source. Comments are left out; of the preprocessor's
// lines only #define and #undef are kept, as one token each.
struct SourceToken
{
    enum class Kind { word, number, literal, symbol, define, undefine };

    Kind kind = Kind::symbol;
    std::string text; ///< of a literal: empty; of #define and #undef: the macro's name
    int line = 1;

    bool is(std::string_view other) const { return kind <= Kind::symbol && text == other; }
    bool isWord() const { return kind == Kind::word; }
};

std::vector<SourceToken> sourceTokens(std::string_view source);

} // namespace flopsmith::test
