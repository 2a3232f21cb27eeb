// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/budget/training.h"
#include "core/io/table/table.h"

#include <optional>

namespace flopsmith {

/// The cost of a training run: FLOPs, time, energy.
struct TrainingReport
{
    Scenario scenario{};
    HardwarePeak on{};
    TrainingFlops flops{}; ///< per token
    double bytesPerToken = 0.0; ///< moved by a training step, nothing fused
    TrainingRun run{};
    double powerUsageEffectiveness = 1.0;
    /// The energy of an operation and of a moved byte, if known.
    std::optional<double> picojoulesPerFlop{};
    std::optional<double> picojoulesPerByte{};
};

/// Counts the scenario's training per token.
TrainingReport trainingReport(const Scenario& scenario, const HardwarePeak& on, PairsRule pairs);

/// A row per quantity: its value, its unit, and how it follows from the others.
Table trainingTable(const TrainingReport& report);

} // namespace flopsmith
