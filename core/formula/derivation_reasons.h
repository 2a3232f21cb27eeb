// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/formula_lens/formula_term.h"
#include "core/count/lens.h"
#include "core/formula/derivation_lines.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The pass of a training step that a line belongs to; forward outside of training.
enum class DerivationPass { forward, recomputed, backward };

/// The context that the wording of a line depends on.
struct LineContext
{
    const Scenario& scenario;
    const CostTree<Count>& tree;
    LensId lens = LensId::exact;
    PairsRule pairs = PairsRule::exact;
    DerivationPass pass = DerivationPass::forward;
    const Block* block = nullptr; ///< of a line in a block
};

/// "Projections", "Cross-attention: scores and values", "Head".
std::string titleOf(const DerivationLine& line, const LineContext& context);

/// The reason for the line's cost, in one sentence with a full stop.
std::string reasonOf(const DerivationLine& line, const LineContext& context);

/// The runs of blocks at these nodes: "Block 7", "Blocks 1 – 12", "Blocks 1 – 2, 4 – 5 and others".
std::string titleOfBlocks(const CostTree<Count>& tree, const std::vector<int>& nodes);

/// The reason for the cost of a formula lens's term.
std::string reasonOf(TermKind kind);

} // namespace flopsmith
