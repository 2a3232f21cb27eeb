// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/kernels/cuda/device/device.h"
#include "core/kernels/kernel.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/layer/norm.h"
#include "core/layer/residual.h"

#include <memory>
#include <span>

// As core/kernels/cpu/layer.h, on a GPU: what surrounds mixers and FFNs. Copies and errors are as
// in ffn.h.
namespace flopsmith::cuda {

/// norm(x), [T, d]; NormKind::none copies x. Here and below with dy the backward pass.
Result<std::unique_ptr<Kernel>> prepare(const Norm& norm,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device,
                                        OptionalValues dy = {});

/// x + f or x + f + g, perhaps scaled; g is empty if there is one branch. Also its own backward.
Result<std::unique_ptr<Kernel>> prepareResidual(const Residual& residual,
                                                std::span<const float> x,
                                                std::span<const float> f,
                                                std::span<const float> g,
                                                const Device& device);

/// [T, d] of T token numbers in [0, V), positions and norm included. Token types are row 0. Backward,
/// output() has no dx, only the full gradients of tables, norm and projection.
Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const int> tokenIds,
                                        const Device& device,
                                        OptionalValues dy = {});

/// The same of images [batch, channels, size, size]; the shape's sequence is imageTokens().
Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> images,
                                        const Device& device,
                                        OptionalValues dy = {});

/// lm: logits [T, V]; pooler: [batch, d] from each sequence's first query token; classifier:
/// [batch, classes]; none: an empty output. dy is sized like it. A pooler's dx is 0 at all but the
/// first tokens.
Result<std::unique_ptr<Kernel>> prepare(const Head& head,
                                        int vocab,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device,
                                        OptionalValues dy = {});

} // namespace flopsmith::cuda
