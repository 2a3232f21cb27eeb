// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace flopsmith {

/// Sizes of one execution: `batch` sequences with `sequence` query tokens each, the last of
/// `context` tokens; keys and values of the earlier tokens are cached (context = sequence in
/// prefill). Activations are row-major [batch·sequence, dModel]: one token is one contiguous row.
struct Shape
{
    int batch = 1;
    int sequence = 1;
    int context = 1;
    int dModel = 768;
    int source = 0; ///< encoder tokens per sequence, for cross-attention; 0: as many as `context`
    bool training = false; ///< a forward pass that a backward pass follows: dropout acts

    std::size_t tokens() const
    {
        return static_cast<std::size_t>(batch) * static_cast<std::size_t>(sequence);
    }

    std::size_t sourceTokens() const
    {
        return static_cast<std::size_t>(batch)
            * static_cast<std::size_t>(source > 0 ? source : context);
    }

    std::size_t activations() const { return tokens() * static_cast<std::size_t>(dModel); }

    bool operator==(const Shape&) const = default;
};

} // namespace flopsmith
