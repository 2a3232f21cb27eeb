// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/symbolic_numbers.h"

#include <ginac/ginac.h>

#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith {

/// The hidden widths f of a table that are a multiple of d, as 4d or 7d/2 with a denominator of at
/// most 3: with these substitutions a block's formula is the familiar one.
class HiddenWidths
{
public:
    HiddenWidths() = default;
    explicit HiddenWidths(const SymbolTable& table);

    /// "f = 4d, f_2 = 2d" for the widths in the formula; empty if there is none.
    std::string given(const GiNaC::ex& formula, const SymbolTable& table) const;

    /// The substitutions of all widths.
    const GiNaC::exmap& substitutions() const { return m_substitutions; }

private:
    struct Width
    {
        SizeSymbol size;
        std::int64_t over = 0; ///< d times this
        std::int64_t under = 1; ///< divided by this
    };

    std::vector<Width> m_widths;
    GiNaC::exmap m_substitutions;
};

} // namespace flopsmith
