// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/formula_lens/formula_term.h"
#include "core/count/lens.h"
#include "core/formula/derivation_lines.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The pass of a training step that a line stands in; all else is forward.
enum class DerivationPass { forward, recomputed, backward };

/// What the words of a line depend on.
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

/// Why the line costs what it does, in one sentence with a full stop.
std::string reasonOf(const DerivationLine& line, const LineContext& context);

/// The runs of blocks at these nodes: "Block 7", "Blocks 1 – 12", "Blocks 1 – 2, 4 – 5 and others".
std::string titleOfBlocks(const CostTree<Count>& tree, const std::vector<int>& nodes);

/// Why a term of a lens that is a formula costs what it does.
std::string reasonOf(TermKind kind);

} // namespace flopsmith
