// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/io/safetensors/safetensors_header.h"
#include "core/lab/log/lab_log.h"

#include <optional>

namespace flopsmith {

/// What a run had cost by the step that is saved.
struct RunCost
{
    Count flops = 0;
    double seconds = 0.0;
    double first = 0.0; ///< loss of the first step
    double smoothed = 0.0; ///< loss, by which divergence is seen

    bool operator==(const RunCost&) const = default;
};

/// The weight of the old value in the smoothed loss, and how far above the first loss it means
/// divergence.
inline constexpr double kRunSmoothing = 0.9;
inline constexpr double kRunDivergence = 1.0;

/// What a saved state says of its run, beside the tensors. A branch's state names its view.
SafetensorsMetadata runMetadata(const LabPlan& plan,
                                const RunKey& key,
                                const RunCost& cost,
                                std::optional<LabView> branch = std::nullopt);

/// Whether a state is one of this run, or of this branch of it.
bool isOfRun(const SafetensorsMetadata& metadata,
             const LabPlan& plan,
             const RunKey& key,
             std::optional<LabView> branch = std::nullopt);

/// The run of a state, if it says which.
std::optional<RunKey> runKey(const SafetensorsMetadata& metadata);

RunCost runCost(const SafetensorsMetadata& metadata);

} // namespace flopsmith
