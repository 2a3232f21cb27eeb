// SPDX-License-Identifier: MIT
#include "app/bench/shared/verify_model.h"

#include "app/bench/shared/verify_plan.h"
#include "app/bench/shared/weights_as.h"
#include "core/kernels/check.h"
#include "core/model/model_cost.h"
#include "core/run/wiring.h"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace flopsmith::bench {
namespace {

// What is drawn where the first tokens of a model that selects disagree.
constexpr int kMoreDraws = 3;

// The first sequences' first tokens, or the first images.
ModelInputs<float> cutTo(const ModelInputs<float>& from, const Operation& whole, const Shape& to)
{
    const auto rows = [&](const auto& values, int wholeRow, int row) {
        std::decay_t<decltype(values)> cut;
        for (int sequence = 0; sequence < to.batch && !values.empty(); ++sequence) {
            const auto first = values.begin() + std::ptrdiff_t{sequence} * wholeRow;
            cut.insert(cut.end(), first, first + row);
        }
        return cut;
    };
    const auto image = static_cast<int>(from.images.size() / static_cast<std::size_t>(whole.batch));
    return {.tokens = rows(from.tokens, whole.sequence, to.sequence),
            .source = rows(from.source, whole.source, to.source),
            .images = rows(from.images, image, image)};
}

template <class S>
Result<std::vector<double>> referenceOutputs(const ModelPlan& plan,
                                             const Weights<S>& weights,
                                             const ModelInputs<float>& in)
{
    const ModelInputs<S> inputs{
        .tokens = in.tokens, .source = in.source, .images = {in.images.begin(), in.images.end()}};
    const Result<ModelRun<S>> run = forward<S>(plan, weights, inputs);
    if (!run) {
        return run.error();
    }
    return std::vector<double>(run->outputs.begin(), run->outputs.end());
}

// Outputs of the reference for weights that it converts once.
class Reference
{
public:
    Reference(ModelPlan plan, const Weights<float>& weights, ReferencePrecision precision)
        : m_plan(std::move(plan))
        , m_single(weights)
    {
        if (precision == ReferencePrecision::float64) {
            m_double.emplace();
            for (const std::vector<float>& tensor : weights) {
                m_double->push_back(convertedTo<double>(tensor));
            }
        }
    }

    Result<std::vector<double>> outputs(const ModelInputs<float>& inputs) const
    {
        return m_double ? referenceOutputs(m_plan, *m_double, inputs)
                        : referenceOutputs(m_plan, m_single, inputs);
    }

    const ModelPlan& plan() const { return m_plan; }

private:
    ModelPlan m_plan;
    const Weights<float>& m_single;
    std::optional<Weights<double>> m_double;
};

// Draws other tokens where the kernel reads them.
void redraw(ModelInputs<float>& inputs, const ModelPlan& plan, int draw)
{
    const auto drawn = randomInputs<float>(plan, 2000 + static_cast<std::uint64_t>(draw));
    std::ranges::copy(drawn.tokens, inputs.tokens.begin());
    std::ranges::copy(drawn.source, inputs.source.begin());
    std::ranges::copy(drawn.images, inputs.images.begin());
}

bool selectsValues(const Operation& operation)
{
    return nominalCount(costTree(operation)).cmp > 0;
}

} // namespace

Result<CheckRecord> verifyModel(const ModelOperation& whole,
                                const Operation& operation,
                                const Operands& operands,
                                const Kernel& kernel,
                                const Backend& backend,
                                ReferencePrecision precision,
                                const Count& operations)
{
    const Operation small = withShape(operation, shapeToCheck(operation, operations));
    Result<ModelPlan> plan = planOf(whole, small);
    if (!plan) {
        return plan.error();
    }
    const Reference reference(std::move(*plan), operands.weights, precision);
    Inputs cut;
    cut.model = cutTo(operands.inputs.model, operation, shapeOf(small));
    std::unique_ptr<Kernel> own;
    const int draws = selectsValues(operation) ? 1 + kMoreDraws : 1;
    RowsAgreement found;
    for (int draw = 0; draw < draws && !found.agreement.agrees; ++draw) {
        if (!own && (draw > 0 || small != operation)) {
            Result<std::unique_ptr<Kernel>> made = backend.prepared(small, operands.weights, cut);
            if (!made) {
                return made.error();
            }
            own = std::move(*made);
        }
        if (draw > 0) {
            redraw(cut.model, reference.plan(), draw);
        }
        if (own) {
            own->run();
        }
        const Result<std::vector<double>> expected = reference.outputs(cut.model);
        if (!expected) {
            return expected.error();
        }
        found.agreement = compare((own ? *own : kernel).output(),
                                  *expected,
                                  contractionTerms(reference.plan()),
                                  backend.operandRounding());
    }
    const std::string what = small == operation ? "" : " of one sequence, run by themselves,";
    return recordOf(found,
                    outputRows(small),
                    outputRows(operation),
                    what,
                    precision == ReferencePrecision::float64 ? "double" : "single");
}

} // namespace flopsmith::bench
