// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fast/model_executor.h"

#include "core/fast/part_tensors.h"
#include "core/ffn/composed.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/mixer.h"
#include "core/run/checks.h"
#include "core/run/wiring.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

using PreparedTraining = Result<std::unique_ptr<TrainingKernel>>;

// The gradient of a part's output by one of its readers, or by the loss.
struct GradientTerm
{
    std::span<const float> values; ///< where the reader's kernel writes it
    float factor = 1.0F;
};

// One part with its activations. A residual has no kernel.
struct TrainedPart
{
    std::unique_ptr<PartTensors> tensors;
    std::vector<float> joined; ///< x, then the encoder's output, where a mixer reads both
    std::vector<float> y;
    std::vector<GradientTerm> terms; ///< empty if the model's output does not depend on y
    std::vector<float> sum; ///< of the terms, where they are not one alone
    std::span<const float> dy; ///< the sum, or the only term
    std::unique_ptr<TrainingKernel> kernel;

    void prepareGradient()
    {
        if (terms.size() == 1 && terms.front().factor == 1.0F) {
            dy = terms.front().values;
        } else {
            sum.resize(y.size());
            dy = sum;
        }
    }

    void sumTerms()
    {
        if (sum.empty()) {
            return;
        }
        const auto [first, factor] = terms.front();
        const auto [second, secondFactor] = terms[terms.size() > 1 ? 1 : 0];
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] = factor * first[i] + (terms.size() > 1 ? secondFactor * second[i] : 0.0F);
        }
        for (std::size_t t = 2; t < terms.size(); ++t) {
            for (std::size_t i = 0; i < sum.size(); ++i) {
                sum[i] += terms[t].factor * terms[t].values[i];
            }
        }
    }
};

class FastModelExecutor final : public Executor<float>
{
public:
    FastModelExecutor(ModelPlan plan, const Weights<float>& weights, cpu::Threads threads)
        : m_plan(std::move(plan))
        , m_sources(sourcesOf(m_plan))
        , m_outputPart(outputPart(m_plan))
        , m_weights(weights)
        , m_threads(threads)
        , m_parts(m_plan.parts.size())
    {
        const InputSizes sizes = inputSizes(m_plan);
        m_inputs.tokens.resize(sizes.tokens);
        m_inputs.source.resize(sizes.source);
        m_inputs.images.resize(sizes.images);
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            m_parts[i].y.resize(outputElements(m_plan, m_plan.parts[i]));
        }
        m_dOutputs.resize(m_parts[m_outputPart].y.size());
    }

    Result<std::vector<float>> forward(const TrainingInputs<float>& inputs, Keep keep) override
    {
        FLOPSMITH_RETURN_IF_ERROR(setInputs(inputs));
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            compute(i);
        }
        m_keeps = keep == Keep::forBackward;
        return m_parts[m_outputPart].y;
    }

    Result<Weights<float>> backward(std::span<const float> dOutputs) override
    {
        if (!m_keeps) {
            return Error{"The backward pass needs a forward pass that kept its activations"};
        }
        FLOPSMITH_RETURN_IF_ERROR(
            checkedCount(dOutputs.size(), m_dOutputs.size(), "gradients of its outputs"));
        std::ranges::copy(dOutputs, m_dOutputs.begin());
        m_gradients.assign(m_plan.tensors.size(), {});
        for (std::size_t i = m_parts.size(); i-- > 0;) {
            if (!m_parts[i].terms.empty()) {
                goBack(i);
            }
        }
        for (std::size_t i = 0; i < m_gradients.size(); ++i) {
            m_gradients[i].resize(static_cast<std::size_t>(m_plan.tensors[i].shape.size()));
        }
        return std::move(m_gradients);
    }

    void weightsChanged() override
    {
        for (TrainedPart& part : m_parts) {
            if (part.tensors != nullptr) {
                part.tensors->weightsChanged();
            }
        }
    }

