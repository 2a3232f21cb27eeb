// SPDX-License-Identifier: MIT
#include "core/ffn/composed.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer.h"
#include "core/mixer/attention.h"
#include "core/run/checks.h"
#include "core/run/model_run.h"
#include "core/run/part_weights.h"

#include <optional>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

template <class S>
void addTo(std::vector<S>& sum, const std::vector<S>& terms)
{
    reference::accumulate<S>(std::span<S>(sum), std::span<const S>(terms));
}

// Collects the gradients of a model's tensors.
template <class S>
class ModelGradients
{
public:
    explicit ModelGradients(const ModelPlan& plan)
        : m_plan(plan)
        , m_gradients(plan.tensors.size())
        , m_ownUses(plan.tensors.size())
    {}

    void add(const ModelPart& part, Weights<S> gradients)
    {
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            add(part.tensors[i], std::move(gradients[i]), isScattered(part, i));
        }
    }

    Weights<S> take()
    {
        for (std::size_t i = 0; i < m_gradients.size(); ++i) {
            const auto size = static_cast<std::size_t>(m_plan.tensors[i].shape.size());
            m_gradients[i].resize(size, S(0));
        }
        return std::move(m_gradients);
    }

private:
    // Whether a kernel adds the rows of a table's gradient to zeros, and so has already counted the
    // additions to another use's gradient. The tied matrix of a head comes before any other use of
    // it.
    bool isScattered(const ModelPart& part, std::size_t place) const
    {
        if (const auto* e = std::get_if<EmbeddingOperation>(&part.spec)) {
            return place < static_cast<std::size_t>(e->embedding.tables());
        }
        const auto* mixer = std::get_if<MixerSpec>(&part.spec);
        const auto* attention = mixer == nullptr ? nullptr : get_if<Attention>(mixer);
        return attention != nullptr && attention->positionBias == PositionBias::sharedRelative
            && place == AttentionTensors(*attention).relativeBias;
    }

    void add(std::size_t tensor, std::vector<S> gradient, bool scattered)
    {
        const bool isFirst = m_gradients[tensor].empty();
        if (isFirst) {
            m_gradients[tensor] = std::move(gradient);
        } else if (!scattered && m_ownUses[tensor] > 0 && m_plan.tensors[tensor].shape.trainable) {
            addTo(m_gradients[tensor], gradient);
        } else {
            const reference::Uncounted counted;
            addTo(m_gradients[tensor], gradient);
        }
        m_ownUses[tensor] += scattered ? 0 : 1;
    }

    const ModelPlan& m_plan;
    Weights<S> m_gradients; ///< empty before the first use
    std::vector<int> m_ownUses; ///< tensors whose sums are separate operations
};

// Goes through the parts from the last to the first with the gradients of the activations between
// them; an empty one has no use yet.
template <class S>
class BackwardPass
{
public:
    BackwardPass(const ModelPlan& plan,
                 const Weights<S>& weights,
                 const ModelInputs<S>& inputs,
                 const ModelRun<S>& run)
        : m_plan(plan)
        , m_weights(weights)
        , m_inputs(inputs)
        , m_run(run)
        , m_gradients(plan)
    {}

    Result<Weights<S>> run(std::span<const S> dOutputs, const std::stop_token& stop)
    {
        bool hasHead = false;
        for (const ModelPart& part : m_plan.parts) {
            hasHead = hasHead || part.writes == Flow::outputs;
        }
        (hasHead ? m_outputs : m_stream).assign(dOutputs.begin(), dOutputs.end());
        for (std::size_t i = m_plan.parts.size(); i-- > 0;) {
            if (stop.stop_requested()) {
                return Error{"stopped"};
            }
            const ModelPart& part = m_plan.parts[i];
            if (part.writes != Flow::unread) {
                execute(part, m_run.kept[i]);
            }
        }
        return m_gradients.take();
    }

private:
    std::vector<S>& at(Flow flow, Stack half)
    {
        switch (flow) {
        case Flow::stream: return half == Stack::encoder ? m_source : m_stream;
        case Flow::normed: return m_normed;
        case Flow::branch: return m_branch;
        case Flow::secondBranch: return m_secondBranch;
        case Flow::outputs:
        case Flow::unread: break;
        }
        return m_outputs;
    }

    // Adds the gradient of one reader to the other readers'.
    static void addReader(std::vector<S>& sum, std::vector<S> dx)
    {
        if (sum.empty()) {
            sum = std::move(dx);
        } else {
            addTo(sum, dx);
        }
    }

