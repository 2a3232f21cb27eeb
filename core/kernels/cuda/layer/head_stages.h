// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/stage.h"
#include "core/layer/head.h"

#include <memory>

// The two kinds of heads; weights and gradients are borrowed.
namespace flopsmith::cuda {

/// Logits [T, V] of x [T, d].
std::unique_ptr<Stage> makeLmHead(const Device& device,
                                  const Head& head,
                                  int vocab,
                                  const Shape& shape,
                                  DeviceWeights weights);
std::unique_ptr<BackwardStage> makeLmHeadBackward(const Device& device,
                                                  const Head& head,
                                                  int vocab,
                                                  const Shape& shape,
                                                  DeviceWeights weights,
                                                  DeviceGradients gradients);

/// A pooler, a classifier, or a classifier behind a pooler.
std::unique_ptr<Stage> makeFirstTokenHead(const Device& device,
                                          const Head& head,
                                          const Shape& shape,
                                          DeviceWeights weights);
std::unique_ptr<BackwardStage> makeFirstTokenHeadBackward(const Device& device,
                                                          const Head& head,
                                                          const Shape& shape,
                                                          DeviceWeights weights,
                                                          DeviceGradients gradients);

} // namespace flopsmith::cuda
