// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/factored/low_rank.h"

#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/hidden/hidden_blocks.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {
namespace {

// The tensors of one matrix: U, V and, if there are biases, b.
std::size_t tensorsPerFactors(const LowRankFfn& ffn)
{
    return ffn.bias ? 3 : 2;
}

// Both matrices as four products.
struct Products
{
    Linear upU;
    Linear upV;
    Linear downU;
    Linear downV;

    Products(const LowRankFfn& ffn, const StageSize& size, WeightView<float> w)
        : upU(size.dModel, ffn.rank, w[0].data(), nullptr)
        , upV(ffn.rank, ffn.dFf, w[1].data(), ffn.bias ? w[2].data() : nullptr)
        , downU(ffn.dFf, ffn.rank, w[tensorsPerFactors(ffn)].data(), nullptr)
        , downV(ffn.rank,
                size.dModel,
                w[tensorsPerFactors(ffn) + 1].data(),
                ffn.bias ? w[tensorsPerFactors(ffn) + 2].data() : nullptr)
    {
        for (Linear* factor : {&upU, &upV, &downU, &downV}) {
            factor->computedIn(size.precision);
        }
    }
};

class LowRankStage : public Stage
{
public:
    LowRankStage(const LowRankFfn& ffn, const StageSize& size, WeightView<float> w)
        : m_size(size)
        , m_products(ffn, size, w)
        , m_blocks(size.tokens, ffn.dFf)
        , m_hidden(static_cast<std::size_t>(m_blocks.elements()))
        , m_middle(bufferSize(m_blocks.tokens(), ffn.rank))
    {
        m_products.upV.activatedBy(ffn.activation);
    }

    void run(const float* x, float* y) override
    {
        const Threads threads = m_size.threads;
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            const std::int64_t at = first * m_size.dModel;
            m_products.upU.run(x + at, m_middle.data(), tokens, threads);
            m_products.upV.run(m_middle.data(), m_hidden.data(), tokens, threads);
            m_products.downU.run(m_hidden.data(), m_middle.data(), tokens, threads);
            m_products.downV.run(m_middle.data(), y + at, tokens, threads);
        });
    }

private:
    StageSize m_size;
    Products m_products;
    HiddenBlocks m_blocks;
    Buffer m_hidden;
    Buffer m_middle; ///< between the two factors of either matrix
};

// Saves for all tokens the left operand of every product but the first, and the slopes of the
// activation.
class LowRankBackwardStage : public BackwardStage
{
public:
    LowRankBackwardStage(const LowRankFfn& ffn,
                         const StageSize& size,
                         WeightView<float> w,
                         GradientSpans gradients)
        : m_ffn(ffn)
        , m_size(size)
        , m_products(ffn, size, w)
        , m_upU(size.dModel, ffn.rank, w[0].data(), gradients[0])
        , m_upV(ffn.rank, ffn.dFf, w[1].data(), gradients[1], biasOf(ffn, gradients, 0))
        , m_downU(ffn.dFf, ffn.rank, w[down()].data(), gradients[down()])
        , m_downV(ffn.rank,
                  size.dModel,
                  w[down() + 1].data(),
                  gradients[down() + 1],
                  biasOf(ffn, gradients, down()))
    {
        for (LinearBackward* factor : {&m_upU, &m_upV, &m_downU, &m_downV}) {
            factor->computedIn(size.precision);
        }
        for (Buffer* buffer : {&m_slopes, &m_hidden, &m_dHidden}) {
            *buffer = Buffer(bufferSize(size.tokens, ffn.dFf));
        }
        for (Buffer* buffer : {&m_upMiddle, &m_downMiddle, &m_dMiddle}) {
            *buffer = Buffer(bufferSize(size.tokens, ffn.rank));
        }
    }

    void save(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const Threads threads = m_size.threads;
        m_x = x;
        m_products.upU.run(x, m_upMiddle.data(), tokens, threads);
        m_products.upV.run(m_upMiddle.data(), m_hidden.data(), tokens, threads);
        activateKeepingSlopes(m_ffn.activation, m_hidden.data(), m_slopes.data(), m_hidden.size());
        m_products.downU.run(m_hidden.data(), m_downMiddle.data(), tokens, threads);
        m_products.downV.run(m_downMiddle.data(), y, tokens, threads);
    }

    void run(const float* dy, float* dx) override
    {
        const auto throughActivation = [this](const Slice& slice) {
            for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
                const std::int64_t at = t * m_ffn.dFf + slice.columns.first;
                multiplyBySaved(m_dHidden.data() + at,
                                m_slopes.data() + at,
                                m_dHidden.data() + at,
                                static_cast<std::size_t>(slice.columns.size()));
            }
        };
        const std::int64_t tokens = m_size.tokens;
        const Threads threads = m_size.threads;
        m_downV.weights(m_downMiddle.data(), dy, tokens, threads);
        m_downV.input(dy, m_dMiddle.data(), tokens, threads);
        m_downU.weights(m_hidden.data(), m_dMiddle.data(), tokens, threads);
        m_downU.input(m_dMiddle.data(),
                      m_dHidden.data(),
                      tokens,
                      threads,
                      Into::overwrite,
                      throughActivation);
        m_upV.weights(m_upMiddle.data(), m_dHidden.data(), tokens, threads);
        m_upV.input(m_dHidden.data(), m_dMiddle.data(), tokens, threads);
        m_upU.weights(m_x, m_dMiddle.data(), tokens, threads);
        m_upU.input(m_dMiddle.data(), dx, tokens, threads);
    }

private:
    std::size_t down() const { return tensorsPerFactors(m_ffn); }

    static std::span<float> biasOf(const LowRankFfn& ffn,
                                   GradientSpans gradients,
                                   std::size_t matrix)
    {
        return ffn.bias ? gradients[matrix + 2] : std::span<float>();
    }

    LowRankFfn m_ffn;
    StageSize m_size;
    Products m_products;
    LinearBackward m_upU;
    LinearBackward m_upV;
    LinearBackward m_downU;
    LinearBackward m_downV;
    const float* m_x = nullptr;
    Buffer m_slopes; ///< of the activation
    Buffer m_hidden; ///< after it
    Buffer m_dHidden;
    Buffer m_upMiddle; ///< x·U₁
    Buffer m_downMiddle; ///< hidden·U₂
    Buffer m_dMiddle; ///< of either
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const LowRankFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<LowRankStage>(ffn, size, weights));
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const LowRankFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<LowRankBackwardStage>(ffn, size, weights, gradients));
}

} // namespace flopsmith::cpu
