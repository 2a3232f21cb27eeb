// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/cost_tree.h"
#include "core/formula/part_count.h"
#include "core/formula/symbolic_numbers.h"

#include <ginac/ginac.h>

#include <string>
#include <vector>

namespace flopsmith {

/// A letter of a sum over blocks.
struct SummedSymbol
{
    SizeSymbol size{}; ///< its least value; a letter with an index is named "f_i"
    std::string values{}; ///< "256 to 4096" if it has several values, otherwise empty
};

/// The formula of a model whose runs of blocks have many different sizes. Runs whose formulas
/// differ only in the values of their letters share one sum, "sum_i(4*d*f_i*N_i*B*S)", instead of a
/// term each with letters f, f_2 … f_126; a letter with one value in the whole model has no index.
struct BlockSums
{
    std::string text{};
    std::string latex{};
    std::string numbers{}; ///< one number per sum
    std::vector<SummedSymbol> symbols{};
};

/// Whether some letter of the formula has so many values that numbered letters become unreadable.
bool wantsBlockSums(const GiNaC::ex& formula, const SymbolTable& table);

/// Of the whole tree; `numbers` is the same tree in numbers.
BlockSums blockSums(const PartCount& count,
                    const CostTree<GiNaC::ex>& tree,
                    const CostTree<Count>& numbers,
                    const SymbolTable& table);

} // namespace flopsmith
