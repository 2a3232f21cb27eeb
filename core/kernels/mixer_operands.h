// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/shape.h"
#include "core/mixer/mixer.h"

#include <cstddef>
#include <span>

namespace flopsmith {

/// Sizes of a mixer's inputs besides its weights, in elements.
struct MixerOperands
{
    /// The tokens [T, d]; after them the encoder's output [batch·S_src, d] where the mixer reads it
    /// (cross-attention in prefill).
    std::size_t x = 0;
    /// [batch, C − S, CachedFeatures::keys]; of a source S_src tokens, of a state one per sequence.
    std::size_t cachedKeys = 0;
    std::size_t cachedValues = 0;

    bool operator==(const MixerOperands&) const = default;
};

/// A mixer's inputs in host memory, sized as in MixerOperands: cached tokens oldest first, keys already
/// rotated, or a mixer's state; none in prefill (C = S). All of it is borrowed (see Kernel).
struct MixerInput
{
    std::span<const float> x;
    std::span<const float> cachedKeys;
    std::span<const float> cachedValues;
};

inline MixerOperands operandsOf(const MixerSpec& mixer, const Shape& shape)
{
    const auto width = static_cast<std::size_t>(shape.dModel);
    const bool decodes = shape.context > shape.sequence;
    std::size_t cachedTokens = static_cast<std::size_t>(shape.batch)
        * static_cast<std::size_t>(shape.context - shape.sequence);
    std::size_t rows = shape.tokens();
    if (readsSource(mixer)) {
        rows += decodes ? 0 : shape.sourceTokens();
        cachedTokens = decodes ? shape.sourceTokens() : 0;
    }
    const CachedFeatures features = cachedFeatures(mixer, shape.dModel);
    if (features.perSequence) {
        cachedTokens = decodes ? static_cast<std::size_t>(shape.batch) : 0;
    }
    return {.x = rows * width,
            .cachedKeys = cachedTokens * static_cast<std::size_t>(features.keys),
            .cachedValues = cachedTokens * static_cast<std::size_t>(features.values)};
}

} // namespace flopsmith
