// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/composed_cost.h"
#include "core/ffn/dense_cost.h"
#include "core/ffn/factored/kronecker_cost.h"
#include "core/ffn/factored/low_rank_cost.h"
#include "core/ffn/factored/monarch_cost.h"
#include "core/ffn/ffn.h"
#include "core/ffn/gated_cost.h"
#include "core/ffn/micro_refine_cost.h"
#include "core/ffn/moe_cost.h"
#include "core/ffn/no_ffn.h"
#include "core/ffn/polynomial_cost.h"
#include "core/ffn/random_projection_cost.h"
#include "core/ffn/spectral_cost.h"
#include "core/ffn/token_feedback_cost.h"

// The formulas of all FFNs. A source that only adds them up includes ffn.h, so that a formula is
// recompiled in few places.
namespace flopsmith {

template <class N>
void addCost(const NoFfn& /*ffn*/, const Pass<N>& /*pass*/, CostTree<N>& /*tree*/)
{}

template <class N>
void addBackwardCost(const NoFfn& /*ffn*/, const Pass<N>& /*pass*/, CostTree<N>& /*tree*/)
{}

template <std::same_as<FfnSpec> Any, class N>
void addCost(const Any& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    visit([&](const auto& spec) { addCost(spec, pass, tree); }, ffn);
}

template <std::same_as<FfnSpec> Any, class N>
void addBackwardCost(const Any& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    visit([&](const auto& spec) { addBackwardCost(spec, pass, tree); }, ffn);
}

} // namespace flopsmith
