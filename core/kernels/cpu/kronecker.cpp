// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/hidden_blocks.h"
#include "core/kernels/cpu/kronecker_layer.h"
#include "core/kernels/cpu/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

using Factor = KroneckerFfn::Factor;

// Tensors of one matrix.
std::size_t tensorsPerMatrix(const KroneckerFfn& ffn)
{
    return ffn.bias ? 3 : 2;
}

KroneckerLayer upLayer(const KroneckerFfn& ffn, int d, WeightView<float> weights, Passes passes)
{
    return {ffn.up(d),
            ffn.keptColumns(Factor::upA, d),
            ffn.keptColumns(Factor::upB, d),
            weights,
            ffn.bias,
            passes};
}

KroneckerLayer downLayer(const KroneckerFfn& ffn, int d, WeightView<float> weights, Passes passes)
{
    return {ffn.down(d),
            ffn.keptColumns(Factor::downA, d),
            ffn.keptColumns(Factor::downB, d),
            weights.subspan(tensorsPerMatrix(ffn)),
            ffn.bias,
            passes};
}

// How the tokens are worked through. Where all factors stay in a thread's cache, each thread takes
// blocks of tokens through both layers, so that nothing between x and y leaves the cache either.
// With few tokens, or factors so large that many tokens should share a pass over them, all threads
// work on one product at a time.
struct Blocks
{
    bool perThread = false;
    std::int64_t tokens = 1; ///< in a block
    std::int64_t atOnce = 1; ///< blocks

    Blocks(const KroneckerFfn& ffn, const StageSize& size, Passes passes)
    {
        constexpr std::int64_t kFactorElements = 1 << 18; // 1 MiB of a second-level cache
        constexpr std::int64_t kBlockElements = 1 << 17;
        const std::int64_t perToken = elementsPerToken(ffn, size.dModel);
        const std::int64_t entries = entriesOf(ffn, size.dModel);
        const std::int64_t threads = size.threads.count;
        perThread = entries <= kFactorElements && size.tokens >= 4 * threads;
        if (perThread) {
            atOnce = threads;
            tokens = std::clamp<std::int64_t>(kBlockElements / perToken, 1, size.tokens / threads);
        } else if (passes == Passes::forward) {
            tokens = HiddenBlocks(size.tokens, perToken).elements() / perToken;
        } else {
            tokens = size.tokens; // what is kept is that large anyway
        }
    }

    // The hidden layer, and what lies between the products of a matrix.
    static std::int64_t elementsPerToken(const KroneckerFfn& ffn, int d)
    {
        return ffn.dFf + std::max(ffn.up(d).between(), ffn.down(d).between());
    }

    static std::int64_t entriesOf(const KroneckerFfn& ffn, int d)
    {
        const KroneckerMatrix up = ffn.up(d);
        const KroneckerMatrix down = ffn.down(d);
        return up.a.entries() + up.b.entries() + down.a.entries() + down.b.entries();
    }
};

// Floor: the products' multiply-adds at the rate of small matrix products; x and y pass through
// memory once, all else stays in the second-level cache. For d = 4096 = 64·64 and f = 16384 =
// 128·128 that is 6.3 million operations against 32 KiB per token: bound by the products.
class KroneckerStage : public Stage
{
public:
    KroneckerStage(const KroneckerFfn& ffn, const StageSize& size, WeightView<float> weights)
        : m_size(size)
        , m_up(upLayer(ffn, size.dModel, weights, Passes::forward))
        , m_down(downLayer(ffn, size.dModel, weights, Passes::forward))
        , m_blocks(ffn, size, Passes::forward)
        , m_betweenElements(std::max(m_up.between(), m_down.between()))
        , m_scratchElements(std::max(m_up.scratchElements(), m_down.scratchElements()))
    {
        const std::int64_t tokens = m_blocks.atOnce * m_blocks.tokens;
        m_hidden = Buffer(static_cast<std::size_t>(tokens * ffn.dFf));
        m_between = Buffer(static_cast<std::size_t>(tokens * m_betweenElements));
        m_scratch = Buffer(static_cast<std::size_t>(size.threads.count * m_scratchElements));
        m_up.activatedBy(ffn.activation);
    }

