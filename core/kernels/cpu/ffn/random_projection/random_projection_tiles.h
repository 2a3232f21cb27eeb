// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/random_projection.h"
#include "core/kernels/cpu/ffn/random_projection/tile_width.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

// The tiles of tokens that random projection works on. For the sources of this folder only, as
// tile_width.h.
namespace flopsmith::cpu {

inline std::int64_t tilesOf(const StageSize& size)
{
    return (size.tokens + kLargeTile - 1) / kLargeTile;
}

inline int widestTile(const StageSize& size)
{
    return tileWidth(std::min<std::int64_t>(size.tokens, kLargeTile));
}

inline std::int64_t nonZeros(const RandomProjectionFfn& ffn, int dModel)
{
    return std::int64_t{ffn.features} * ffn.inputsPerFeature(dModel)
        + std::int64_t{dModel} * ffn.featuresPerOutput();
}

/// Some tokens and the arrays of both projections.
struct ProjectionTile
{
    std::int64_t index;
    std::int64_t first; ///< token
    std::int64_t tokens;
    int width;
    float* input; ///< [d, width]
    float* features; ///< [m, width]
    float* output; ///< [d, width]
};

/// Distributes the tiles: each thread takes its own if there are enough, otherwise all share each
/// tile.
class ProjectionTiles
{
public:
    ProjectionTiles(const RandomProjectionFfn& ffn, const StageSize& size)
        : m_size(size)
        , m_busy(threadsFor(size.threads, size.tokens * nonZeros(ffn, size.dModel)))
        , m_features(ffn.features)
        , m_scratch(static_cast<std::size_t>(concurrentTiles(size) * elements(ffn, size)))
    {}

    /// work(tile, each) for every tile, where each(n, part) calls part(0) … part(n − 1).
    template <class Work>
    void forEach(const Work& work)
    {
        if (concurrentTiles(m_size) > 1) {
            const auto alone = [](int count, const auto& part) {
                for (int i = 0; i < count; ++i) {
                    part(i);
                }
            };
            shareOut(m_busy, tilesOf(m_size), [&](std::int64_t index, int thread) {
                work(tile(index, thread), alone);
            });
            return;
        }
        const auto together = [this](int count, const auto& part) {
            shareOut(
                m_busy, count, [&](std::int64_t i, int /*thread*/) { part(static_cast<int>(i)); });
        };
        for (std::int64_t index = 0; index < tilesOf(m_size); ++index) {
            work(tile(index, 0), together);
        }
    }

private:
    static std::int64_t concurrentTiles(const StageSize& size)
    {
        return tilesOf(size) >= size.threads.count ? size.threads.count : 1;
    }

    static std::int64_t elements(const RandomProjectionFfn& ffn, const StageSize& size)
    {
        return (2 * std::int64_t{size.dModel} + ffn.features) * widestTile(size);
    }

    ProjectionTile tile(std::int64_t index, int place)
    {
        const std::int64_t first = index * kLargeTile;
        const std::int64_t tokens = std::min<std::int64_t>(kLargeTile, m_size.tokens - first);
        const int width = tileWidth(tokens);
        const std::int64_t d = m_size.dModel;
        float* at = m_scratch.data() + place * (2 * d + m_features) * widestTile(m_size);
        return {.index = index,
                .first = first,
                .tokens = tokens,
                .width = width,
                .input = at,
                .features = at + d * width,
                .output = at + (d + m_features) * width};
    }

    StageSize m_size;
    Threads m_busy;
    std::int64_t m_features;
    Buffer m_scratch;
};

} // namespace flopsmith::cpu
