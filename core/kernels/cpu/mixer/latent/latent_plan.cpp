// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/latent/latent_plan.h"

#include <cmath>

namespace flopsmith::cpu {
namespace {

Count ifAbsorbed(const LatentPlan& n, std::int64_t perHead)
{
    return n.spec.isAbsorbed() ? Count{n.tokens} * n.heads * perHead : Count{0};
}
Count ifExpanded(const LatentPlan& n, std::int64_t perHead)
{
    return n.spec.isAbsorbed() ? Count{0} : Count{n.tokens} * n.heads * perHead;
}

} // namespace

LatentPlan::LatentPlan(const LatentAttention& attention, const Shape& shape, Precision products)
    : spec(attention)
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
            .scale = 1.0F / std::sqrt(static_cast<float>(qkDim()))};
}

LatentFloats::LatentFloats(const LatentPlan& n)
    : queryLatents(Count{n.tokens} * n.queryRank)
    , q(Count{n.tokens} * n.heads * n.qkDim())
    , down(Count{n.tokens} * (n.rank + n.rope))
    , latents(Count{n.tokens} * n.rank)
    , ropeKeys(Count{n.tokens} * n.rope)
    , absorbed(ifAbsorbed(n, n.rank + n.rope))
    , keys(ifExpanded(n, n.nope))
    , values(ifExpanded(n, n.value))
    , oldKeys(Count{n.expandedAgain()} * n.heads * n.nope)
    , oldValues(Count{n.expandedAgain()} * n.heads * n.value)
    , sums(Count{n.tokens} * n.heads * n.valueDim())
    , mixed(ifAbsorbed(n, n.value))
{}

Count latentCoreBytes(const LatentPlan& plan)
{
    const Count rotary = Count{plan.queries} * plan.rope; // cosines and sines of half the features
    return Count{sizeof(float)} * (LatentFloats(plan).total() + rotary);
}

} // namespace flopsmith::cpu
