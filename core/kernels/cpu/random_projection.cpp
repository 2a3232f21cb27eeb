// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/signed_sums.h"
#include "core/kernels/cpu/stage.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

std::int64_t tilesOf(std::int64_t tokens)
{
    return (tokens + kLargeTile - 1) / kLargeTile;
}

// As many tiles are worked on at once: each thread has its own while there are enough.
std::int64_t tilesAtOnce(const StageSize& size)
{
    const std::int64_t tiles = tilesOf(size.tokens);
    return tiles >= size.threads.count ? size.threads.count : 1;
}

int widestTile(const StageSize& size)
{
    return tileWidth(std::min<std::int64_t>(size.tokens, kLargeTile));
}

class RandomProjectionStage : public Stage
{
public:
    RandomProjectionStage(const RandomProjectionFfn& ffn,
                          const StageSize& size,
                          WeightView<float> weights)
        : m_ffn(ffn)
        , m_size(size)
        , m_inward(ffn.inward(size.dModel), Stored::straight, size.threads)
        , m_outward(ffn.outward(size.dModel), Stored::straight, size.threads)
        , m_alpha(static_cast<float>(ffn.inwardScale(size.dModel)))
        , m_beta(static_cast<float>(ffn.outwardScale()))
        , m_gain(weights[0].data())
        , m_bias(weights[1].data())
        , m_tiles(static_cast<std::size_t>(tilesAtOnce(size) * tileElements()))
    {}

    void run(const float* x, float* y) override
    {
        const std::int64_t tiles = tilesOf(m_size.tokens);
        const Threads busy = worthwhile(m_size.threads, m_size.tokens * nonZeros());
        const auto alone = [](int panels, const auto& part) {
            for (int panel = 0; panel < panels; ++panel) {
                part(panel);
            }
        };
        const auto together = [busy](int panels, const auto& part) {
            shareOut(busy, panels, [&](std::int64_t panel, int /*thread*/) {
                part(static_cast<int>(panel));
            });
        };
        if (tilesAtOnce(m_size) > 1) {
            shareOut(busy, tiles, [&](std::int64_t tile, int thread) {
                runTile(x, y, tile, thread, alone);
            });
            return;
        }
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            runTile(x, y, tile, 0, together);
        }
    }

    std::size_t workspaceBytes() const override
    {
        return m_inward.bytes() + m_outward.bytes() + m_tiles.bytes();
    }

private:
    // Of inputs, features and outputs.
    std::int64_t tileElements() const
    {
        return (2 * std::int64_t{m_size.dModel} + m_ffn.features) * widestTile(m_size);
    }

    std::int64_t nonZeros() const
    {
        return std::int64_t{m_ffn.features} * m_ffn.inputsPerFeature(m_size.dModel)
            + std::int64_t{m_size.dModel} * m_ffn.featuresPerOutput();
    }

    // `each` calls a function for every panel of rows.
    template <class Each>
    void runTile(const float* x, float* y, std::int64_t tile, int place, const Each& each)
    {
        const std::int64_t d = m_size.dModel;
        const std::int64_t first = tile * kLargeTile;
        const std::int64_t tokens = std::min<std::int64_t>(kLargeTile, m_size.tokens - first);
        const int width = tileWidth(tokens);
        float* inputs = m_tiles.data() + place * tileElements();
        float* features = inputs + d * width;
        float* outputs = features + std::int64_t{m_ffn.features} * width;

        intoTile(x + first * d, tokens, d, 1.0F, {0, d}, inputs, width);
        each(m_inward.panels(), [&](int panel) {
            m_inward.run(inputs, features, width, panel);
            finishFeatures(features, width, m_inward.rowsOf(panel));
        });
        each(m_outward.panels(), [&](int panel) {
            m_outward.run(features, outputs, width, panel);
            outOfTile(outputs, width, m_beta, m_outward.rowsOf(panel), y + first * d, tokens, d);
        });
    }

    // g ⊙ act(α·sum + b)
    void finishFeatures(float* features, int width, const Range& rows) const
    {
        transformTile(features, width, rows, [this](float sum, std::int64_t i) {
            return m_alpha * sum + m_bias[i];
        });
        addBiasAndActivate(m_ffn.activation,
                           nullptr,
                           features + rows.first * width,
                           static_cast<std::size_t>(rows.size() * width));
        transformTile(
            features, width, rows, [this](float h, std::int64_t i) { return m_gain[i] * h; });
    }

    RandomProjectionFfn m_ffn;
    StageSize m_size;
    SignedSums m_inward;
    SignedSums m_outward;
    float m_alpha;
    float m_beta;
    const float* m_gain;
    const float* m_bias;
    Buffer m_tiles;
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
    const Count d = size.dModel;
    const Count m = ffn.features;
    const Count tiles = Count{sizeof(float)} * tilesAtOnce(size) * widestTile(size) * (2 * d + m);
    return tiles + SignedSums::mostBytes(m, d, m * ffn.inputsPerFeature(size.dModel), size.threads)
        + SignedSums::mostBytes(d, m, d * ffn.featuresPerOutput(), size.threads);
}

} // namespace flopsmith::cpu
