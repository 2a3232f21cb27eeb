// SPDX-License-Identifier: MIT
#pragma once

#include "core/mixer/attention_backward_cost.h"
#include "core/mixer/attention_cost.h"
#include "core/mixer/cross_attention_cost.h"
#include "core/mixer/fourier_cost.h"
#include "core/mixer/latent_attention_backward_cost.h"
#include "core/mixer/latent_attention_cost.h"
#include "core/mixer/mamba2_backward_cost.h"
#include "core/mixer/mamba2_cost.h"
#include "core/mixer/mixer.h"
#include "core/mixer/no_mixer.h"

// The formulas of all mixers. A source that only adds them up includes mixer.h, so that a formula
// is recompiled in few places.
namespace flopsmith {

template <class N>
void addCost(const NoMixer& /*mixer*/, const Pass<N>& /*pass*/, CostTree<N>& /*tree*/)
{}

template <class N>
void addBackwardCost(const NoMixer& /*mixer*/, const Pass<N>& /*pass*/, CostTree<N>& /*tree*/)
{}

template <std::same_as<MixerSpec> Any, class N>
void addCost(const Any& mixer, const Pass<N>& pass, CostTree<N>& tree)
{
    visit([&](const auto& spec) { addCost(spec, pass, tree); }, mixer);
}

template <std::same_as<MixerSpec> Any, class N>
void addBackwardCost(const Any& mixer, const Pass<N>& pass, CostTree<N>& tree)
{
    visit([&](const auto& spec) { addBackwardCost(spec, pass, tree); }, mixer);
}

} // namespace flopsmith
