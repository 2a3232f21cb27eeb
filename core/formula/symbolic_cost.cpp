// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_cost.h"
#include "core/formula/symbolic_numbers.h"
#include "core/mixer/mixer_cost.h"
#include "core/model/scenario_cost.h"

// The one source that runs cost formulas on letters, so that a formula is compiled for them once.
namespace flopsmith {

template void addCost(const FfnSpec&, const Pass<GiNaC::ex>&, CostTree<GiNaC::ex>&);
template void addBackwardCost(const FfnSpec&, const Pass<GiNaC::ex>&, CostTree<GiNaC::ex>&);

template void addCost(const MixerSpec&, const Pass<GiNaC::ex>&, CostTree<GiNaC::ex>&);
template void addBackwardCost(const MixerSpec&, const Pass<GiNaC::ex>&, CostTree<GiNaC::ex>&);

template void addCost(const Block&, const Pass<GiNaC::ex>&, CostTree<GiNaC::ex>&);
template CostTree<GiNaC::ex> costTree(const Scenario&, PairsRule, const Numbers<GiNaC::ex>&);

} // namespace flopsmith
