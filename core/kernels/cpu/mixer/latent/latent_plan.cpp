// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/latent/latent_plan.h"

namespace flopsmith::cpu {

LatentPlan::LatentPlan(const LatentAttention& attention, const Shape& shape, Precision products)
    : spec(attention.inStep(shape.context > shape.sequence))
    , batch(shape.batch)
    , queries(shape.sequence)
    , cached(shape.context - shape.sequence)
    , tokens(static_cast<std::int64_t>(shape.tokens()))
    , dModel(shape.dModel)
    , heads(attention.heads)
    , queryRank(attention.qLoraRank)
    , rank(attention.kvLoraRank)
    , nope(attention.qkNopeDim)
    , rope(attention.qkRopeDim)
    , value(attention.vHeadDim)
    , precision(products)
{}

AttentionPlan LatentPlan::core() const
{
    return {.batch = batch,
            .queries = queries,
            .cached = cached,
            .fresh = queries,
            .heads = heads,
            .kvHeads = spec.isAbsorbed() ? 1 : heads,
            .keyDim = keyDim(),
            .valueDim = valueDim(),
            .reachForward = spec.causal ? 0 : kEveryKey,
            .scale = static_cast<float>(spec.scoreFactor())};
}

} // namespace flopsmith::cpu
