// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/model/operation.h"
#include "core/protocol/wire/message.h"
#include "core/run/model_run.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace flopsmith::bench {

/// Inputs of an operation, the same for kernel and reference.
///
/// Weights are drawn by their Init and activations have unit variance, so that no values become
/// denormal, which some processors add a hundred times slower. Denormals are not flushed to zero.
struct Inputs
{
    std::vector<float> x; ///< [T, d], of a mixer as MixerOperands says; empty for an embedding
    std::vector<float> addend; ///< f of a residual addition x + f
    std::vector<float> secondAddend; ///< g of x + f + g
    std::vector<float> images; ///< of an embedding of patches: [batch, channels, size, size]
    std::vector<float> cachedKeys; ///< of a mixer, as MixerOperands says
    std::vector<float> cachedValues;
    std::vector<int> tokenIds; ///< of an embedding: T numbers in [0, V)
    ModelInputs<float> model; ///< of a whole model, and nothing else then
    std::vector<float> dy; ///< of a backward pass: the gradient of the output, sized like it
};

struct Operands
{
    Weights<float> weights; ///< in the order of weightShapes()
    Inputs inputs;
};

/// Of a whole model those of its plan, of one that cannot be executed none.
WeightShapes weightShapes(const Operation& operation);

/// The plan of a whole model. Errors: those of planOf().
Result<ModelPlan> planOf(const ModelOperation& whole, const Operation& sizes);

Shape shapeOf(const Operation& operation);

/// Elements of the operation's forward output.
std::size_t outputElements(const Operation& operation);

/// Elements of a batch of images.
std::size_t imageElements(const Embedding& embedding, int batch);

/// The part of a mixer's x that a smaller shape reads: the first tokens, also of the source.
std::vector<float> mixerInput(const MixerSpec& mixer,
                              std::span<const float> x,
                              const Shape& from,
                              const Shape& to);

/// Bytes of weights and of one input of [T, d], without overflow for any sizes: a lower bound of
/// the operation's memory, to refuse it before anything else is computed from its sizes.
Count minBytes(const Operation& operation);

/// Bytes of what drawnOperands() draws. Call it once minBytes() is known to fit.
Count operandBytes(const Operation& operation);

/// `count` numbers of the given mean and deviation from `seed`. Approximately normal (the sum of
/// four uniform numbers, so within 3.5 deviations) and ten times faster than exactly normal ones,
/// which matters for a vocabulary of 50257 tokens. After a stop request the rest is zeros.
std::vector<float> drawn(std::size_t count,
                         double mean,
                         double deviation,
                         std::uint64_t seed,
                         const std::stop_token& stop);

/// Throws std::bad_alloc. Incomplete once `stop` is requested. `precision` is that of products: in a
/// format of 16 bits all numbers are representable, so that the first product has no rounding error of
/// its operands and signs (ReLU's slope) agree with the reference.
Operands drawnOperands(const Operation& operation,
                       const std::stop_token& stop,
                       ComputePrecision precision = ComputePrecision::float32);

} // namespace flopsmith::bench
