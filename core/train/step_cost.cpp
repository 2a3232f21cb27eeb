// SPDX-License-Identifier: MIT
#include "core/train/step_cost.h"

#include "core/count/lens.h"
#include "core/ffn/composed.h"
#include "core/kernels/expert_balance.h"
#include "core/layer/optimizer_cost.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/model/training_step.h"
#include "core/train/batch_loss.h"
#include "core/train/ffn_executor.h"

namespace flopsmith {
namespace {

struct TrainedSizes
{
    Count all = 0;
    Count decaying = 0;
};

TrainedSizes trainedSizes(const TrainingStart& start)
{
    TrainedSizes sizes;
    for (std::size_t i = 0; i < start.tensors.size(); ++i) {
        const WeightShape& shape = start.tensors[i].shape;
        const Count n = shape.trainable ? shape.size() : 0;
        sizes.all += n;
        sizes.decaying += start.recipes[i].decays ? n : 0;
    }
    return sizes;
}

// The optimizer's operations besides Adam.
OpCount<Count> besideAdam(const TrainingStart& start, const TrainingSettings& settings)
{
    const TrainedSizes sizes = trainedSizes(start);
    OpCount<Count> count;
    if (settings.optimizer.decay > 0.0) {
        count += decayCount<Count>(sizes.decaying);
    }
    if (settings.clip > 0.0 && sizes.all > 0) {
        count += clippingCount<Count>(sizes.all);
    }
    return count;
}

} // namespace

OpCount<Count> balanceCount(const FfnSpec& ffn, const Count& tokens)
{
    if (const auto* moe = get_if<MoeFfn>(&ffn)) {
        const Count scores = tokens * moe->experts;
        return ExpertBalance::hasBalanceLoss(*moe)
            ? OpCount<Count>{.mul = Count(2) * moe->experts, .add = 2 * scores - 1}
            : OpCount<Count>{};
    }
    OpCount<Count> count;
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (const FfnStage& stage : composed->stages) {
            count += balanceCount(stage.spec, tokens);
        }
    }
    return count;
}

OpCount<Count> StepCost::of(std::size_t compared) const
{
    const auto n = static_cast<Count>(compared);
    return fixed + (classes > 0 ? crossEntropyStepCount(n, classes) : squaredErrorStepCount(n));
}

Count StepCost::flops(std::size_t compared) const
{
    return exactFlops(of(compared));
}

StepCost modelStepCost(const Scenario& scenario,
                       const TrainingStart& start,
                       const TrainingSettings& settings)
{
    StepCost cost{.fixed = costTree(scenario).total().count + besideAdam(start, settings)};
    const Count tokens = Count(scenario.workload.batch) * scenario.queryTokens();
    for (const BlockRun& run : scenario.model.runs) {
        const OpCount<Count> balance = balanceCount(run.block.ffn, tokens);
        for (int i = 0; settings.expertBalance > 0.0 && i < run.repeat; ++i) {
            cost.fixed += balance;
        }
    }
    if (hasLoss(scenario.model)) {
        const Head& head = scenario.model.head;
        const Count rows = head.isOfEveryToken() ? tokens : Count(scenario.workload.batch);
        cost.classes = head.isLm() ? scenario.model.embedding.vocab : head.classes;
        cost.fixed.forEachPair(crossEntropyStepCount(rows, cost.classes),
                               [](Count& to, const Count& loss) { to -= loss; });
    }
    return cost;
}

StepCost ffnStepCost(const FfnSpec& ffn,
                     const Shape& shape,
                     int classes,
                     const TrainingStart& start,
                     const TrainingSettings& settings)
{
    Operation operation{.what = withoutDropout(ffn),
                        .dModel = shape.dModel,
                        .batch = shape.batch,
                        .sequence = shape.sequence,
                        .context = shape.context};
    StepCost cost{.fixed = besideAdam(start, settings), .classes = classes};
    for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
        operation.pass = pass;
        cost.fixed += costTree(operation).total().count;
    }
    cost.fixed += optimizerCount<Count>(Optimizer::adam, trainedSizes(start).all);
    if (settings.expertBalance > 0.0) {
        cost.fixed += balanceCount(ffn, static_cast<Count>(shape.tokens()));
    }
    if (classes > 0) {
        const auto tokens = static_cast<Count>(shape.tokens());
        cost.fixed += classifyingCount(tokens, shape.dModel, classes);
    }
    return cost;
}

} // namespace flopsmith
