// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/monarch/monarch_layer.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Each thread takes tiles of tokens through both layers.
class MonarchStage : public Stage
{
public:
    MonarchStage(const MonarchFfn& ffn, const StageSize& size, WeightView<float> weights)
        : m_activation(ffn.activation)
        , m_size(size)
        , m_up(upLayer(ffn, size, weights))
        , m_down(downLayer(ffn, size, weights))
        , m_width(tileWidth(ffn, size, kMinTokens))
        , m_slotElements((2 * std::int64_t{size.dModel} + ffn.dFf) * m_width)
        , m_tiles(bufferSize(size.threads.count, m_slotElements))
    {}

    void run(const float* x, float* y) override
    {
        const std::int64_t tiles = (m_size.tokens + m_width - 1) / m_width;
        const std::int64_t macs = m_up.macsPerToken() + m_down.macsPerToken();
        shareOut(
            threadsFor(m_size.threads, m_size.tokens * macs), tiles, [&](auto tile, int thread) {
                runTile(x, y, tile * m_width, m_tiles.data() + thread * m_slotElements);
            });
    }

private:
    static constexpr std::int64_t kMinTokens = 32;

    void runTile(const float* x, float* y, std::int64_t first, float* at)
    {
        const std::int64_t d = m_size.dModel;
        const std::int64_t tokens = std::min(m_width, m_size.tokens - first);
        float* outer = at; // x, later y
        float* between = outer + d * m_width;
        float* hidden = between + d * m_width;
        toTile(x + first * d, d, tokens, outer, m_width);
        m_up.forward(outer, between, hidden, m_width);
        addBiasAndActivate(
            m_activation, nullptr, hidden, static_cast<std::size_t>(m_up.out() * m_width));
        m_down.forward(hidden, between, outer, m_width);
        fromTile(outer, d, m_width, y + first * d, tokens);
    }

    Activation m_activation;
    StageSize m_size;
    MonarchLayer m_up;
    MonarchLayer m_down;
    std::int64_t m_width; ///< of a tile
    std::int64_t m_slotElements; ///< per thread: x, between, hidden
    Buffer m_tiles;
};

// Few tokens would leave most of a tile empty: all threads work on one factor after the other, and
// read each weight once.
class FewTokensStage : public Stage
{
public:
    static bool isFor(const StageSize& size) { return size.tokens < 12; }

    FewTokensStage(const MonarchFfn& ffn, const StageSize& size, WeightView<float> weights)
        : m_activation(ffn.activation)
        , m_size(size)
        , m_up(upLayer(ffn, size, weights))
        , m_down(downLayer(ffn, size, weights))
        , m_between(bufferSize(size.tokens, size.dModel))
        , m_hidden(bufferSize(size.tokens, ffn.dFf))
        , m_scratch(bufferSize(
              size.threads.count,
              std::max(m_up.scratchElements(size.tokens), m_down.scratchElements(size.tokens))))
    {}

    void run(const float* x, float* y) override
    {
        m_up.forwardRows(x,
                         m_between.data(),
                         m_hidden.data(),
                         m_size.tokens,
                         m_activation,
                         m_size.threads,
                         m_scratch.data());
        m_down.forwardRows(m_hidden.data(),
                           m_between.data(),
                           y,
                           m_size.tokens,
                           Activation::none,
                           m_size.threads,
                           m_scratch.data());
    }

private:
    Activation m_activation;
    StageSize m_size;
    MonarchLayer m_up;
    MonarchLayer m_down;
    Buffer m_between;
    Buffer m_hidden;
    Buffer m_scratch;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const MonarchFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    if (FewTokensStage::isFor(size)) {
        return std::unique_ptr<Stage>(std::make_unique<FewTokensStage>(ffn, size, weights));
    }
    return std::unique_ptr<Stage>(std::make_unique<MonarchStage>(ffn, size, weights));
}

} // namespace flopsmith::cpu
