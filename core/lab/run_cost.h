// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/io/safetensors/safetensors_header.h"
#include "core/lab/lab_log.h"
#include "core/train/batch.h"
#include "core/train/training_start.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace flopsmith {

/// What a run had cost at some step, and what tells whether it diverges.
struct RunCost
{
    Count flops = 0;
    double seconds = 0.0; ///< of the steps alone
    double first = 0.0; ///< loss of the first step
    double smoothed = 0.0; ///< loss, by which divergence is seen

    bool operator==(const RunCost&) const = default;
};

/// What a saved state says of itself, and back; the state of a branch names its view.
SafetensorsMetadata stateMetadata(const LabPlan& plan,
                                  const RunKey& key,
                                  std::optional<LabView> branch,
                                  const RunCost& cost);
RunCost costOfMetadata(SafetensorsMetadata metadata);

/// Whether a saved state is of this run, or of this branch of it.
bool isStateOf(SafetensorsMetadata metadata,
               const LabPlan& plan,
               const RunKey& key,
               std::optional<LabView> branch);

/// Rows or numbers that the loss of a batch compares.
std::size_t comparedIn(const TrainingBatch<float>& batch);

/// Numbers that steps change.
std::int64_t trainedNumbers(const TrainingStart& start);

} // namespace flopsmith
