// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layer/activation.h"
#include "core/layer/gate_values.h"

#include <cstddef>

namespace flopsmith::cpu {

/// row[i] = act(row[i] + bias[i]) in one pass; `bias` may be null.
void addBiasAndActivate(Activation activation, const float* bias, float* row, std::size_t count);

/// rows[i, t] = gain[i]·act(scale·rows[i, t] + bias[i]) for t < width, which is whole registers of
/// this folder.
void finishRows(Activation activation,
                float scale,
                const float* bias,
                const float* gain,
                float* rows,
                std::size_t count,
                std::size_t width);

/// up[i] = act(gate[i] + gateBias[i]) · (up[i] + upBias[i]) in one pass; both biases may be null.
/// `values` are the gate's constants: limits of the sums, SiLU's slope, an offset.
void gateRow(Activation activation,
             const GateValues& values,
             const float* gate,
             const float* gateBias,
             float* up,
             const float* upBias,
             std::size_t count);

/// values[i] = act(values[i]) and slopes[i] = act'(values[i]) of the old value: for training, where
/// the backward pass multiplies the gradient by the slopes.
void activateKeepingSlopes(Activation activation, float* values, float* slopes, std::size_t count);

/// Of gated features the same: gate[i] = act(gate[i]), hidden[i] = act(gate[i])·up[i] and
/// slopes[i] = act'(gate[i])·up[i]; each its own array. Beyond a limit gate[i], by which the
/// gradient of up is multiplied, or slopes[i] is 0.
void gateKeepingSlopes(Activation activation,
                       const GateValues& values,
                       float* gate,
                       const float* up,
                       float* hidden,
                       float* slopes,
                       std::size_t count);

/// to[i] = gradient[i]·saved[i]; `to` may be `gradient`. The saved values are read from memory, not
/// from a cache.
void multiplyBySaved(const float* gradient, const float* saved, float* to, std::size_t count);

/// to[i] = a[i]·b[i]; `to` may be one of them.
void multiplyRow(const float* a, const float* b, float* to, std::size_t count);

/// row[i] = tanh(row[i]).
void tanhRow(float* row, std::size_t count);

/// row[i] = 1/(1 + e^−row[i]).
void sigmoidRow(float* row, std::size_t count);

/// row[i] = e^(row[i] − largest) / Σ e^(row[j] − largest); at least one value.
void softmaxRow(float* row, std::size_t count);

} // namespace flopsmith::cpu
