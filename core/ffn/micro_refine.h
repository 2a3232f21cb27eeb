// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/ffn/shared/channel_selection.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <vector>

namespace flopsmith {

enum class MicroRefineMode {
    groups, ///< the channels are split into micro_steps groups, each refined once
    iterative, ///< all channels are refined micro_steps times
};

template <>
std::vector<std::string_view> enumNames<MicroRefineMode>();

/// Micro-refine. groups: the channels form M = micro_steps contiguous groups; in each, the
/// round(ρ·size) channels of largest |x_j| (or a fixed list) give y_j = β_j·tanh(γ_j·x_j + δ_j),
/// the others 0. iterative: z⁰ = x; M times, on the round(ρd) kept channels,
/// z_j ← z_j + β_j·tanh(γ_j·z_j + δ_j); y = z − x.
struct MicroRefineFfn
{
    int steps = 4; ///< M, groups or iterations; at most d
    double keepRatio = 0.25; ///< ρ
    MicroRefineMode mode = MicroRefineMode::groups;
    ChannelSelection selection = ChannelSelection::topK;
    int seed = 1; ///< draws the fixed lists

    bool operator==(const MicroRefineFfn&) const = default;

    /// First channel of group g of the M groups; groupStart(M, d) = d. Sizes differ by one at most.
    int groupStart(int group, int dModel) const;

    /// Channels refined in one visit of all groups, or in one iteration.
    int keptChannels(int dModel) const;

    /// The fixed list of all groups together, ascending.
    std::vector<int> fixedList(int dModel) const;

    static const VariantInfo& info();
    static const std::vector<Field<MicroRefineFfn>>& fields();
};

/// beta, gamma, delta, each [1, d].
WeightShapes weights(const MicroRefineFfn& ffn, int dModel);

} // namespace flopsmith
