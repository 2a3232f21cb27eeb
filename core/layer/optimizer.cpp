// SPDX-License-Identifier: MIT
#include "core/layer/optimizer.h"

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<Optimizer>()
{
    return {"sgd", "momentum", "adam", "adam_mixed"};
}

int stateElements(Optimizer optimizer)
{
    switch (optimizer) {
    case Optimizer::sgd: return 0;
    case Optimizer::momentum: return 1;
    case Optimizer::adam: return 2;
    case Optimizer::adamMixed: return 3;
    }
    return 0;
}

} // namespace flopsmith
