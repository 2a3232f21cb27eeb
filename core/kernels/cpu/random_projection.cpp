// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/signed_sums.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/cpu/tile_width.h"
#include "core/kernels/cpu/token_tile.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

std::int64_t tilesOf(const StageSize& size)
{
    return (size.tokens + kLargeTile - 1) / kLargeTile;
}

int widestTile(const StageSize& size)
{
    return tileWidth(std::min<std::int64_t>(size.tokens, kLargeTile));
}

std::int64_t nonZeros(const RandomProjectionFfn& ffn, int dModel)
{
    return std::int64_t{ffn.features} * ffn.inputsPerFeature(dModel)
        + std::int64_t{dModel} * ffn.featuresPerOutput();
}

// Some tokens on their way through both projections.
struct Tile
{
    std::int64_t index;
    std::int64_t first; ///< token
    std::int64_t tokens;
    int width;
    float* narrow; ///< [d, width], where the way begins
    float* features; ///< [m, width]
    float* result; ///< [d, width], where it ends
};

// Hands out the tiles: each thread has its own while there are enough, else all work on one.
class Tiles
{
public:
    Tiles(const RandomProjectionFfn& ffn, const StageSize& size)
        : m_size(size)
        , m_busy(worthwhile(size.threads, size.tokens * nonZeros(ffn, size.dModel)))
        , m_features(ffn.features)
        , m_scratch(static_cast<std::size_t>(atOnce(size) * elements(ffn, size)))
    {}

    static std::int64_t atOnce(const StageSize& size)
    {
        return tilesOf(size) >= size.threads.count ? size.threads.count : 1;
    }

    static std::int64_t elements(const RandomProjectionFfn& ffn, const StageSize& size)
    {
        return (2 * std::int64_t{size.dModel} + ffn.features) * widestTile(size);
    }

    /// work(tile, each) for every tile, where each(n, part) calls part(0) … part(n − 1).
    template <class Work>
    void forEach(const Work& work)
    {
        if (atOnce(m_size) > 1) {
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

    std::size_t bytes() const { return m_scratch.bytes(); }

private:
    Tile tile(std::int64_t index, int place)
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
                .narrow = at,
                .features = at + d * width,
                .result = at + (d + m_features) * width};
    }

    StageSize m_size;
    Threads m_busy;
    std::int64_t m_features;
    Buffer m_scratch;
};

// Both matrices, as they are or transposed, with what a tile goes through on its way.
class Projections
{
public:
    Projections(const RandomProjectionFfn& ffn, const StageSize& size, Stored stored)
        : m_dModel(size.dModel)
        , m_inward(ffn.inward(size.dModel), stored, size.threads)
        , m_outward(ffn.outward(size.dModel), stored, size.threads)
    {}

    /// y = last·R₂·f(R₁·x): the first product fills the features panel by panel, and f(rows)
    /// changes those of a panel while they are in the cache.
    template <class Each, class F>
    void forward(const float* x,
                 const Tile& tile,
                 float last,
                 float* y,
                 const Each& each,
                 const F& f) const
    {
        run(m_inward, m_outward, x, 1.0F, tile, last, y, each, f);
    }

    /// dx = last·R₁ᵀ·f(R₂ᵀ·(factor·dy)) if the matrices are stored transposed.
    template <class Each, class F>
    void backward(const float* dy,
                  float factor,
                  const Tile& tile,
                  float last,
                  float* dx,
                  const Each& each,
                  const F& f) const
    {
        run(m_outward, m_inward, dy, factor, tile, last, dx, each, f);
    }

    std::size_t bytes() const { return m_inward.bytes() + m_outward.bytes(); }

    static Count mostBytes(const RandomProjectionFfn& ffn, const StageSize& size)
    {
        const Count d = size.dModel;
        const Count m = ffn.features;
        const Count inward = m * ffn.inputsPerFeature(size.dModel);
        const Count outward = d * ffn.featuresPerOutput();
        return SignedSums::mostBytes(m, d, inward, size.threads)
            + SignedSums::mostBytes(d, m, outward, size.threads);
    }

private:
    template <class Each, class F>
    void run(const SignedSums& intoFeatures,
             const SignedSums& outOfFeatures,
             const float* from,
             float factor,
             const Tile& tile,
             float last,
             float* to,
             const Each& each,
             const F& f) const
    {
        const std::int64_t d = m_dModel;
        const std::int64_t at = tile.first * d;
        intoTile(from + at, tile.tokens, d, factor, {0, d}, tile.narrow, tile.width);
        each(intoFeatures.panels(), [&](int panel) {
            intoFeatures.run(tile.narrow, tile.features, tile.width, panel);
            f(intoFeatures.rowsOf(panel));
        });
        each(outOfFeatures.panels(), [&](int panel) {
            outOfFeatures.run(tile.features, tile.result, tile.width, panel);
            const Range rows = outOfFeatures.rowsOf(panel);
            outOfTile(tile.result, tile.width, last, rows, to + at, tile.tokens, d);
        });
    }

