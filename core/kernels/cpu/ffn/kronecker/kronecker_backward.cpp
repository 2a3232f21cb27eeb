// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/kronecker/kronecker_blocks.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Saves for all tokens the input of every product but the first, and the slopes of the activation.
class KroneckerBackwardStage : public BackwardStage
{
public:
    KroneckerBackwardStage(const KroneckerFfn& ffn,
                           const StageSize& size,
                           WeightView<float> weights,
                           GradientSpans gradients)
        : m_ffn(ffn)
        , m_activation(ffn.activation)
        , m_size(size)
        , m_weights(weights)
        , m_weightGradients(gradients.first(2 * tensorsPerMatrix(ffn)))
        , m_layers{upLayer(ffn, size, weights, Passes::both),
                   downLayer(ffn, size, weights, Passes::both)}
        , m_blocks(ffn, size, Passes::both)
        , m_dBetweenElements(std::max(m_layers[0].between(), m_layers[1].between()))
        , m_scratchElements(std::max(m_layers[0].scratchElements(), m_layers[1].scratchElements()))
    {
        const auto buffer = [](std::int64_t count) {
            return Buffer(static_cast<std::size_t>(count));
        };
        for (std::size_t i = 0; i < 2; ++i) {
            m_between[i] = buffer(size.tokens * m_layers[i].between());
            for (const std::int64_t elements : m_layers[i].gradientElements()) {
                m_gradientElements += elements;
            }
        }
        const std::int64_t concurrentTokens = m_blocks.atOnce * m_blocks.tokens;
        m_slopes = buffer(size.tokens * ffn.dFf);
        m_hidden = buffer(size.tokens * ffn.dFf);
        m_dHidden = buffer(concurrentTokens * ffn.dFf);
        m_dBetween = buffer(concurrentTokens * m_dBetweenElements);
        m_gradients = buffer(m_blocks.atOnce * m_gradientElements);
        m_scratch = buffer(size.threads.count * m_scratchElements);
    }

    void weightsChanged() override
    {
        m_layers[0] = upLayer(m_ffn, m_size, m_weights, Passes::both);
        m_layers[1] = downLayer(m_ffn, m_size, m_weights, Passes::both);
    }

    void save(const float* x, float* y) override
    {
        const auto& [up, down] = m_layers;
        m_x = x;
        up.forward(x,
                   m_between[0].data(),
                   m_hidden.data(),
                   m_size.tokens,
                   m_size.threads,
                   m_scratch.data());
        activateKeepingSlopes(m_activation, m_hidden.data(), m_slopes.data(), m_hidden.size());
        down.forward(m_hidden.data(),
                     m_between[1].data(),
                     y,
                     m_size.tokens,
                     m_size.threads,
                     m_scratch.data());
    }

    void run(const float* dy, float* dx) override
    {
        if (m_blocks.perThread) {
            onThreads(m_size.threads, [&](int part) {
                runTokens(dy, dx, partOf(m_size.tokens, m_size.threads.count, part), part, {1});
            });
        } else {
            runTokens(dy, dx, {0, m_size.tokens}, 0, m_size.threads);
        }
        reduceGradients();
    }

private:
    // Where a slot accumulates the gradients of a layer: in its own buffer, or, for the first slot,
    // in place if the layout equals the weights'.
    KroneckerLayer::Gradients gradientsOf(std::size_t layer, int slot)
    {
        float* next = m_gradients.data() + slot * m_gradientElements;
        if (layer == 1) {
            for (const std::int64_t elements : m_layers[0].gradientElements()) {
                next += elements;
            }
        }
        const auto elements = m_layers[layer].gradientElements();
        KroneckerLayer::Gradients gradients{};
        for (std::size_t tensor = 0; tensor < tensorsPerLayer(); ++tensor) {
            gradients[tensor] = isInPlace(layer, tensor, slot)
                ? m_weightGradients[layer * tensorsPerLayer() + tensor].data()
                : next;
            next += elements[tensor];
        }
        return gradients;
    }

