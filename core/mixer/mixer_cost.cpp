// SPDX-License-Identifier: MIT
#include "core/mixer/mixer_cost.h"

namespace flopsmith {

template void addCost(const MixerSpec&, const Pass<Count>&, CostTree<Count>&);
template void addBackwardCost(const MixerSpec&, const Pass<Count>&, CostTree<Count>&);

} // namespace flopsmith
