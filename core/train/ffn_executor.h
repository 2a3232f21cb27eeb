// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/kernels/shape.h"
#include "core/train/executor.h"

#include <vector>

namespace flopsmith {

/// An FFN alone by the reference kernels: features [T, d] to FFN(x) [T, d]. Its tensors are those of
/// weights(ffn, d). Without dropout, here and below.
template <class S>
ExecutorFactory<S> ffnExecutor(FfnSpec ffn, Shape shape);

/// An FFN followed by frozen classes: features [T, d] to logits s·(x + FFN(x))·U [T, C]. U [d, C]
/// is not trained; the scale s is a tensor of one element after the FFN's.
template <class S>
ExecutorFactory<S> classifyingFfnExecutor(FfnSpec ffn, Shape shape, std::vector<S> classes);

/// The operations of classifyingFfnExecutor() besides the FFN's in one forward and backward pass:
///   forward   x + FFN(x): T·d add; times s: T·d mul; times U: T·d·C mac
///   backward  dh = dz·Uᵀ: T·d·C mac; ds: T·d mac; times s: T·d mul
/// with T tokens, d features, C classes. The gradient of x is not formed.
OpCount<Count> classifyingCount(const Count& tokens, const Count& dModel, const Count& classes);

} // namespace flopsmith
