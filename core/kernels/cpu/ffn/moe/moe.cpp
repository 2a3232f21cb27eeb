// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/hidden/hidden_blocks.h"
#include "core/kernels/cpu/ffn/hidden/hidden_layer.h"
#include "core/kernels/cpu/ffn/moe/moe_routing.h"
#include "core/kernels/cpu/linear/grouped_products.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Of a token's k rows, of inputs or of hidden activations.
std::int64_t widthOfRows(const MoeFfn& ffn, int dModel)
{
    return std::int64_t{ffn.perToken} * std::max(ffn.dFf, dModel);
}

// With k rows each, the tokens of a block stay within the limit of HiddenBlocks.
std::int64_t blockTokensOf(const MoeFfn& ffn, const StageSize& size)
{
    const std::int64_t width = widthOfRows(ffn, size.dModel);
    return HiddenBlocks(size.tokens, width).elements() / width;
}

// The rows of one expert in a block when all experts get the same number.
StageSize sizeOfExpert(const MoeFfn& ffn, StageSize size)
{
    size.tokens = (blockTokensOf(ffn, size) * ffn.perToken + ffn.experts - 1) / ffn.experts;
    return size;
}

std::vector<HiddenLayer> expertsOf(const MoeFfn& ffn,
                                   const StageSize& size,
                                   WeightView<float> weights)
{
    const MoeTensors tensors(ffn, size.dModel);
    const StageSize each = sizeOfExpert(ffn, size);
    std::vector<HiddenLayer> experts;
    experts.reserve(static_cast<std::size_t>(ffn.experts));
    for (int e = 0; e < ffn.experts; ++e) {
        const auto own = weights.subspan(tensors.expert(e), tensors.perExpert);
        std::visit([&](const auto& expert) { experts.emplace_back(expert, each, own); },
                   ffn.routedExpert());
    }
    return experts;
}

// Routes, sorts by expert, gathers, multiplies expert by expert, and sums each token's rows in the
// order of its experts, so that results do not depend on the schedule of the threads.
class MoeStage : public Stage
{
public:
    MoeStage(const MoeFfn& ffn,
             const StageSize& size,
             WeightView<float> weights,
             std::unique_ptr<Stage> shared)
        : m_ffn(ffn)
        , m_size(size)
        , m_blocks(size.tokens, widthOfRows(ffn, size.dModel))
        , m_routing(ffn, blockTokensOf(ffn, size), size, weights)
        , m_experts(expertsOf(ffn, size, weights))
        , m_products(ffn.experts, size.threads)
        , m_shared(std::move(shared))
        , m_sharedGate(ffn.hasSharedGate() ? weights[MoeTensors(ffn, size.dModel).sharedGate].data()
                                           : nullptr)
        , m_rows(bufferSize(maxRows(), size.dModel))
        , m_gates(ffn.expert == ExpertKind::gated ? bufferSize(maxRows(), ffn.dFf) : 0)
        , m_hidden(bufferSize(maxRows(), ffn.dFf))
    {}

    void run(const float* x, float* y) override
    {
        if (m_shared != nullptr) {
            m_shared->run(x, y);
        }
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            const std::int64_t at = first * m_size.dModel;
            m_routing.route(x + at, tokens);
            m_routing.gather(x + at, m_rows.data());
            runExperts();
            combine(x + at, y + at, tokens);
        });
    }

private:
    std::int64_t maxRows() const { return blockTokensOf(m_ffn, m_size) * m_ffn.perToken; }

    // The outputs of the experts overwrite their inputs in m_rows.
    void runExperts()
    {
        m_products.forEach(
            [&](int e) {
                return ProductSize{m_routing.rowsOf(e).size(), m_size.dModel, m_ffn.dFf};
            },
            [&](int e, const Slice& slice) {
                expert(e).projectUp(
                    m_rows.data(), m_gates.data(), m_hidden.data(), rowsOf(e, slice));
            });
        m_products.forEach(
            [&](int e) {
                return ProductSize{m_routing.rowsOf(e).size(), m_ffn.dFf, m_size.dModel};
            },
            [&](int e, const Slice& slice) {
                expert(e).projectDown(m_hidden.data(), m_rows.data(), rowsOf(e, slice));
            });
    }

    const HiddenLayer& expert(int e) const { return m_experts[static_cast<std::size_t>(e)]; }

    Slice rowsOf(int e, const Slice& slice) const
    {
        return shiftedBy(m_routing.rowsOf(e).first, slice);
    }

    void combine(const float* x, float* y, std::int64_t tokens) const
    {
        const Threads busy = threadsFor(m_size.threads, m_routing.rows() * m_size.dModel);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(tokens, busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                const std::int64_t at = t * m_size.dModel;
                m_routing.sumRows(t,
                                  m_rows.data(),
                                  m_routing.weightsOfToken(t),
                                  m_shared != nullptr ? y + at : nullptr,
                                  m_sharedGate != nullptr
                                      ? gateFactor(x + at, m_sharedGate, m_size.dModel)
                                      : 1.0F,
                                  y + at);
            }
        });
    }

    MoeFfn m_ffn;
    StageSize m_size;
    HiddenBlocks m_blocks;
    MoeRouting m_routing;
    std::vector<HiddenLayer> m_experts;
    GroupedProducts m_products;
    std::unique_ptr<Stage> m_shared; ///< null without shared experts
    const float* m_sharedGate; ///< null without a gate
    Buffer m_rows; ///< gathered tokens, then the experts' outputs
    Buffer m_gates; ///< x·Wg of gated experts
    Buffer m_hidden;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const MoeFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    std::unique_ptr<Stage> shared;
    if (ffn.sharedExperts > 0) {
        const auto own = weights.subspan(MoeTensors(ffn, size.dModel).shared);
        auto made = std::visit([&](const auto& plain) { return makeStage(plain, size, own); },
                               ffn.sharedFfn());
        if (!made) {
            return made.error();
        }
        shared = std::move(*made);
    }
    return std::unique_ptr<Stage>(
        std::make_unique<MoeStage>(ffn, size, weights, std::move(shared)));
}

} // namespace flopsmith::cpu