    std::int64_t m_dModel;
    SignedSums m_inward;
    SignedSums m_outward;
};

// features ← g ⊙ act(α·features + b) for some rows; what goes into the activation and what comes
// out of it are kept where there is room for it.
struct Finish
{
    Activation activation;
    float alpha;
    const float* gain;
    const float* bias;

    void operator()(const Tile& tile, const Range& rows, float* before, float* hidden) const
    {
        const std::int64_t first = rows.first * tile.width;
        const auto count = static_cast<std::size_t>(rows.size() * tile.width);
        if (before == nullptr && hidden == nullptr && tile.width > 1) {
            finishRows(activation,
                       alpha,
                       bias + rows.first,
                       gain + rows.first,
                       tile.features + first,
                       static_cast<std::size_t>(rows.size()),
                       static_cast<std::size_t>(tile.width));
            return;
        }
        const auto keep = [&](float* where) {
            if (where != nullptr) {
                std::copy_n(tile.features + first, count, where + first);
            }
        };
        transformTile(tile.features, tile.width, rows, [this](float sum, std::int64_t i) {
            return alpha * sum + bias[i];
        });
        keep(before);
        addBiasAndActivate(activation, nullptr, tile.features + first, count);
        keep(hidden);
        transformTile(tile.features, tile.width, rows, [this](float h, std::int64_t i) {
            return gain[i] * h;
        });
    }
};

Finish finishOf(const RandomProjectionFfn& ffn, int dModel, WeightView<float> weights)
{
    return {.activation = ffn.activation,
            .alpha = static_cast<float>(ffn.inwardScale(dModel)),
            .gain = weights[0].data(),
            .bias = weights[1].data()};
}

class RandomProjectionStage : public Stage
{
public:
    RandomProjectionStage(const RandomProjectionFfn& ffn,
                          const StageSize& size,
                          WeightView<float> weights)
        : m_projections(ffn, size, Stored::straight)
        , m_tiles(ffn, size)
        , m_finish(finishOf(ffn, size.dModel, weights))
        , m_beta(static_cast<float>(ffn.outwardScale()))
    {}

    void run(const float* x, float* y) override
    {
        m_tiles.forEach([&](const Tile& tile, const auto& each) {
            m_projections.forward(x, tile, m_beta, y, each, [&](const Range& rows) {
                m_finish(tile, rows, nullptr, nullptr);
            });
        });
    }

    std::size_t workspaceBytes() const override { return m_projections.bytes() + m_tiles.bytes(); }

private:
    Projections m_projections;
    Tiles m_tiles;
    Finish m_finish;
    float m_beta;
};

// Keeps the features of all tiles, before and after the activation. Each tile leaves its share of
// the weights' gradients, which are then added in order, so that every run gives the same sums.
class RandomProjectionBackwardStage : public BackwardStage
{
public:
    RandomProjectionBackwardStage(const RandomProjectionFfn& ffn,
                                  const StageSize& size,
                                  WeightView<float> weights,
                                  GradientSpans gradients)
        : m_size(size)
        , m_straight(ffn, size, Stored::straight)
        , m_transposed(ffn, size, Stored::transposed)
        , m_tiles(ffn, size)
        , m_finish(finishOf(ffn, size.dModel, weights))
        , m_beta(static_cast<float>(ffn.outwardScale()))
        , m_gradients{gradients[0], gradients[1]}
        , m_before(keptElements(ffn, size))
        , m_hidden(keptElements(ffn, size))
        , m_shares(2 * static_cast<std::size_t>(tilesOf(size) * ffn.features))
    {}

    static std::size_t keptElements(const RandomProjectionFfn& ffn, const StageSize& size)
    {
        return static_cast<std::size_t>(tilesOf(size) * widestTile(size) * ffn.features);
    }

