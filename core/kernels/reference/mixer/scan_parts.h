// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/mixer/attention_parts.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/mixer/mamba2.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

// Mamba-2 in parts, for its forward and its backward pass.
namespace flopsmith::reference {

/// Sizes of the loops.
struct ScanLoops
{
    std::size_t batch;
    std::size_t sequence; ///< tokens of a sequence
    std::size_t tokens; ///< of all
    std::size_t heads;
    std::size_t headDim;
    std::size_t state; ///< N
    std::size_t groups;
    std::size_t inner; ///< P
    std::size_t groupState; ///< G·N
    std::size_t channels;
    std::size_t taps;
    std::size_t chunk;
    bool chunked;

    ScanLoops(const Mamba2& mixer, const Shape& shape)
        : batch(static_cast<std::size_t>(shape.batch))
        , sequence(static_cast<std::size_t>(shape.sequence))
        , tokens(shape.tokens())
        , heads(static_cast<std::size_t>(mixer.heads))
        , headDim(static_cast<std::size_t>(mixer.headDim))
        , state(static_cast<std::size_t>(mixer.stateDim))
        , groups(static_cast<std::size_t>(mixer.groups))
        , inner(static_cast<std::size_t>(mixer.inner()))
        , groupState(static_cast<std::size_t>(mixer.groupState()))
        , channels(static_cast<std::size_t>(mixer.channels()))
        , taps(static_cast<std::size_t>(mixer.convWidth))
        , chunk(std::min(static_cast<std::size_t>(mixer.chunk), sequence))
        , chunked(mixer.isChunkedIn(shape.context > shape.sequence))
    {}

    std::size_t projected() const { return inner + channels + heads; }
    std::size_t headsPerGroup() const { return heads / groups; }
    std::size_t matrix() const { return headDim * state; } ///< elements of one head's state
    std::size_t chunks() const { return (sequence + chunk - 1) / chunk; } ///< of a sequence
    /// Tokens of a sequence's chunk.
    std::size_t lengthOf(std::size_t index) const
    {
        return std::min(chunk, sequence - index * chunk);
    }
};

/// What the forward pass computes on its way, and the backward pass reads.
template <class S>
struct ScanState
{
    std::vector<S> gates; ///< z [T, P]
    std::vector<S> window; ///< inputs of the convolution [B, w_c − 1 + S, channels]
    std::vector<S> convolved; ///< [T, channels], before silu
    std::vector<S> inputs; ///< x | B | C [T, channels]
    std::vector<S> rawSteps; ///< Δ + b [T, H]
    std::vector<S> steps; ///< Δ [T, H]
    std::vector<S> decays; ///< A = −e^A_log [H]
    std::vector<S> states; ///< [B, chunks, H, h, N], each at the end of its chunk
    std::vector<S> outputs; ///< y [T, P], with D·x
    std::vector<S> openGates; ///< silu(z) [T, P]
    std::vector<S> gated; ///< y ⊙ silu(z) [T, P]
    std::vector<S> normed; ///< [T, P]

    // Token t of all, one head or group.
    std::span<const S> x(const ScanLoops& n, std::size_t t, std::size_t head) const
    {
        return std::span<const S>(inputs).subspan(t * n.channels + head * n.headDim, n.headDim);
    }
    std::span<const S> b(const ScanLoops& n, std::size_t t, std::size_t group) const
    {
        return std::span<const S>(inputs).subspan(t * n.channels + n.inner + group * n.state,
                                                  n.state);
    }
    std::span<const S> c(const ScanLoops& n, std::size_t t, std::size_t group) const
    {
        return std::span<const S>(inputs).subspan(
            t * n.channels + n.inner + n.groupState + group * n.state, n.state);
    }
    /// One head's state at the end of a sequence's chunk.
    std::span<S> stateOf(const ScanLoops& n,
                         std::size_t sequence,
                         std::size_t chunk,
                         std::size_t head)
    {
        return std::span<S>(states).subspan(
            ((sequence * n.chunks() + chunk) * n.heads + head) * n.matrix(), n.matrix());
    }
};

/// The whole forward pass but its output projection. Cached are the states [B, H, h, N] and the last
/// inputs of the convolution [B, w_c − 1, channels]; both are empty at the start of a sequence.
template <class S>
ScanState<S> scanState(const Mamba2& mixer,
                       const ScanLoops& n,
                       WeightView<S> w,
                       std::span<const S> x,
                       std::span<const S> cachedStates,
                       std::span<const S> cachedInputs);

/// Scores C_i·B_j of a group on the pairs j ≤ i of a chunk, [length, length]; others stay zero.
template <class S>
std::vector<S> chunkScores(const ScanLoops& n,
                           const ScanState<S>& state,
                           std::size_t first,
                           std::size_t length,
                           std::size_t group);

/// One head's share of a chunk.
template <class S>
struct ChunkOfHead
{
    std::vector<S> u; ///< U = Δ·x [length, h]
    std::vector<S> pairs; ///< e^(s_i − s_j) for j < i [length, length]
    std::vector<S> carried; ///< e^s_i [length]
    std::vector<S> mixing; ///< M = scores ⊙ decays [length, length]
};

template <class S>
ChunkOfHead<S> chunkOfHead(const ScanLoops& n,
                           const ScanState<S>& state,
                           const std::vector<S>& scores,
                           std::size_t first,
                           std::size_t length,
                           std::size_t head);

/// Calls run(part [T, P/G_n] of `rows`, index of its first feature) for each part that is normalised
/// alone, and writes the part back where it has changed.
template <class S, class Run>
void forEachNormPart(std::size_t tokens, std::size_t parts, std::span<S> rows, Run run)
{
    const std::size_t inner = rows.size() / tokens;
    const std::size_t width = inner / parts;
    std::vector<S> part(tokens * width);
    for (std::size_t first = 0; first < inner; first += width) {
        for (std::size_t t = 0; t < tokens; ++t) {
            std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(t * inner + first),
                        width,
                        part.begin() + static_cast<std::ptrdiff_t>(t * width));
        }
        run(std::span<S>(part), first);
        for (std::size_t t = 0; t < tokens; ++t) {
            std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(t * width),
                        width,
                        rows.begin() + static_cast<std::ptrdiff_t>(t * inner + first));
        }
    }
}

/// γ of the part that begins with a feature.
template <class S>
std::vector<std::vector<S>> partScale(const std::vector<S>& scale,
                                      std::size_t first,
                                      std::size_t width)
{
    const auto begin = scale.begin() + static_cast<std::ptrdiff_t>(first);
    return {std::vector<S>(begin, begin + static_cast<std::ptrdiff_t>(width))};
}

} // namespace flopsmith::reference
