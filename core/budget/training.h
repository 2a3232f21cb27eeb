// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/model/model.h"

namespace flopsmith {

/// FLOPs of training per token, matrix products alone, as utilisation is stated: the model's own,
/// and the executed ones.
struct TrainingFlops
{
    /// Forward and backward pass, nothing computed twice: materialised attention, no checkpointing
    /// (Chowdhery et al. 2022, PaLM, appendix B: rematerialisation is not counted).
    double model = 0.0;
    /// Includes the operations that checkpointing and flash attention recompute.
    double hardware = 0.0;
    /// 6 × the parameters that multiply for one token (activeParameters()), the rule of thumb
    /// (Kaplan et al. 2020 exclude embeddings).
    double sixTimesParameters = 0.0;
};

/// Of the scenario's model and sequence length, whatever its phase. `pairs`: published figures
/// mostly take full.
TrainingFlops trainingFlopsPerToken(const Scenario& scenario, PairsRule pairs);

/// The same model and sequences as a training step.
Scenario inTraining(const Scenario& scenario);

/// A training run: its size, its devices and their utilisation.
struct TrainingRun
{
    double tokens = 0.0;
    double flopsPerToken = 0.0;
    double devices = 1.0;
    double peakFlopsPerSecond = 0.0; ///< of one device
    double utilisation = 0.0; ///< MFU, 0 … 1

    double flops() const { return tokens * flopsPerToken; }

    /// tokens × FLOPs per token ÷ (devices × peak × MFU).
    double seconds() const;
    double tokensPerSecond() const;
    double deviceHours() const;
};

inline constexpr double kSecondsPerDay = 86'400.0;

/// Joules of `devices` that draw `watts` for `seconds`, multiplied by the building's overhead for
/// cooling and conversion (power usage effectiveness, 1: none).
double joulesOfPower(double watts,
                     double seconds,
                     double devices,
                     double powerUsageEffectiveness = 1.0);

/// Joules of work: FLOPs and moved bytes, each at its price in picojoules.
double joulesOfWork(double flops, double bytes, double picojoulesPerFlop, double picojoulesPerByte);

inline constexpr double kJoulesPerKilowattHour = 3.6e6;

} // namespace flopsmith
