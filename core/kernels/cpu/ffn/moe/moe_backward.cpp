// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/hidden/hidden_layer_backward.h"
#include "core/kernels/cpu/ffn/moe/moe_routing.h"
#include "core/kernels/cpu/ffn/moe/moe_shared_backward.h"
#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/linear/grouped_products.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>
#include <vector>

namespace flopsmith::cpu {
namespace {

std::vector<HiddenLayerBackward> expertsOf(const MoeFfn& ffn,
                                           const StageSize& size,
                                           WeightView<float> weights,
                                           GradientSpans gradients)
{
    const MoeTensors tensors(ffn, size.dModel);
    std::vector<HiddenLayerBackward> experts;
    experts.reserve(static_cast<std::size_t>(ffn.experts));
    for (int e = 0; e < ffn.experts; ++e) {
        const std::size_t first = tensors.expert(e);
        std::visit(
            [&](const auto& expert) {
                experts.emplace_back(
                    expert, size, weights.subspan(first), gradients.subspan(first));
            },
            ffn.routedExpert());
    }
    return experts;
}

// Saves the routing, the gathered rows, and the experts' hidden activations and outputs.
class MoeBackwardStage : public BackwardStage
{
public:
    MoeBackwardStage(const MoeFfn& ffn,
                     const StageSize& size,
                     WeightView<float> weights,
                     GradientSpans gradients,
                     std::optional<MoeSharedBackward> shared)
        : m_ffn(ffn)
        , m_size(size)
        , m_routing(ffn, size.tokens, size, weights)
        , m_router(size.dModel,
                   ffn.experts,
                   weights[0].data(),
                   gradients[0],
                   ffn.routerBias ? gradients[1] : std::span<float>())
        , m_correction(ffn.correctionBias ? gradients[MoeTensors(ffn, size.dModel).correctionBias]
                                          : std::span<float>())
        , m_experts(expertsOf(ffn, size, weights, gradients))
        , m_products(ffn.experts, size.threads)
        , m_shared(std::move(shared))
        , m_hidden(ffn.expert == ExpertKind::gated, size.tokens * ffn.perToken, ffn.dFf)
        , m_gathered(bufferSize(size.tokens * ffn.perToken, size.dModel))
        , m_outputs(m_gathered.size())
        , m_dRows(m_gathered.size())
        , m_dWeights(bufferSize(size.tokens, ffn.perToken))
        , m_dLogits(bufferSize(size.tokens, ffn.experts))
    {}

    void save(const float* x, float* y) override
    {
        m_x = x;
        if (m_shared) {
            m_shared->save(x, y);
        }
        m_routing.route(x, m_size.tokens);
        m_routing.gather(x, m_gathered.data());
        const HiddenRows hidden = m_hidden.rows();
        forRows(m_ffn.dFf, [&](int e, const Slice& slice) {
            expert(e).projectUp(m_gathered.data(), hidden, slice);
        });
        forRows(m_size.dModel, [&](int e, const Slice& slice) {
            expert(e).projectDown(hidden, m_outputs.data(), slice);
        });
        forTokens([&](std::int64_t t) {
            float* to = y + t * m_size.dModel;
            m_routing.sumRows(t,
                              m_outputs.data(),
                              m_routing.weightsOfToken(t),
                              m_shared ? to : nullptr,
                              1.0F,
                              to);
        });
    }

