// SPDX-License-Identifier: MIT
#include "core/layer/norm.h"

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<NormKind>()
{
    return {"layer_norm", "rms_norm", "none"};
}

const std::vector<Field<Norm>>& Norm::fields()
{
    static const std::vector<Field<Norm>> kFields{
        choiceField(&Norm::kind, {"norm", "", "norm", "LayerNorm, RMSNorm, or none", ""}),
        onlyIf(flagField(&Norm::scale,
                         {"norm_scale", "", "norm scale", "a learned factor per feature", ""}),
               [](const Norm& norm) { return norm.kind != NormKind::none; }),
        onlyIf(flagField(&Norm::shift,
                         {"norm_shift", "", "norm shift", "a learned offset per feature", ""}),
               [](const Norm& norm) { return norm.kind == NormKind::layerNorm; }),
    };
    return kFields;
}

WeightShapes weights(const Norm& norm, int dModel)
{
    WeightShapes shapes;
    if (norm.kind != NormKind::none && norm.scale) {
        shapes.push_back({"gamma", 1, dModel, Init::ones});
    }
    if (norm.hasShift()) {
        shapes.push_back({"beta", 1, dModel, Init::small});
    }
    return shapes;
}

} // namespace flopsmith
