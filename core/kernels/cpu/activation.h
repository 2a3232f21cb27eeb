// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layer/activation.h"

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
void gateRow(Activation activation,
             const float* gate,
             const float* gateBias,
             float* up,
             const float* upBias,
             std::size_t count);

/// dBefore[i] = dAfter[i]·act'(before[i]); dBefore may be dAfter.
void activateBackwardRow(Activation activation,
                         const float* before,
                         const float* dAfter,
                         float* dBefore,
                         std::size_t count);

/// to[i] = a[i]·b[i]; `to` may be one of them.
void multiplyRow(const float* a, const float* b, float* to, std::size_t count);

/// row[i] = tanh(row[i]).
void tanhRow(float* row, std::size_t count);

/// row[i] = 1/(1 + e^−row[i]).
void sigmoidRow(float* row, std::size_t count);

/// row[i] = e^(row[i] − largest) / Σ e^(row[j] − largest); at least one value.
void softmaxRow(float* row, std::size_t count);

} // namespace flopsmith::cpu