    std::size_t tensorsPerLayer() const { return m_weightGradients.size() / 2; }

    bool isInPlace(std::size_t layer, std::size_t tensor, int slot) const
    {
        return slot == 0 && !m_layers[layer].needsUnpacking(tensor);
    }

    void runTokens(const float* dy, float* dx, const Range& tokens, int slot, Threads threads)
    {
        for (std::int64_t first = tokens.first; first < tokens.last; first += m_blocks.tokens) {
            const Range block{first, std::min(tokens.last, first + m_blocks.tokens)};
            const Into into = first == tokens.first ? Into::overwrite : Into::accumulate;
            runBlock(dy, dx, block, slot, threads, into);
        }
    }

    void runBlock(const float* dy,
                  float* dx,
                  const Range& block,
                  int slot,
                  Threads threads,
                  Into into)
    {
        const auto& [up, down] = m_layers;
        const std::int64_t f = up.outputs();
        const std::int64_t features = block.first * m_size.dModel;
        const std::int64_t slotTokens = slot * m_blocks.tokens;
        float* dHidden = m_dHidden.data() + slotTokens * f;
        float* dBetween = m_dBetween.data() + slotTokens * m_dBetweenElements;
        float* scratch = m_scratch.data() + slot * m_scratchElements;
        down.backward(m_hidden.data() + block.first * f,
                      m_between[1].data() + block.first * down.between(),
                      dy + features,
                      dBetween,
                      dHidden,
                      block.size(),
                      threads,
                      gradientsOf(1, slot),
                      into,
                      scratch);
        onThreads(threads, [&](int part) {
            const Range mine = partOf(block.size() * f, threads.count, part, 64);
            multiplyBySaved(dHidden + mine.first,
                            m_slopes.data() + block.first * f + mine.first,
                            dHidden + mine.first,
                            static_cast<std::size_t>(mine.size()));
        });
        up.backward(m_x + features,
                    m_between[0].data() + block.first * up.between(),
                    dHidden,
                    dBetween,
                    dx + features,
                    block.size(),
                    threads,
                    gradientsOf(0, slot),
                    into,
                    scratch);
    }

    // Adds the gradients of all slots, in the layout of the weights.
    void reduceGradients()
    {
        for (std::size_t layer = 0; layer < 2; ++layer) {
            for (int slot = 0; slot < m_blocks.atOnce; ++slot) {
                const KroneckerLayer::Gradients gradients = gradientsOf(layer, slot);
                for (std::size_t tensor = 0; tensor < tensorsPerLayer(); ++tensor) {
                    if (!isInPlace(layer, tensor, slot)) {
                        m_layers[layer].unpack(
                            tensor,
                            gradients[tensor],
                            m_weightGradients[layer * tensorsPerLayer() + tensor].data(),
                            slot == 0 ? Into::overwrite : Into::accumulate);
                    }
                }
            }
        }
    }

    KroneckerFfn m_ffn;
    Activation m_activation;
    StageSize m_size;
    WeightView<float> m_weights;
    GradientSpans m_weightGradients;
    std::array<KroneckerLayer, 2> m_layers; ///< up, down
    KroneckerBlocks m_blocks;
    std::int64_t m_dBetweenElements; ///< per token, in either layer
    std::int64_t m_scratchElements; ///< per thread
    std::int64_t m_gradientElements = 0; ///< of both layers, per slot
    const float* m_x = nullptr;
    Buffer m_hidden; ///< after the activation
    Buffer m_slopes; ///< of it
    std::array<Buffer, 2> m_between; ///< between the products of each layer
    Buffer m_dHidden;
    Buffer m_dBetween;
    Buffer m_gradients; ///< per slot
    Buffer m_scratch;
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const KroneckerFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<KroneckerBackwardStage>(ffn, size, weights, gradients));
}

} // namespace flopsmith::cpu
