// SPDX-License-Identifier: MIT
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/mixer.h"
#include "core/run/checks.h"
#include "core/run/model_run.h"
#include "core/run/part_weights.h"

#include <utility>
#include <variant>

namespace flopsmith {
namespace {

// The activations between parts.
template <class S>
class ForwardPass
{
public:
    ForwardPass(const ModelPlan& plan,
                const Weights<S>& weights,
                const ModelInputs<S>& inputs,
                Keep keep)
        : m_plan(plan)
        , m_weights(weights)
        , m_inputs(inputs)
        , m_keeps(keep == Keep::forBackward)
    {}

    Result<ModelRun<S>> run(const std::stop_token& stop)
    {
        bool hasHead = false;
        for (const ModelPart& part : m_plan.parts) {
            if (stop.stop_requested()) {
                return Error{"stopped"};
            }
            hasHead = hasHead || part.writes == Flow::outputs;
            execute(part);
        }
        if (!hasHead) {
            m_run.outputs = std::move(m_stream);
        }
        return std::move(m_run);
    }

private:
    std::vector<S>& at(Flow flow, Stack half)
    {
        switch (flow) {
        case Flow::stream: return half == Stack::encoder ? m_source : m_stream;
        case Flow::normed: return m_normed;
        case Flow::branch: return m_branch;
        case Flow::secondBranch: return m_secondBranch;
        case Flow::outputs: return m_run.outputs;
        case Flow::unread: break;
        }
        return m_run.unread;
    }

    // The input of the part; only an embedding has none here.
    std::vector<S> read(const ModelPart& part)
    {
        if (std::holds_alternative<EmbeddingOperation>(part.spec)) {
            return {};
        }
        std::vector<S> x = at(part.reads, part.half);
        const auto* mixer = std::get_if<MixerSpec>(&part.spec);
        if (mixer != nullptr && readsSource(*mixer)) {
            x.insert(x.end(), m_source.begin(), m_source.end());
        }
        return x;
    }

    void execute(const ModelPart& part)
    {
        std::vector<S> x = read(part);
        const Shape& shape = m_plan.shapeOf(part);
        const PartWeights<S> weights(part, m_weights);
        std::vector<S> y(shape.activations());
        std::visit([&](const auto& spec) { compute(spec, part, weights.view(), x, y); }, part.spec);
        at(part.writes, part.half) = std::move(y);
        if (m_keeps) {
            const bool isSum = std::holds_alternative<ResidualOperation>(part.spec);
            m_run.kept.push_back(isSum ? std::vector<S>{} : std::move(x));
        }
    }

    using X = const std::vector<S>&;
    using Y = std::vector<S>&;

    void compute(const FfnSpec& ffn, const ModelPart& part, WeightView<S> weights, X x, Y y)
    {
        reference::forward<S>(ffn, m_plan.shapeOf(part), weights, x, y);
    }

    void compute(const MixerSpec& mixer, const ModelPart& part, WeightView<S> weights, X x, Y y)
    {
        reference::forward<S>(mixer, m_plan.shapeOf(part), weights, x, {}, {}, y);
    }

    void compute(const NormOperation& n, const ModelPart& part, WeightView<S> weights, X x, Y y)
    {
        reference::forward<S>(n.norm, m_plan.shapeOf(part), weights, x, y);
    }

    void compute(const ResidualOperation& r, const ModelPart& part, WeightView<S>, X x, Y y)
    {
        const bool hasSecond = r.residual.branches > 1;
        reference::addResidual<S>(r.residual,
                                  at(Flow::stream, part.half),
                                  x,
                                  hasSecond ? std::span<const S>(m_secondBranch)
                                            : std::span<const S>(),
                                  y);
    }

    void compute(const EmbeddingOperation& e, const ModelPart& part, WeightView<S> weights, X, Y y)
    {
        const Shape& shape = m_plan.shapeOf(part);
        if (e.embedding.readsPatches()) {
            reference::forward<S>(
                e.embedding, shape, weights, std::span<const S>(m_inputs.images), y);
        } else {
            reference::forward<S>(
                e.embedding, shape, weights, std::span<const int>(tokensOf(part, m_inputs)), y);
        }
    }

    void compute(const HeadOperation& h, const ModelPart& part, WeightView<S> weights, X x, Y y)
    {
        const Shape& shape = m_plan.shapeOf(part);
        y.resize(reference::headOutputs(h.head, h.vocab, shape));
        reference::forward<S>(h.head, h.vocab, shape, weights, x, y);
    }

    const ModelPlan& m_plan;
    const Weights<S>& m_weights;
    const ModelInputs<S>& m_inputs;
    bool m_keeps;
    std::vector<S> m_stream; ///< of the decoder
    std::vector<S> m_source; ///< of the encoder
    std::vector<S> m_normed;
    std::vector<S> m_branch;
    std::vector<S> m_secondBranch;
    ModelRun<S> m_run;
};

} // namespace

template <class S>
Result<ModelRun<S>> forward(const ModelPlan& plan,
                            const Weights<S>& weights,
                            const ModelInputs<S>& inputs,
                            Keep keep,
                            const std::stop_token& stop)
{
    for (const Status& status : {checkedWeights<S>(plan, weights), checkedInputs(plan, inputs)}) {
        if (!status) {
            return status.error();
        }
    }
    return ForwardPass<S>(plan, weights, inputs, keep).run(stop);
}

#define FLOPSMITH_FORWARD_INSTANCE(S)                                                              \
    template Result<ModelRun<S>> forward<S>(                                                       \
        const ModelPlan&, const Weights<S>&, const ModelInputs<S>&, Keep, const std::stop_token&);
FLOPSMITH_FORWARD_INSTANCE(float)
FLOPSMITH_FORWARD_INSTANCE(double)
FLOPSMITH_FORWARD_INSTANCE(reference::Counted)
#undef FLOPSMITH_FORWARD_INSTANCE

} // namespace flopsmith
