// SPDX-License-Identifier: MIT
#include "core/count/cost_tree.h"

namespace flopsmith {

std::string_view opKindName(OpKind kind)
{
    switch (kind) {
    case OpKind::group: return "group";
    case OpKind::linear: return "linear";
    case OpKind::scores: return "scores";
    case OpKind::weightedSum: return "weighted_sum";
    case OpKind::softmax: return "softmax";
    case OpKind::norm: return "norm";
    case OpKind::rmsNorm: return "rms_norm";
    case OpKind::activation: return "activation";
    case OpKind::elementwise: return "elementwise";
    case OpKind::residual: return "residual";
    case OpKind::lookup: return "lookup";
    case OpKind::rotary: return "rotary";
    case OpKind::transform: return "transform";
    case OpKind::filter: return "filter";
    case OpKind::selection: return "selection";
    case OpKind::scan: return "scan";
    }
    return "unknown";
}

template class CostTree<Count>;

} // namespace flopsmith
