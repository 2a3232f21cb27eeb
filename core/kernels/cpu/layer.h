// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/kernel.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/layer/norm.h"
#include "core/layer/residual.h"

#include <memory>
#include <span>

// Kernels of the layers around mixers and FFNs. Weights and inputs are borrowed (see Kernel).
namespace flopsmith::cpu {

/// norm(x), [T, d]; no norm copies.
Result<std::unique_ptr<Kernel>> prepare(const Norm& norm,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads);

/// Here and below, the backward pass: output() is dx [T, d] followed by the gradient of each weight
/// in order. Preparing runs the forward pass once and saves its activations, so that x must not
/// change afterwards; dy may.
Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Norm& norm,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads);

/// x + f, of equal length. Also its own backward: the gradient of x is the sum of the gradients
/// past f and through it.
Result<std::unique_ptr<Kernel>> prepareResidual(std::span<const float> x,
                                                std::span<const float> f,
                                                Threads threads);
/// x + f or x + f + g, perhaps scaled; g is empty if there is one branch.
Result<std::unique_ptr<Kernel>> prepareResidual(const Residual& residual,
                                                std::span<const float> x,
                                                std::span<const float> f,
                                                std::span<const float> g,
                                                Threads threads);

/// [T, d] of T token ids in [0, V), positions and norm included. Token types are row 0. Here and
/// below, an Error if products cannot be computed in the precision here.
Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const int> tokenIds,
                                        Threads threads,
                                        Precision precision = Precision::float32);

/// The same of images [batch, channels, size, size]; the shape's sequence is imageTokens().
Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> images,
                                        Threads threads,
                                        Precision precision = Precision::float32);

/// No dx: output() are the gradients of the tables, in full, and of the norm.
Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Embedding& embedding,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const int> tokenIds,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision = Precision::float32);
Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Embedding& embedding,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> images,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision = Precision::float32);

/// lm: logits [T, V], with the matrix used as it is stored (no copy, so a tied one costs nothing
/// more; in bfloat16 a rounded one); pooler: [batch, d] from each sequence's first query token;
/// classifier: [batch, classes]; none: an empty output. The width of an LM head's matrix is its
/// tensor's.
Result<std::unique_ptr<Kernel>> prepare(const Head& head,
                                        int vocab,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads,
                                        Precision precision = Precision::float32);

/// dy is sized like the head's output. A pooler's dx is 0 at all but the first tokens.
Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Head& head,
                                                        int vocab,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision = Precision::float32);

} // namespace flopsmith::cpu
