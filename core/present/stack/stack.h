// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/model/model_cost.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// How much a part costs in one pass, as a bar.
struct CostBar
{
    const Component* component = nullptr;
    double value = 0.0; ///< FLOPs or MACs under the lens, all repeats
    double share = 0.0; ///< of the stack's most expensive bar, 0 … 1: the bar's length
    std::string text{}; ///< "40.4 G"; "uncounted" if the lens sees none of it; "–" under a formula
    std::string exactText{}; ///< "40 432 435 200 FLOPs"
    bool uncounted = false;

    bool operator==(const CostBar&) const = default;
};

/// A stage inside a composed FFN.
struct StageChip
{
    const Component* component = nullptr;
    std::string_view id{}; ///< of the variant: "spectral"
    std::string title{}; ///< "Spectral"
    std::string shortTitle{}; ///< "spectral": short enough for a chip
    CostBar bar{}; ///< of this stage alone

    bool operator==(const StageChip&) const = default;
};

enum class PartRole { embedding, mixer, cross, ffn, encoderNorm, finalNorm, head };

/// A mixer, cross-attention or FFN of a run of blocks, or a part that stands alone.
struct StackPart
{
    PartRole role = PartRole::ffn;
    const Component* component = nullptr;
    std::string title{}; ///< "Attention", "Dense FFN"
    std::string detail{}; ///< "heads 12, kv_heads 12", "50 257 × 768, learned positions"
    std::string shortDetail{}; ///< by symbols, for little space: "H 12, G 12"; may be empty
    CostBar bar{};
    std::vector<StageChip> chips{}; ///< of a composed FFN
    bool muted = false; ///< it is not executed, and its bar says "muted"

    bool operator==(const StackPart&) const = default;
};

/// One frame on the canvas: a run of equal blocks, or embedding, a norm after blocks, or head.
struct StackRow
{
    enum class Kind { embedding, run, encoderNorm, finalNorm, head };
    Kind kind = Kind::run;
    int run = -1; ///< index into Model::runs
    int firstBlock = 0;
    int repeat = 1;
    /// "Blocks 7 – 12", "Encoder blocks 1 – 6", "Blocks 1 – 28, mixer and FFN in parallel",
    /// "Embedding"
    std::string title{};
    std::string repeatText{}; ///< "× 6", or empty
    int pattern = -1; ///< index into StackPicture::patterns
    /// The effect of an edit of a run in a pattern: "pattern × 4 › Blocks 1 – 5: 20 blocks change".
    std::string patternText{};
    std::vector<StackPart> parts{}; ///< mixer, cross and FFN of a run, muted or not; else one

    bool operator==(const StackRow&) const = default;
};

/// Rows that repeat as a group. They show the first repeat, with the cost of all repeats.
struct StackPattern
{
    int pattern = 0; ///< index into Model::patterns
    int firstRow = 0;
    int lastRow = 0;
    std::string title{}; ///< "Pattern of blocks 1 – 6, of 26"
    std::string timesText{}; ///< "× 4"

    bool operator==(const StackPattern&) const = default;
};

/// The canvas's content for a scenario, from the embedding to the head.
struct StackPicture
{
    std::vector<StackRow> rows{};
    std::vector<StackPattern> patterns{};
    std::string note{}; ///< "cost of each part in one pass, exact"
    double largest = 0.0; ///< value of the longest bar
};

StackPicture stackPicture(const Scenario& scenario, const CostTree<Count>& tree, LensId lens);

/// The same stack without costs: each bar is empty, and its text is "?".
StackPicture withoutCosts(StackPicture picture);

} // namespace flopsmith
