// SPDX-License-Identifier: MIT
#include "core/kernels/reference/layer/loss.h"

#include "core/kernels/reference/layer.h"
#include "core/run/checks.h"
#include "core/run/model_run.h"

#include <utility>
#include <variant>

namespace flopsmith {
namespace {

struct Rows
{
    std::size_t rows = 0;
    int columns = 0;
};

// The rows of the outputs that have a loss; empty without a loss.
Rows lossRows(const ModelPlan& plan)
{
    for (const ModelPart& part : plan.parts) {
        const auto* h = std::get_if<HeadOperation>(&part.spec);
        if (h != nullptr && h->head.isLm()) {
            return {plan.decoder.tokens(), h->vocab};
        }
        if (h != nullptr && h->head.kind == HeadKind::classifier) {
            return {static_cast<std::size_t>(plan.decoder.batch), h->head.classes};
        }
    }
    return {};
}

} // namespace

template <class S>
Result<ModelLoss<S>> lossOf(const ModelPlan& plan,
                            std::span<const S> outputs,
                            std::span<const int> labels)
{
    const Rows wanted = lossRows(plan);
    if (wanted.rows == 0) {
        return Error{"The model has no loss, because its head gives no logits; set head to lm or "
                     "classifier"};
    }
    const std::size_t elements = wanted.rows * static_cast<std::size_t>(wanted.columns);
    for (const Status& status : {checkedCount(outputs.size(), elements, "logits"),
                                 checkedNumbers(labels, wanted.rows, wanted.columns, "labels")}) {
        if (!status) {
            return status.error();
        }
    }
    ModelLoss<S> loss;
    loss.exponentials.resize(elements);
    loss.totals.resize(wanted.rows);
    loss.mean = reference::crossEntropy<S>(outputs, labels, loss.exponentials, loss.totals);
    return loss;
}

template <class S>
std::vector<S> lossGradient(const ModelLoss<S>& loss, std::span<const int> labels)
{
    std::vector<S> gradient(loss.exponentials.size());
    reference::crossEntropyBackward<S>(loss.exponentials, loss.totals, labels, gradient);
    return gradient;
}

#define FLOPSMITH_LOSS_INSTANCE(S)                                                                 \
    template Result<ModelLoss<S>> lossOf<S>(                                                       \
        const ModelPlan&, std::span<const S>, std::span<const int>);                               \
    template std::vector<S> lossGradient<S>(const ModelLoss<S>&, std::span<const int>);
FLOPSMITH_LOSS_INSTANCE(float)
FLOPSMITH_LOSS_INSTANCE(double)
FLOPSMITH_LOSS_INSTANCE(reference::Counted)
#undef FLOPSMITH_LOSS_INSTANCE

} // namespace flopsmith
