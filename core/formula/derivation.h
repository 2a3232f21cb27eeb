// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formula/formula.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// The kind of a step of a derivation.
enum class DerivationRole {
    line, ///< some operations of a block, a part of the model outside of blocks, or a lens's term
    block, ///< one block: the sum of the lines since the last block
    blocks, ///< all blocks that are equal to it
    total, ///< the whole model: the sum of all blocks and of the lines outside of them
};

/// One step of a derivation.
struct DerivationStep
{
    DerivationRole role = DerivationRole::line;
    std::string title{}; ///< "Projections", "Blocks 1 – 12"
    std::string reason{}; ///< one sentence
    /// For one execution. The numbers of a line are its letters' values, the numbers of any other
    /// step the values of the steps that it adds up. Its path is the part of the cost tree around
    /// it.
    Formula formula{};
    /// The same with hidden widths written as multiples of d; empty if that changes nothing. Its
    /// numbers are the formula's.
    std::optional<Formula> simplified{};
    std::string given{}; ///< "f = 4d", the substitution of `simplified`
    /// How often the model executes the line; 0 for a sum, so that values times uses make the total.
    Count uses = 0;
};

/// How a total comes about, step by step.
struct Derivation
{
    std::string unit{}; ///< "FLOPs"
    std::vector<DerivationStep> steps{}; ///< the last one is the total
};

/// More runs of blocks take longer than a person waits.
inline constexpr std::size_t kMaxDerivedRuns = 64;

/// Derives the model's cost under a lens: the lines of each kind of block, the block, all blocks of
/// that kind, the parts outside of them, and the whole. Lines without cost are left out. A lens
/// that is a formula has its terms and their sum.
///
/// Errors: an invalid scenario, more than kMaxDerivedRuns runs. Call it on the formulas' thread.
Result<Derivation> derivationOf(const Scenario& scenario,
                                LensId lens,
                                std::optional<PairsRule> pairs = {});

/// The letters of all steps, each once, in the order in which they come up.
std::vector<FormulaSymbol> symbolsOf(const Derivation& derivation);

} // namespace flopsmith
