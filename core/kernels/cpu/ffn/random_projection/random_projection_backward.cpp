// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/random_projection/random_projection_layer.h"

#include <array>

namespace flopsmith::cpu {
namespace {

// Saves the slopes and the output of the activation of all tiles. Each tile has partial sums of the
// weights' gradients, which are then added in the order of the tiles: the same in every run.
class RandomProjectionBackwardStage : public BackwardStage
{
public:
    RandomProjectionBackwardStage(const RandomProjectionFfn& ffn,
                                  const StageSize& size,
                                  WeightView<float> weights,
                                  GradientSpans gradients)
        : m_size(size)
        , m_notTransposed(ffn, size, Stored::notTransposed)
        , m_transposed(ffn, size, Stored::transposed)
        , m_tiles(ffn, size)
        , m_finish(finishOf(ffn, size.dModel, weights))
        , m_beta(static_cast<float>(ffn.outputScale()))
        , m_gradients{gradients[0], gradients[1]}
        , m_slopes(savedElements(ffn, size))
        , m_hidden(savedElements(ffn, size))
        , m_shares(2 * static_cast<std::size_t>(tilesOf(size) * ffn.features))
    {}

    void save(const float* x, float* y) override
    {
        m_tiles.forEach([&](const ProjectionTile& tile, const auto& each) {
            m_notTransposed.forward(x, tile, m_beta, y, each, [&](const Range& rows) {
                m_finish(tile, rows, saved(m_slopes, tile), saved(m_hidden, tile));
            });
        });
    }

    void run(const float* dy, float* dx) override
    {
        m_tiles.forEach([&](const ProjectionTile& tile, const auto& each) {
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

private:
    static std::size_t savedElements(const RandomProjectionFfn& ffn, const StageSize& size)
    {
        return static_cast<std::size_t>(tilesOf(size) * widestTile(size) * ffn.features);
    }

    std::int64_t features() const { return static_cast<std::int64_t>(m_gradients[0].size()); }

    float* saved(Buffer& buffer, const ProjectionTile& tile) const
    {
        return buffer.data() + tile.index * features() * widestTile(m_size);
    }

    float* share(const ProjectionTile& tile, std::int64_t which)
    {
        return m_shares.data() + (2 * tile.index + which) * features();
    }

    // From the gradient of g ⊙ h to the gradient of the pre-activation.
    void featuresBackward(const ProjectionTile& tile, const Range& rows)
    {
        float* gradient = tile.features;
        sumTile(gradient, saved(m_hidden, tile), tile.width, rows, share(tile, 0));
        transformTile(gradient, tile.width, rows, [this](float value, std::int64_t i) {
            return m_finish.gain[i] * value;
        });
        const std::int64_t first = rows.first * tile.width;
        multiplyBySaved(gradient + first,
                        saved(m_slopes, tile) + first,
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
    Projections m_notTransposed;
    Projections m_transposed;
    ProjectionTiles m_tiles;
    ProjectionFinish m_finish;
    float m_beta;
    std::array<std::span<float>, 2> m_gradients; ///< of gain and bias
    Buffer m_slopes; ///< per tile [m, width]
    Buffer m_hidden;
    Buffer m_shares; ///< per tile [2, m]
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const RandomProjectionFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<RandomProjectionBackwardStage>(ffn, size, weights, gradients));
}

} // namespace flopsmith::cpu
