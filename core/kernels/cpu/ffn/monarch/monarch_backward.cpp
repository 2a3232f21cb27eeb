// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/monarch/monarch_layer.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Saves for all tokens, in tiles, the input of every product and the slopes of the activation. Each
// thread takes the same tiles every time and adds up gradients of its own, the first in place.
class MonarchBackwardStage : public BackwardStage
{
public:
    MonarchBackwardStage(const MonarchFfn& ffn,
                         const StageSize& size,
                         WeightView<float> weights,
                         GradientSpans gradients)
        : m_activation(ffn.activation)
        , m_size(size)
        , m_up(upLayer(ffn, size, weights))
        , m_down(downLayer(ffn, size, weights))
        , m_gradients(gradients.first(2 * tensorsPerMatrix(ffn)))
        , m_width(tileWidth(ffn, size, kMinTokens))
        , m_tiles((size.tokens + m_width - 1) / m_width)
        , m_busy{static_cast<int>(std::min<std::int64_t>(size.threads.count, m_tiles))}
        , m_saved(bufferSize(m_tiles, savedElements()))
        , m_scratch(bufferSize(m_busy.count, scratchElements()))
    {
        for (const std::span<float>& gradient : m_gradients) {
            m_gradientElements += static_cast<std::int64_t>(wholeLines(gradient.size()));
        }
        m_partial = Buffer(bufferSize(m_busy.count - 1, m_gradientElements));
    }

    void save(const float* x, float* y) override
    {
        onTiles([&](std::int64_t tile, int slot, Into) {
            const std::int64_t d = m_size.dModel;
            const Saved saved = savedOf(tile);
            toTile(x + tile * m_width * d, d, tokensOf(tile), saved.x, m_width);
            m_up.forward(saved.x, saved.upBetween, saved.hidden, m_width);
            activateKeepingSlopes(m_activation,
                                  saved.hidden,
                                  saved.slopes,
                                  static_cast<std::size_t>(m_up.out() * m_width));
            float* out = scratchOf(slot).outer;
            m_down.forward(saved.hidden, saved.downBetween, out, m_width);
            fromTile(out, d, m_width, y + tile * m_width * d, tokensOf(tile));
        });
    }

    void run(const float* dy, float* dx) override
    {
        onTiles([&](std::int64_t tile, int slot, Into into) { runTile(dy, dx, tile, slot, into); });
        addPartialGradients();
    }

private:
    static constexpr std::int64_t kMinTokens = 64;

    struct Saved
    {
        float* x;
        float* upBetween;
        float* hidden;
        float* slopes;
        float* downBetween;
    };

    struct Scratch
    {
        float* outer; ///< y, or dy and later dx
        float* dBetween;
        float* dHidden;
    };

    std::int64_t savedElements() const
    {
        return (3 * std::int64_t{m_size.dModel} + 2 * m_up.out()) * m_width;
    }
    std::int64_t scratchElements() const
    {
        return (2 * std::int64_t{m_size.dModel} + m_up.out()) * m_width;
    }

    Saved savedOf(std::int64_t tile)
    {
        const std::int64_t ofWidth = m_size.dModel * m_width;
        const std::int64_t ofHidden = m_up.out() * m_width;
        float* at = m_saved.data() + tile * savedElements();
        return {.x = at,
                .upBetween = at + ofWidth,
                .hidden = at + 3 * ofWidth,
                .slopes = at + 3 * ofWidth + ofHidden,
                .downBetween = at + 2 * ofWidth};
    }

    Scratch scratchOf(int slot)
    {
        const std::int64_t ofWidth = m_size.dModel * m_width;
        float* at = m_scratch.data() + slot * scratchElements();
        return {.outer = at, .dBetween = at + ofWidth, .dHidden = at + 2 * ofWidth};
    }

    std::int64_t tokensOf(std::int64_t tile) const
    {
        return std::min(m_width, m_size.tokens - tile * m_width);
    }

    // Calls each(tile, slot, whether it is the first one of the slot).
    template <class Each>
    void onTiles(const Each& each)
    {
        onThreads(m_busy, [&](int slot) {
            const Range mine = partOf(m_tiles, m_busy.count, slot);
            for (std::int64_t tile = mine.first; tile < mine.last; ++tile) {
                each(tile, slot, tile == mine.first ? Into::overwrite : Into::accumulate);
            }
        });
    }

    void runTile(const float* dy, float* dx, std::int64_t tile, int slot, Into into)
    {
        const std::int64_t d = m_size.dModel;
        const Saved saved = savedOf(tile);
        const Scratch scratch = scratchOf(slot);
        toTile(dy + tile * m_width * d, d, tokensOf(tile), scratch.outer, m_width);
        m_down.backward(saved.hidden,
                        saved.downBetween,
                        scratch.outer,
                        scratch.dBetween,
                        scratch.dHidden,
                        m_width,
                        gradientsOf(slot, tensorsPerLayer()),
                        into);
        multiplyBySaved(scratch.dHidden,
                        saved.slopes,
                        scratch.dHidden,
                        static_cast<std::size_t>(m_up.out() * m_width));
        m_up.backward(saved.x,
                      saved.upBetween,
                      scratch.dHidden,
                      scratch.dBetween,
                      scratch.outer,
                      m_width,
                      gradientsOf(slot, 0),
                      into);
        fromTile(scratch.outer, d, m_width, dx + tile * m_width * d, tokensOf(tile));
    }

    std::size_t tensorsPerLayer() const { return m_gradients.size() / 2; }

    // For the layer whose first tensor is `tensor`.
    MonarchLayer::Gradients gradientsOf(int slot, std::size_t tensor)
    {
        return {gradientOf(slot, tensor),
                gradientOf(slot, tensor + 1),
                tensorsPerLayer() > 2 ? gradientOf(slot, tensor + 2) : nullptr};
    }

    float* gradientOf(int slot, std::size_t tensor)
    {
        if (slot == 0) {
            return m_gradients[tensor].data();
        }
        float* at = m_partial.data() + (slot - 1) * m_gradientElements;
        for (std::size_t i = 0; i < tensor; ++i) {
            at += wholeLines(m_gradients[i].size());
        }
        return at;
    }

    void addPartialGradients()
    {
        for (std::size_t tensor = 0; tensor < m_gradients.size(); ++tensor) {
            const auto elements = static_cast<std::int64_t>(m_gradients[tensor].size());
            const Threads busy = threadsFor(m_busy, elements * (m_busy.count - 1));
            onThreads(busy, [&](int part) {
                const Range mine = partOf(elements, busy.count, part, 16);
                for (int slot = 1; slot < m_busy.count; ++slot) {
                    const float* from = gradientOf(slot, tensor);
                    float* to = m_gradients[tensor].data();
                    for (std::int64_t i = mine.first; i < mine.last; ++i) {
                        to[i] += from[i];
                    }
                }
            });
        }
    }

    Activation m_activation;
    StageSize m_size;
    MonarchLayer m_up;
    MonarchLayer m_down;
    GradientSpans m_gradients;
    std::int64_t m_width; ///< of a tile
    std::int64_t m_tiles;
    Threads m_busy;
    std::int64_t m_gradientElements = 0; ///< of all tensors, each from a cache line's start
    Buffer m_saved; ///< per tile
    Buffer m_scratch; ///< per thread
    Buffer m_partial; ///< gradients of every thread but the first
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const MonarchFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<MonarchBackwardStage>(ffn, size, weights, gradients));
}

} // namespace flopsmith::cpu
