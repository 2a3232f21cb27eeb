// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/shape.h"
#include "core/mixer/mamba2.h"

#include <algorithm>
#include <cstdint>

namespace flopsmith::cpu {

/// Sizes of Mamba-2 and the places of its parts in a row.
struct ScanPlan
{
    Mamba2 spec;
    Precision precision;
    std::int64_t sequences;
    std::int64_t sequence; ///< tokens of a sequence
    std::int64_t tokens; ///< T
    std::int64_t dModel;
    std::int64_t heads;
    std::int64_t headDim;
    std::int64_t state; ///< N
    std::int64_t groups;
    std::int64_t inner; ///< P
    std::int64_t groupState; ///< G·N
    std::int64_t channels; ///< P + 2·G·N
    std::int64_t projected; ///< z | x | B | C | Δ
    std::int64_t taps;
    std::int64_t chunk; ///< tokens; at most a sequence's
    std::int64_t chunks; ///< of a sequence
    bool chunked;

    ScanPlan(const Mamba2& mixer, const Shape& shape, Precision in)
        : spec(mixer)
        , precision(in)
        , sequences(shape.batch)
        , sequence(shape.sequence)
        , tokens(static_cast<std::int64_t>(shape.tokens()))
        , dModel(shape.dModel)
        , heads(mixer.heads)
        , headDim(mixer.headDim)
        , state(mixer.stateDim)
        , groups(mixer.groups)
        , inner(mixer.inner())
        , groupState(mixer.groupState())
        , channels(mixer.channels())
        , projected(mixer.projected())
        , taps(mixer.convWidth)
        , chunk(std::min<std::int64_t>(mixer.chunk, shape.sequence))
        , chunks((sequence + chunk - 1) / chunk)
        , chunked(mixer.isChunkedIn(shape.context > shape.sequence))
    {}

    std::int64_t matrix() const { return headDim * state; } ///< elements of one head's state
    std::int64_t groupOf(std::int64_t head) const { return head / (heads / groups); }
    std::int64_t lengthOf(std::int64_t index) const
    {
        return std::min(chunk, sequence - index * chunk);
    }
    std::int64_t firstOf(std::int64_t inSequence, std::int64_t index) const
    {
        return inSequence * sequence + index * chunk;
    }

    // In a row of x | B | C.
    std::int64_t xAt(std::int64_t head) const { return head * headDim; }
    std::int64_t bAt(std::int64_t group) const { return inner + group * state; }
    std::int64_t cAt(std::int64_t group) const { return inner + groupState + group * state; }
};

} // namespace flopsmith::cpu