    void remember(const float* x, float* y) override
    {
        m_tiles.forEach([&](const Tile& tile, const auto& each) {
            m_straight.forward(x, tile, m_beta, y, each, [&](const Range& rows) {
                m_finish(tile, rows, kept(m_before, tile), kept(m_hidden, tile));
            });
        });
    }

    void run(const float* dy, float* dx) override
    {
        m_tiles.forEach([&](const Tile& tile, const auto& each) {
            m_transposed.backward(
                dy, m_beta, tile, m_finish.alpha, dx, each, [&](const Range& rows) {
                    constexpr std::int64_t kAtOnce = 64; // rows, with all three in the cache
                    for (Range some{rows.first, rows.first}; some.last < rows.last;) {
                        some = {some.last, std::min(rows.last, some.last + kAtOnce)};
                        featuresBackward(tile, some);
                    }
                });
        });
        for (std::size_t which = 0; which < m_gradients.size(); ++which) {
            addShares(which);
        }
    }

    std::size_t workspaceBytes() const override
    {
        return m_straight.bytes() + m_transposed.bytes() + m_tiles.bytes() + m_before.bytes()
            + m_hidden.bytes() + m_shares.bytes();
    }

private:
    std::int64_t features() const { return static_cast<std::int64_t>(m_gradients[0].size()); }

    float* kept(Buffer& buffer, const Tile& tile) const
    {
        return buffer.data() + tile.index * features() * widestTile(m_size);
    }

    float* share(const Tile& tile, std::int64_t which)
    {
        return m_shares.data() + (2 * tile.index + which) * features();
    }

    // From the gradient of g ⊙ h to that of what goes into the activation.
    void featuresBackward(const Tile& tile, const Range& rows)
    {
        float* gradient = tile.features;
        sumTile(gradient, kept(m_hidden, tile), tile.width, rows, share(tile, 0));
        transformTile(gradient, tile.width, rows, [this](float value, std::int64_t i) {
            return m_finish.gain[i] * value;
        });
        const std::int64_t first = rows.first * tile.width;
        activateBackwardRow(m_finish.activation,
                            kept(m_before, tile) + first,
                            gradient + first,
                            gradient + first,
                            static_cast<std::size_t>(rows.size() * tile.width));
        sumTile(gradient, nullptr, tile.width, rows, share(tile, 1));
    }

    void addShares(std::size_t which)
    {
        const std::span<float> sum = m_gradients[which];
        std::fill(sum.begin(), sum.end(), 0.0F);
        for (std::int64_t tile = 0; tile < tilesOf(m_size); ++tile) {
            const float* from =
                m_shares.data() + (2 * tile + static_cast<std::int64_t>(which)) * features();
            combine(
                sum.data(), from, sum.data(), sum.size(), [](Lanes a, Lanes b) { return a + b; });
        }
    }

    StageSize m_size;
    Projections m_straight;
    Projections m_transposed;
    Tiles m_tiles;
    Finish m_finish;
    float m_beta;
    std::array<std::span<float>, 2> m_gradients; ///< of gain and bias
    Buffer m_before; ///< per tile [m, width]
    Buffer m_hidden;
    Buffer m_shares; ///< per tile [2, m]
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const RandomProjectionFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<RandomProjectionStage>(ffn, size, weights));
}

Count workspaceBytes(const RandomProjectionFfn& ffn, const StageSize& size)
{
    return Projections::mostBytes(ffn, size)
        + Count{sizeof(float)} * Tiles::atOnce(size) * Tiles::elements(ffn, size);
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const RandomProjectionFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<RandomProjectionBackwardStage>(ffn, size, weights, gradients));
}

Count backwardWorkspaceBytes(const RandomProjectionFfn& ffn, const StageSize& size)
{
    const Count kept = Count{tilesOf(size)} * ffn.features * (2 * widestTile(size) + 2);
    const Count d = size.dModel;
    const Count m = ffn.features;
    const Count transposed =
        SignedSums::mostBytes(d, m, m * ffn.inputsPerFeature(size.dModel), size.threads)
        + SignedSums::mostBytes(m, d, d * ffn.featuresPerOutput(), size.threads);
    return workspaceBytes(ffn, size) + transposed + Count{sizeof(float)} * kept;
}

} // namespace flopsmith::cpu
