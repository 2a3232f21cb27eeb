// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fast/model_kernel.h"

#include "core/fast/part_tensors.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/mixer.h"
#include "core/run/checks.h"
#include "core/run/wiring.h"

#include <utility>
#include <variant>

namespace flopsmith {
namespace {

using PreparedKernel = Result<std::unique_ptr<Kernel>>;

// A part's kernel and its borrowed data.
struct PreparedPart
{
    std::unique_ptr<PartTensors> tensors;
    std::vector<float> joined; ///< x, then the encoder's output, where a mixer reads both
    std::span<const float> x; ///< inputs that are joined
    std::span<const float> source;
    std::unique_ptr<Kernel> kernel;

    void run()
    {
        if (!joined.empty()) {
            std::ranges::copy(source, std::ranges::copy(x, joined.begin()).out);
        }
        kernel->run();
    }
};

class ModelKernel : public Kernel
{
public:
    ModelKernel(const ModelPlan& plan,
                WeightView<float> weights,
                const ModelInputs<float>& inputs,
                cpu::Threads threads,
                cpu::Precision precision)
        : m_plan(plan)
        , m_sources(sourcesOf(plan))
        , m_weights(weights)
        , m_inputs(inputs)
        , m_threads(threads)
        , m_precision(precision)
        , m_outputPart(outputPart(plan))
    {}

    Status prepareParts()
    {
        for (std::size_t i = 0; i < m_plan.parts.size(); ++i) {
            if (const Status done = preparePart(m_plan.parts[i], m_sources[i]); !done) {
                return Error{m_plan.parts[i].path + ": " + done.error().message};
            }
        }
        return Done{};
    }

    void run() override
    {
        for (PreparedPart& part : m_parts) {
            part.run();
        }
    }

    std::span<const float> output() const override
    {
        return m_parts[m_outputPart].kernel->output();
    }

private:
    std::span<const float> outputOf(const std::optional<std::size_t>& part) const
    {
        return part ? m_parts[*part].kernel->output() : std::span<const float>();
    }

    Status preparePart(const ModelPart& part, const PartSources& sources)
    {
        PreparedPart made;
        made.tensors = std::make_unique<PartTensors>(part, m_weights);
        made.x = outputOf(sources.x);
        made.source = outputOf(sources.source);
        made.joined.resize(sources.source ? made.x.size() + made.source.size() : 0);
        const std::span<const float> x = made.joined.empty() ? made.x : made.joined;
        PreparedKernel kernel = std::visit(
            [&](const auto& spec) {
                return prepared(spec, part, sources, made.tensors->view(), x);
            },
            part.spec);
        if (!kernel) {
            return kernel.error();
        }
        made.kernel = std::move(*kernel);
        m_parts.push_back(std::move(made));
        return Done{};
    }

    using W = WeightView<float>;
    using X = std::span<const float>;

    PreparedKernel prepared(const FfnSpec& ffn,
                            const ModelPart& part,
                            const PartSources&,
                            W w,
                            X x) const
    {
        Shape shape = m_plan.shapeOf(part);
        shape.training = false;
        return cpu::prepare(ffn, shape, w, x, m_threads, m_precision);
    }

    PreparedKernel prepared(const MixerSpec& mixer,
                            const ModelPart& part,
                            const PartSources&,
                            W w,
                            X x) const
    {
        const MixerInput input{.x = x, .cachedKeys = {}, .cachedValues = {}};
        return cpu::prepare(mixer, m_plan.shapeOf(part), w, input, m_threads, m_precision);
    }

    PreparedKernel prepared(const NormOperation& n,
                            const ModelPart& part,
                            const PartSources&,
                            W w,
                            X x) const
    {
        return cpu::prepare(n.norm, m_plan.shapeOf(part), w, x, m_threads);
    }

    PreparedKernel prepared(const ResidualOperation& r,
                            const ModelPart&,
                            const PartSources& sources,
                            W,
                            X x) const
    {
        return cpu::prepareResidual(
            r.residual, x, outputOf(sources.branch), outputOf(sources.secondBranch), m_threads);
    }

    PreparedKernel prepared(const EmbeddingOperation& e,
                            const ModelPart& part,
                            const PartSources&,
                            W w,
                            X) const
    {
        const Shape& shape = m_plan.shapeOf(part);
        if (e.embedding.readsPatches()) {
            const std::span<const float> images = m_inputs.images;
            return cpu::prepare(e.embedding, shape, w, images, m_threads, m_precision);
        }
        const std::span<const int> tokens = tokensOf(part, m_inputs);
        return cpu::prepare(e.embedding, shape, w, tokens, m_threads, m_precision);
    }

    PreparedKernel prepared(const HeadOperation& h,
                            const ModelPart& part,
                            const PartSources&,
                            W w,
                            X x) const
    {
        return cpu::prepare(h.head, h.vocab, m_plan.shapeOf(part), w, x, m_threads, m_precision);
    }

    ModelPlan m_plan;
    std::vector<PartSources> m_sources;
    WeightView<float> m_weights;
    const ModelInputs<float>& m_inputs;
    cpu::Threads m_threads;
    cpu::Precision m_precision;
    std::size_t m_outputPart;
    std::vector<PreparedPart> m_parts;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareModel(const ModelPlan& plan,
                                             WeightView<float> weights,
                                             const ModelInputs<float>& inputs,
                                             cpu::Threads threads,
                                             cpu::Precision precision)
{
    for (const Status& status :
         {checkedWeights<float>(plan, weights), checkedInputs(plan, inputs)}) {
        if (!status) {
            return status.error();
        }
    }
    auto kernel = std::make_unique<ModelKernel>(plan, weights, inputs, threads, precision);
    FLOPSMITH_RETURN_IF_ERROR(kernel->prepareParts());
    return std::unique_ptr<Kernel>(std::move(kernel));
}

} // namespace flopsmith