    void execute(const ModelPart& part, const std::vector<S>& x)
    {
        std::vector<S> dy = std::exchange(at(part.writes, part.half), {});
        dy.resize(dy.empty() ? m_plan.shapeOf(part).activations() : dy.size(), S(0));
        if (const auto* sum = std::get_if<ResidualOperation>(&part.spec)) {
            divide(sum->residual, part, std::move(dy));
            return;
        }
        const PartWeights<S> weights(part, m_weights);
        Weights<S> gradients = zeros<S>(part.shapes);
        std::vector<S> dx(x.size());
        std::visit(
            [&](const auto& spec) { compute(spec, part, weights.view(), x, dy, dx, gradients); },
            part.spec);
        m_gradients.add(part, std::move(gradients));
        if (std::holds_alternative<EmbeddingOperation>(part.spec)) {
            return;
        }
        const auto tokens = static_cast<std::ptrdiff_t>(m_plan.shapeOf(part).activations());
        if (std::ssize(dx) > tokens) { // the source follows the tokens
            addReader(m_source, {dx.begin() + tokens, dx.end()});
            dx.resize(static_cast<std::size_t>(tokens));
        }
        addReader(at(part.reads, part.half), std::move(dx));
    }

    // The gradient of a sum goes to the stream and, scaled, to each branch.
    void divide(const Residual& residual, const ModelPart& part, std::vector<S> dy)
    {
        m_branch = dy;
        for (S& value : m_branch) {
            if (residual.scale) {
                value *= S(residual.factor);
            }
        }
        if (residual.branches > 1) {
            m_secondBranch = m_branch;
        }
        at(Flow::stream, part.half) = std::move(dy);
    }

    using X = const std::vector<S>&;
    using Y = std::vector<S>&;
    using G = Weights<S>&;

    void compute(const FfnSpec& ffn,
                 const ModelPart& part,
                 WeightView<S> weights,
                 X x,
                 X dy,
                 Y dx,
                 G g)
    {
        const Shape& shape = m_plan.shapeOf(part);
        reference::backward<S>(
            shape.training ? ffn : withoutDropout(ffn), shape, weights, x, dy, dx, g);
    }

    void compute(const MixerSpec& mixer,
                 const ModelPart& part,
                 WeightView<S> weights,
                 X x,
                 X dy,
                 Y dx,
                 G g)
    {
        reference::backward<S>(mixer, m_plan.shapeOf(part), weights, x, dy, dx, g);
    }

    void compute(const NormOperation& n,
                 const ModelPart& part,
                 WeightView<S> weights,
                 X x,
                 X dy,
                 Y dx,
                 G g)
    {
        reference::backward<S>(n.norm, m_plan.shapeOf(part), weights, x, dy, dx, g);
    }

    void compute(const ResidualOperation&, const ModelPart&, WeightView<S>, X, X, Y, G) {}

    void compute(const EmbeddingOperation& e,
                 const ModelPart& part,
                 WeightView<S> weights,
                 X,
                 X dy,
                 Y,
                 G g)
    {
        const Shape& shape = m_plan.shapeOf(part);
        if (e.embedding.readsPatches()) {
            reference::backward<S>(
                e.embedding, shape, weights, std::span<const S>(m_inputs.images), dy, g);
        } else {
            reference::backward<S>(
                e.embedding, shape, weights, std::span<const int>(tokensOf(part, m_inputs)), dy, g);
        }
    }

    void compute(const HeadOperation& h,
                 const ModelPart& part,
                 WeightView<S> weights,
                 X x,
                 X dy,
                 Y dx,
                 G g)
    {
        reference::backward<S>(h.head, h.vocab, m_plan.shapeOf(part), weights, x, dy, dx, g);
    }

    const ModelPlan& m_plan;
    const Weights<S>& m_weights;
    const ModelInputs<S>& m_inputs;
    const ModelRun<S>& m_run;
    ModelGradients<S> m_gradients;
    std::vector<S> m_outputs;
    std::vector<S> m_stream;
    std::vector<S> m_source;
    std::vector<S> m_normed;
    std::vector<S> m_branch;
    std::vector<S> m_secondBranch;
};

} // namespace

template <class S>
Result<Weights<S>> backward(const ModelPlan& plan,
                            const Weights<S>& weights,
                            const ModelInputs<S>& inputs,
                            const ModelRun<S>& run,
                            std::span<const S> dOutputs,
                            const std::stop_token& stop)
{
    for (const Status& status :
         {checkedWeights<S>(plan, weights),
          checkedInputs(plan, inputs),
          checkedCount(run.kept.size(), plan.parts.size(), "saved activations of its forward pass"),
          checkedCount(dOutputs.size(), run.outputs.size(), "gradients of its outputs")}) {
        if (!status) {
            return status.error();
        }
    }
    return BackwardPass<S>(plan, weights, inputs, run).run(dOutputs, stop);
}

#define FLOPSMITH_BACKWARD_INSTANCE(S)                                                             \
    template Result<Weights<S>> backward<S>(const ModelPlan&,                                      \
                                            const Weights<S>&,                                     \
                                            const ModelInputs<S>&,                                 \
                                            const ModelRun<S>&,                                    \
                                            std::span<const S>,                                    \
                                            const std::stop_token&);
FLOPSMITH_BACKWARD_INSTANCE(float)
FLOPSMITH_BACKWARD_INSTANCE(double)
FLOPSMITH_BACKWARD_INSTANCE(reference::Counted)
#undef FLOPSMITH_BACKWARD_INSTANCE

} // namespace flopsmith