    void run(const float* dy, float* dx) override
    {
        std::fill(m_correction.begin(), m_correction.end(), 0.0F);
        if (m_shared) {
            m_shared->run(dy, dx);
        }
        const std::vector<float> balance = m_routing.balanceBackward(m_size.tokens);
        forTokens([&](std::int64_t t) { combineBackward(t, balance, dy); });
        expertsBackward();
        forTokens([&](std::int64_t t) {
            float* to = dx + t * m_size.dModel;
            m_routing.sumRows(t, m_dRows.data(), nullptr, m_shared ? to : nullptr, 1.0F, to);
        });
        m_router.weights(m_x, m_dLogits.data(), m_size.tokens, m_size.threads);
        m_router.input(m_dLogits.data(), dx, m_size.tokens, m_size.threads, Into::accumulate);
    }

private:
    // The gradient of a row is w·dy, the gradient of its weight dy·row; the logits' gradients
    // follow.
    void combineBackward(std::int64_t token, const std::vector<float>& balance, const float* dy)
    {
        const std::int64_t d = m_size.dModel;
        const float* from = dy + token * d;
        float* dWeights = m_dWeights.data() + token * m_ffn.perToken;
        for (int j = 0; j < m_ffn.perToken; ++j) {
            const std::int64_t at = m_routing.rowsOfToken(token)[j] * d;
            const float weight = m_routing.weightsOfToken(token)[j];
            multiply({1, d, 1},
                     {from, d},
                     {m_outputs.data() + at, d},
                     Stored::transposed,
                     {dWeights + j, 1});
            std::transform(from, from + d, m_dRows.data() + at, [weight](float value) {
                return weight * value;
            });
        }
        m_routing.backward(token, balance, dWeights, m_dLogits.data() + token * m_ffn.experts);
    }

    // The gradients of the experts' inputs overwrite those of their outputs in m_dRows.
    void expertsBackward()
    {
        const HiddenRows hidden = m_hidden.rows();
        forRows(m_ffn.dFf, [&](int e, const Slice& slice) {
            expert(e).hiddenGradients(m_dRows.data(), hidden, slice);
        });
        m_products.forEach(
            [&](int e) {
                return ProductSize{m_ffn.dFf, m_routing.rowsOf(e).size(), m_size.dModel};
            },
            [&](int e, const Slice& slice) {
                expert(e).downGradients(hidden, m_dRows.data(), m_routing.rowsOf(e), slice);
            });
        m_products.forEach(
            [&](int e) {
                return ProductSize{m_size.dModel, m_routing.rowsOf(e).size(), m_ffn.dFf};
            },
            [&](int e, const Slice& slice) {
                expert(e).upGradients(m_gathered.data(), hidden, m_routing.rowsOf(e), slice);
            });
        forRows(m_size.dModel,
                [&](int e, const Slice& slice) { expert(e).input(hidden, m_dRows.data(), slice); });
    }

    // Calls product(expert, slice) for slices of all rows with so many columns.
    template <class Product>
    void forRows(std::int64_t columns, const Product& product)
    {
        const std::int64_t inner = std::int64_t{m_ffn.dFf} + m_size.dModel - columns;
        m_products.forEach(
            [&](int e) {
                return ProductSize{m_routing.rowsOf(e).size(), inner, columns};
            },
            [&](int e, const Slice& slice) {
                product(e, shiftedBy(m_routing.rowsOf(e).first, slice));
            });
    }

    template <class EachToken>
    void forTokens(const EachToken& each) const
    {
        const Threads busy = threadsFor(m_size.threads, m_routing.rows() * m_size.dModel);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(m_size.tokens, busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                each(t);
            }
        });
    }

    const HiddenLayerBackward& expert(int e) const
    {
        return m_experts[static_cast<std::size_t>(e)];
    }

    MoeFfn m_ffn;
    StageSize m_size;
    MoeRouting m_routing;
    LinearBackward m_router;
    std::span<float> m_correction; ///< its gradient; empty without one
    std::vector<HiddenLayerBackward> m_experts;
    GroupedProducts m_products;
    std::optional<MoeSharedBackward> m_shared;
    const float* m_x = nullptr;
    HiddenBuffers m_hidden;
    Buffer m_gathered; ///< tokens
    Buffer m_outputs; ///< of the experts
    Buffer m_dRows;
    Buffer m_dWeights;
    Buffer m_dLogits;
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const MoeFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    std::optional<MoeSharedBackward> shared;
    if (ffn.sharedExperts > 0) {
        const std::size_t first = MoeTensors(ffn, size.dModel).shared;
        auto made = std::visit(
            [&](const auto& plain) {
                return makeBackwardStage(
                    plain, size, weights.subspan(first), gradients.subspan(first));
            },
            ffn.sharedFfn());
        if (!made) {
            return made.error();
        }
        shared.emplace(ffn, size, weights, gradients, std::move(*made));
    }
    return std::unique_ptr<BackwardStage>(
        std::make_unique<MoeBackwardStage>(ffn, size, weights, gradients, std::move(shared)));
}

} // namespace flopsmith::cpu