    void run(const float* x, float* y) override
    {
        const std::int64_t blocks = (m_size.tokens + m_blocks.tokens - 1) / m_blocks.tokens;
        if (!m_blocks.perThread) {
            for (std::int64_t block = 0; block < blocks; ++block) {
                runBlock(x, y, block, 0, m_size.threads);
            }
            return;
        }
        const std::int64_t macs = m_up.macsPerToken() + m_down.macsPerToken();
        shareOut(worthwhile(m_size.threads, m_size.tokens * macs),
                 blocks,
                 [&](std::int64_t block, int thread) { runBlock(x, y, block, thread, {1}); });
    }

    std::size_t workspaceBytes() const override
    {
        return m_up.bytes() + m_down.bytes() + m_hidden.bytes() + m_between.bytes()
            + m_scratch.bytes();
    }

private:
    void runBlock(const float* x, float* y, std::int64_t block, int slot, Threads threads)
    {
        const std::int64_t first = block * m_blocks.tokens;
        const std::int64_t tokens = std::min(m_blocks.tokens, m_size.tokens - first);
        const std::int64_t slotTokens = slot * m_blocks.tokens;
        float* hidden = m_hidden.data() + slotTokens * m_up.outputs();
        float* between = m_between.data() + slotTokens * m_betweenElements;
        float* scratch = m_scratch.data() + slot * m_scratchElements;
        m_up.forward(x + first * m_size.dModel, between, hidden, tokens, threads, scratch);
        m_down.forward(hidden, between, y + first * m_size.dModel, tokens, threads, scratch);
    }

    StageSize m_size;
    KroneckerLayer m_up;
    KroneckerLayer m_down;
    Blocks m_blocks;
    std::int64_t m_betweenElements; ///< per token, in either layer
    std::int64_t m_scratchElements; ///< per thread
    Buffer m_hidden;
    Buffer m_between;
    Buffer m_scratch;
};

// Keeps what goes into every product but the first, and into the activation, for all tokens.
class KroneckerBackwardStage : public BackwardStage
{
public:
    KroneckerBackwardStage(const KroneckerFfn& ffn,
                           const StageSize& size,
                           WeightView<float> weights,
                           GradientSpans gradients)
        : m_activation(ffn.activation)
        , m_size(size)
        , m_weightGradients(gradients.first(2 * tensorsPerMatrix(ffn)))
        , m_layers{upLayer(ffn, size.dModel, weights, Passes::both),
                   downLayer(ffn, size.dModel, weights, Passes::both)}
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
        const std::int64_t atWork = m_blocks.atOnce * m_blocks.tokens;
        m_before = buffer(size.tokens * ffn.dFf);
        m_hidden = buffer(size.tokens * ffn.dFf);
        m_dHidden = buffer(atWork * ffn.dFf);
        m_dBetween = buffer(atWork * m_dBetweenElements);
        m_gradients = buffer(m_blocks.atOnce * m_gradientElements);
        m_scratch = buffer(size.threads.count * m_scratchElements);
    }

    void remember(const float* x, float* y) override
    {
        const auto& [up, down] = m_layers;
        m_x = x;
        up.forward(x,
                   m_between[0].data(),
                   m_before.data(),
                   m_size.tokens,
                   m_size.threads,
                   m_scratch.data());
        std::copy_n(m_before.data(), m_before.size(), m_hidden.data());
        addBiasAndActivate(m_activation, nullptr, m_hidden.data(), m_hidden.size());
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
        collect();
    }

    std::size_t workspaceBytes() const override
    {
        std::size_t bytes = 0;
        for (const Buffer* buffer : {&m_before,
                                     &m_hidden,
                                     &m_dHidden,
                                     &m_dBetween,
                                     &m_gradients,
                                     &m_scratch,
                                     &m_between[0],
                                     &m_between[1]}) {
            bytes += buffer->bytes();
        }
        return bytes + m_layers[0].bytes() + m_layers[1].bytes();
    }

