// SPDX-License-Identifier: MIT
#include "core/ffn/ffn.h"

#include "core/layer/variant_fields.h"

namespace flopsmith {

std::vector<FfnSpec> ffnPrototypes()
{
    std::vector<FfnSpec> all = prototypes<FfnSpec>();
    for (FfnSpec& spec : all) {
        if (std::holds_alternative<ComposedFfn>(spec)) {
            spec = ultraEfficientSparseFfn();
        }
    }
    return all;
}

ComposedFfn ultraEfficientSparseFfn()
{
    ComposedFfn ffn;
    ffn.dropout = 0.1;
    ffn.stages = {{SpectralFfn{}}, {PolynomialFfn{}}, {MicroRefineFfn{}}};
    return ffn;
}

const VariantInfo& info(const FfnSpec& ffn)
{
    return std::visit([](const auto& spec) -> const VariantInfo& { return spec.info(); }, ffn);
}

const std::vector<Field<FfnSpec>>& fields(const FfnSpec& ffn)
{
    return variantFields(ffn);
}

WeightShapes weights(const FfnSpec& ffn, int dModel)
{
    return std::visit([dModel](const auto& spec) { return weights(spec, dModel); }, ffn);
}

} // namespace flopsmith