private:
    // The first pass prepares the kernels, which read the inputs immediately.
    Status setInputs(const TrainingInputs<float>& inputs)
    {
        ModelInputs<float> read{
            .tokens = inputs.tokens, .source = inputs.source, .images = inputs.features};
        FLOPSMITH_RETURN_IF_ERROR(checkedInputs(m_plan, read));
        std::ranges::copy(read.tokens, m_inputs.tokens.begin()); // where the kernels read them
        std::ranges::copy(read.source, m_inputs.source.begin());
        std::ranges::copy(read.images, m_inputs.images.begin());
        return m_isPrepared ? Status(Done{}) : prepareParts();
    }

    // The last part first: each reads its dy where the kernels of its readers write it.
    Status prepareParts()
    {
        for (TrainedPart& part : m_parts) {
            part.terms.clear();
        }
        m_parts[m_outputPart].terms.push_back({m_dOutputs});
        for (std::size_t i = m_parts.size(); i-- > 0;) {
            if (const Status done = preparePart(i); !done) {
                return Error{m_plan.parts[i].path + ": " + done.error().message};
            }
        }
        m_isPrepared = true;
        return Done{};
    }

    std::span<const float> outputOf(const std::optional<std::size_t>& part) const
    {
        return part ? std::span<const float>(m_parts[*part].y) : std::span<const float>();
    }

    Status preparePart(std::size_t i)
    {
        const ModelPart& part = m_plan.parts[i];
        const PartSources& sources = m_sources[i];
        TrainedPart& made = m_parts[i];
        made.prepareGradient();
        if (const auto* sum = std::get_if<ResidualOperation>(&part.spec)) {
            const float factor = factorOf(sum->residual);
            addTerm(made, sources.x, {made.dy});
            addTerm(made, sources.branch, {made.dy, factor});
            addTerm(made, sources.secondBranch, {made.dy, factor});
            return Done{};
        }
        made.tensors = std::make_unique<PartTensors>(part, m_weights);
        const std::span<const float> x = outputOf(sources.x);
        made.joined.resize(sources.source ? x.size() + outputOf(sources.source).size() : 0);
        const std::span<const float> read = made.joined.empty() ? x : made.joined;
        PreparedTraining kernel = std::visit(
            [&](const auto& spec) {
                return prepared(spec, part, made.tensors->view(), read, made.dy);
            },
            part.spec);
        if (!kernel) {
            return kernel.error();
        }
        made.kernel = std::move(*kernel);
        const std::span<const float> dx = made.kernel->output();
        addTerm(made, sources.x, {dx.first(x.size())});
        addTerm(made, sources.source, {dx.subspan(x.size(), outputOf(sources.source).size())});
        return Done{};
    }

    // Adds a part's contribution to the gradient of one of its inputs.
    void addTerm(const TrainedPart& from, std::optional<std::size_t> to, const GradientTerm& term)
    {
        if (to && !from.terms.empty()) {
            m_parts[*to].terms.push_back(term);
        }
    }

    using W = WeightView<float>;
    using X = std::span<const float>;

    PreparedTraining prepared(const FfnSpec& ffn, const ModelPart& part, W w, X x, X dy) const
    {
        const Shape& shape = m_plan.shapeOf(part);
        return cpu::prepareBackward(
            shape.training ? ffn : withoutDropout(ffn), shape, w, x, dy, m_threads);
    }

    PreparedTraining prepared(const MixerSpec& mixer, const ModelPart& part, W w, X x, X dy) const
    {
        return cpu::prepareBackward(mixer, m_plan.shapeOf(part), w, x, dy, m_threads);
    }

    PreparedTraining prepared(const NormOperation& n, const ModelPart& part, W w, X x, X dy) const
    {
        return cpu::prepareBackward(n.norm, m_plan.shapeOf(part), w, x, dy, m_threads);
    }

    PreparedTraining prepared(const ResidualOperation&, const ModelPart&, W, X, X) const
    {
        return Error{"a residual has no kernel of its own"};
    }

    PreparedTraining prepared(const EmbeddingOperation& e,
                              const ModelPart& part,
                              W w,
                              X,
                              X dy) const
    {
        const Shape& shape = m_plan.shapeOf(part);
        if (e.embedding.readsPatches()) {
            const X images = m_inputs.images;
            return cpu::prepareBackward(e.embedding, shape, w, images, dy, m_threads);
        }
        const std::span<const int> tokens = tokensOf(part, m_inputs);
        return cpu::prepareBackward(e.embedding, shape, w, tokens, dy, m_threads);
    }

    PreparedTraining prepared(const HeadOperation& h, const ModelPart& part, W w, X x, X dy) const
    {
        return cpu::prepareBackward(h.head, h.vocab, m_plan.shapeOf(part), w, x, dy, m_threads);
    }

    void compute(std::size_t i)
    {
        const PartSources& sources = m_sources[i];
        TrainedPart& part = m_parts[i];
        if (const auto* sum = std::get_if<ResidualOperation>(&m_plan.parts[i].spec)) {
            addResidual(sum->residual, sources, part.y);
            return;
        }
        if (!part.joined.empty()) {
            const auto after = std::ranges::copy(outputOf(sources.x), part.joined.begin()).out;
            std::ranges::copy(outputOf(sources.source), after);
        }
        part.kernel->forward(part.y);
    }

    void addResidual(const Residual& residual, const PartSources& sources, std::span<float> y) const
    {
        const X stream = outputOf(sources.x);
        const X f = outputOf(sources.branch);
        const X g = outputOf(sources.secondBranch);
        const float factor = factorOf(residual);
        for (std::size_t i = 0; i < y.size(); ++i) {
            y[i] = stream[i] + factor * (g.empty() ? f[i] : f[i] + g[i]);
        }
    }

    static float factorOf(const Residual& residual)
    {
        return residual.scale ? static_cast<float>(residual.factor) : 1.0F;
    }

    // From the gradient of a part's output to the gradients of its inputs and tensors.
    void goBack(std::size_t i)
    {
        TrainedPart& part = m_parts[i];
        part.sumTerms();
        if (part.kernel == nullptr) {
            return;
        }
        part.kernel->run();
        const std::size_t inputs =
            outputOf(m_sources[i].x).size() + outputOf(m_sources[i].source).size();
        addTensors(m_plan.parts[i], part.kernel->output().subspan(inputs));
    }

    void addTensors(const ModelPart& part, X output)
    {
        for (std::size_t i = 0; i < part.tensors.size(); ++i) {
            const auto size = static_cast<std::size_t>(part.shapes[i].size());
            std::vector<float>& gradient = m_gradients[part.tensors[i]];
            const X terms = output.first(size);
            output = output.subspan(size);
            if (gradient.empty()) {
                gradient.assign(terms.begin(), terms.end());
                continue;
            }
            for (std::size_t j = 0; j < size; ++j) {
                gradient[j] += terms[j];
            }
        }
    }

    ModelPlan m_plan;
    std::vector<PartSources> m_sources;
    std::size_t m_outputPart;
    const Weights<float>& m_weights;
    cpu::Threads m_threads;
    ModelInputs<float> m_inputs; ///< where the kernels read them
    std::vector<TrainedPart> m_parts;
    std::vector<float> m_dOutputs;
    Weights<float> m_gradients; ///< empty before the first use of a tensor
    bool m_isPrepared = false;
    bool m_keeps = false;
};

} // namespace

ExecutorFactory<float> fastModelExecutor(ModelPlan plan, cpu::Threads threads)
{
    return [plan = std::move(plan),
            threads](const Weights<float>& weights) -> std::unique_ptr<Executor<float>> {
        return std::make_unique<FastModelExecutor>(plan, weights, threads);
    };
}

} // namespace flopsmith
