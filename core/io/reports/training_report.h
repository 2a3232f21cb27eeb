// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/budget/training.h"
#include "core/io/table/table.h"

#include <optional>

namespace flopsmith {

/// What a training run takes: FLOPs, time, energy.
struct TrainingReport
{
    Scenario scenario{};
    HardwarePeak on{};
    TrainingFlops flops{}; ///< per token
    double bytesPerToken = 0.0; ///< moved by a training step, nothing fused
    TrainingRun run{};
    double powerUsageEffectiveness = 1.0;
    /// What an operation and a moved byte cost, where that is known.
    std::optional<double> picojoulesPerFlop{};
    std::optional<double> picojoulesPerByte{};
};

/// Counts what the scenario's training takes per token.
TrainingReport trainingReport(const Scenario& scenario, const HardwarePeak& on, PairsRule pairs);

/// A row per quantity: its value, its unit, and how it follows from the others.
Table trainingTable(const TrainingReport& report);

} // namespace flopsmith
