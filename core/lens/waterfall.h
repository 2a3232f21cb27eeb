// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/model/model.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The subjects in which conventions differ. A step of a waterfall is the difference in one of
/// them.
enum class LensTopic {
    linear, ///< products of the blocks' linear layers
    embeddingProducts, ///< patch embedding, projection of a narrower table
    head, ///< products of the head: LM head, classifier, pooler
    attention, ///< scores and weighted sums over the pairs that the mask allows
    pairs, ///< everything over pairs that the mask does not allow
    dots, ///< one addition less per dot product
    biases,
    signedSums, ///< of projections with entries of ±1, which need no multiplications
    softmax,
    scale, ///< of the scores: 1/√h
    norms,
    activations,
    elementwise, ///< gates, products of two branches, weighted sums of experts
    residuals,
    lookups, ///< adding positions and token types to the embedding
    embeddingAsProduct, ///< a row of the table taken as a product with the whole table
    rotary,
    transforms,
    filters,
    selections,
    scans, ///< recurrences over the tokens
    normParameters, ///< in N, as if every token multiplied by them
    biasParameters, ///< the same for biases
    otherParameters, ///< the rest of N·T that is no product of this model
    blockShape, ///< blocks taken as full attention and a dense FFN of f = 4d
    attentionShape, ///< attention taken as d wide in every block
    headShape, ///< logits that the model computes otherwise or not at all
    tokens, ///< all tokens but one
    coreAsSquare, ///< d² in the place of scores and weighted sums
};

inline constexpr std::size_t kLensTopics = static_cast<std::size_t>(LensTopic::coreAsSquare) + 1;

std::string_view lensTopicTitle(LensTopic topic);

/// The figure of a lens by topics:  perMac · Σ macs + Σ others, exactly.
struct LensBreakdown
{
    int perMac = 2;
    std::array<Count, kLensTopics> macs{}; ///< multiply-adds that the lens counts
    std::array<Count, kLensTopics> others{}; ///< everything else that it counts

    Count& macsOf(LensTopic topic) { return macs[static_cast<std::size_t>(topic)]; }
    Count& othersOf(LensTopic topic) { return others[static_cast<std::size_t>(topic)]; }
    Count charged(LensTopic topic) const
    {
        const auto i = static_cast<std::size_t>(topic);
        return perMac * macs[i] + others[i];
    }
    Count allMacs() const;
    Count total() const;
};

LensBreakdown lensBreakdown(const Scenario& scenario, LensId lens);

/// Whether an operation of the exact tree adds to the topic. No operation adds to the topics that are
/// assumptions about a whole model.
bool addsToTopic(const CostTree<Count>::Node& operation, LensTopic topic);

/// One named difference between two lenses.
struct WaterfallStep
{
    std::string name;
    Count amount = 0; ///< signed
    std::string note; ///< what each of the two lenses charges
    std::optional<LensTopic> topic{}; ///< none for the step between MACs and FLOPs
};

/// From one lens's figure of a model to another's: start + Σ amounts = end, exactly. Both lenses
/// must be defined for the phase (lensIsDefined in lens_total.h).
struct Waterfall
{
    LensId from = LensId::exact;
    LensId to = LensId::exact;
    Count start = 0;
    Count end = 0;
    std::vector<WaterfallStep> steps{}; ///< none of them is zero
};

Waterfall waterfall(const Scenario& scenario, LensId from, LensId to);

} // namespace flopsmith
