// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/model/operation.h"
#include "core/protocol/wire/message.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace flopsmith::bench {

/// What an operation runs on. The same numbers go to the kernel and to the reference.
///
/// Values are drawn as each weight's Init asks and activations have unit size, so that nothing
/// drifts towards denormal numbers, which some processors add a hundred times slower; arithmetic
/// is left as IEEE 754 wants it (no flushing to zero).
struct Inputs
{
    std::vector<float> x; ///< [T, d], of a mixer as MixerOperands says; empty for an embedding
    std::vector<float> addend; ///< f of a residual addition x + f
    std::vector<float> secondAddend; ///< g of x + f + g
    std::vector<float> images; ///< of an embedding of patches: [batch, channels, size, size]
    std::vector<float> cachedKeys; ///< of a mixer, as MixerOperands says
    std::vector<float> cachedValues;
    std::vector<int> tokenIds; ///< of an embedding: T numbers in [0, V)
    std::vector<float> dy; ///< of a backward pass: the gradient of the output, sized like it
};

struct Operands
{
    Weights<float> weights; ///< in the order of weightShapes()
    Inputs inputs;
};

WeightShapes weightShapes(const Operation& operation);

Shape shapeOf(const Operation& operation);

/// Elements of the operation's forward output.
std::size_t outputElements(const Operation& operation);

/// Numbers of a batch of images.
std::size_t imageElements(const Embedding& embedding, int batch);

/// Of a mixer's x the part that a smaller shape reads: its first tokens, and of the source too.
std::vector<float> mixerInput(const MixerSpec& mixer,
                              std::span<const float> x,
                              const Shape& from,
                              const Shape& to);

/// Bytes of weights and of one input of [T, d], without overflow for any sizes: a lower bound of
/// what the operation takes, to judge it by before anything else is asked of its sizes.
Count leastBytes(const Operation& operation);

/// Bytes of what drawnOperands() draws. Call it once leastBytes() is known to fit.
Count operandBytes(const Operation& operation);

/// `count` numbers of the given mean and deviation from `seed`. Close to normal (the sum of four
/// uniform numbers, so within 3.5 deviations) and ten times faster than exactly normal ones, which
/// for a vocabulary of 50257 tokens is the difference between noticing it and not.
/// Stops early, with zeros for the rest, when asked.
std::vector<float> drawn(std::size_t count,
                         double mean,
                         double deviation,
                         std::uint64_t seed,
                         const std::stop_token& stop);

/// Throws std::bad_alloc. Incomplete once `stop` is requested. `precision` is that of products: in
/// bfloat16 the numbers are such as bfloat16 has, so that the first product errs by its sums alone
/// and what decides by its sign (ReLU's slope) decides as the reference does.
Operands drawnOperands(const Operation& operation,
                       const std::stop_token& stop,
                       ComputePrecision precision = ComputePrecision::float32);

} // namespace flopsmith::bench
