// SPDX-License-Identifier: MIT
#pragma once

#include "core/run/model_plan.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace flopsmith {

/// The parts whose outputs a part reads: indices in ModelPlan::parts.
struct PartSources
{
    std::optional<std::size_t> x; ///< of all but embeddings; of a residual the stream
    std::optional<std::size_t> source; ///< of a mixer that reads the encoder's output
    std::optional<std::size_t> branch; ///< of a residual
    std::optional<std::size_t> secondBranch; ///< of a residual with two branches

    bool operator==(const PartSources&) const = default;
};

/// For each part of the plan.
std::vector<PartSources> sourcesOf(const ModelPlan& plan);

/// The part whose output is the model's: the head that is read, or otherwise the final norm.
std::size_t outputPart(const ModelPlan& plan);

/// The number of terms of each part's longest contraction, summed over consecutive parts: the terms
/// that compare() of core/kernels/check.h needs for a whole model.
double contractionTerms(const ModelPlan& plan);

/// Elements of a part's output.
std::size_t outputElements(const ModelPlan& plan, const ModelPart& part);

} // namespace flopsmith
