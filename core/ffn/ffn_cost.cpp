// SPDX-License-Identifier: MIT
#include "core/ffn/ffn_cost.h"

namespace flopsmith {

template void addCost(const FfnSpec&, const Pass<Count>&, CostTree<Count>&);
template void addBackwardCost(const FfnSpec&, const Pass<Count>&, CostTree<Count>&);

} // namespace flopsmith