private:
    // Where the gradients of a layer are added up in a slot, one after the other.
    KroneckerLayer::Gradients gradientsOf(std::size_t layer, int slot)
    {
        float* first = m_gradients.data() + slot * m_gradientElements;
        if (layer == 1) {
            for (const std::int64_t elements : m_layers[0].gradientElements()) {
                first += elements;
            }
        }
        const auto elements = m_layers[layer].gradientElements();
        return {first, first + elements[0], first + elements[0] + elements[1]};
    }

    void runTokens(const float* dy, float* dx, const Range& tokens, int slot, Threads threads)
    {
        for (std::int64_t first = tokens.first; first < tokens.last; first += m_blocks.tokens) {
            const Range block{first, std::min(tokens.last, first + m_blocks.tokens)};
            const Into into = first == tokens.first ? Into::overwrite : Into::add;
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
            activateBackwardRow(m_activation,
                                m_before.data() + block.first * f + mine.first,
                                dHidden + mine.first,
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

    // The sums of all slots, in the layout of the weights.
    void collect()
    {
        const std::size_t perMatrix = m_weightGradients.size() / 2;
        for (std::size_t tensor = 0; tensor < m_weightGradients.size(); ++tensor) {
            const std::size_t layer = tensor / perMatrix;
            for (int slot = 0; slot < m_blocks.atOnce; ++slot) {
                m_layers[layer].unpack(tensor % perMatrix,
                                       gradientsOf(layer, slot)[tensor % perMatrix],
                                       m_weightGradients[tensor].data(),
                                       slot == 0 ? Into::overwrite : Into::add);
            }
        }
    }

    Activation m_activation;
    StageSize m_size;
    GradientSpans m_weightGradients;
    std::array<KroneckerLayer, 2> m_layers; ///< up, down
    Blocks m_blocks;
    std::int64_t m_dBetweenElements; ///< per token, in either layer
    std::int64_t m_scratchElements; ///< per thread
    std::int64_t m_gradientElements = 0; ///< of both layers, per slot
    const float* m_x = nullptr;
    Buffer m_before; ///< the activation
    Buffer m_hidden; ///< after it
    std::array<Buffer, 2> m_between; ///< between the products of each layer
    Buffer m_dHidden;
    Buffer m_dBetween;
    Buffer m_gradients; ///< per slot
    Buffer m_scratch;
};

// Factors and scratch of both layers.
Count layerBytes(const KroneckerFfn& ffn, const StageSize& size, Passes passes)
{
    const KroneckerMatrix up = ffn.up(size.dModel);
    const KroneckerMatrix down = ffn.down(size.dModel);
    const Count scratch = std::max(mostLayerScratch(up), mostLayerScratch(down));
    return mostLayerBytes(up, passes) + mostLayerBytes(down, passes)
        + Count{sizeof(float)} * size.threads.count * scratch;
}

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const KroneckerFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<KroneckerStage>(ffn, size, weights));
}

Count workspaceBytes(const KroneckerFfn& ffn, const StageSize& size)
{
    const Blocks blocks(ffn, size, Passes::forward);
    const Count tokens = Count{blocks.atOnce} * blocks.tokens;
    return layerBytes(ffn, size, Passes::forward)
        + Count{sizeof(float)} * tokens * Blocks::elementsPerToken(ffn, size.dModel);
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const KroneckerFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<KroneckerBackwardStage>(ffn, size, weights, gradients));
}

Count backwardWorkspaceBytes(const KroneckerFfn& ffn, const StageSize& size)
{
    const Blocks blocks(ffn, size, Passes::both);
    const int d = size.dModel;
    const Count keptPerToken = 2 * Count{ffn.dFf} + ffn.up(d).between() + ffn.down(d).between();
    const Count tokens = Count{blocks.atOnce} * blocks.tokens;
    const Count gradients = Count{Blocks::entriesOf(ffn, d)} + (ffn.bias ? ffn.dFf + d : 0);
    return layerBytes(ffn, size, Passes::both)
        + Count{sizeof(float)}
        * (size.tokens * keptPerToken + tokens * Blocks::elementsPerToken(ffn, d)
           + blocks.atOnce * gradients);
}

} // namespace flopsmith::cpu
