// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/kernels/cpu/threads.h"
#include "core/kernels/kernel.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/layer/norm.h"

#include <memory>
#include <span>

// Kernels of what surrounds mixers and FFNs. Weights and inputs are lent (see Kernel).
namespace flopsmith::cpu {

/// norm(x), [T, d]; no norm copies.
Result<std::unique_ptr<Kernel>> prepare(const Norm& norm,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads);
Count bytesNeeded(const Norm& norm, const Shape& shape, Threads threads);

/// x + f, of equal length.
Result<std::unique_ptr<Kernel>> prepareResidual(std::span<const float> x,
                                                std::span<const float> f,
                                                Threads threads);
Count residualBytesNeeded(const Shape& shape);

/// [T, d] of T token numbers in [0, V), positions and norm included. Token types are row 0.
Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const int> tokenIds,
                                        Threads threads);
Count bytesNeeded(const Embedding& embedding, const Shape& shape, Threads threads);

/// lm: logits [T, V], the matrix used as it is stored (no copy, so a tied one costs nothing
/// more); pooler: [batch, d] from each sequence's first query token; none: an empty output.
Result<std::unique_ptr<Kernel>> prepare(const Head& head,
                                        int vocab,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads);
Count bytesNeeded(const Head& head, int vocab, const Shape& shape, Threads threads);

} // namespace flopsmith::cpu
