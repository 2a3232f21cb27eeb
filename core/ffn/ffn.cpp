// SPDX-License-Identifier: MIT
#include "core/ffn/ffn.h"

#include "core/ffn/ffn_variants.h"
#include "core/layer/variant_fields.h"

#include <algorithm>

namespace flopsmith {

template <>
FfnSpec::VariantHandle()
    : VariantHandle(NoFfn{})
{}

std::vector<FfnSpec> ffnPrototypes()
{
    std::vector<FfnSpec> all = prototypes<FfnSpec>();
    for (FfnSpec& spec : all) {
        if (holds_alternative<ComposedFfn>(spec)) {
            spec = ultraEfficientSparseFfn();
        }
    }
    return all;
}

const VariantInfo& info(const FfnSpec& ffn)
{
    return visit([](const auto& spec) -> const VariantInfo& { return spec.info(); }, ffn);
}

const std::vector<Field<FfnSpec>>& fields(const FfnSpec& ffn)
{
    return variantFields(ffn);
}

WeightShapes weights(const FfnSpec& ffn, int dModel)
{
    return visit([dModel](const auto& spec) { return weights(spec, dModel); }, ffn);
}

int tokensSeenBefore(const FfnSpec& ffn)
{
    if (const auto* feedback = get_if<TokenFeedbackFfn>(&ffn)) {
        return feedback->tokensSeenBefore();
    }
    int max = 0;
    int sum = 0;
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (const FfnStage& stage : composed->stages) {
            max = std::max(max, tokensSeenBefore(stage.spec));
            sum += tokensSeenBefore(stage.spec);
        }
        return composed->mode == CompositionMode::parallel ? max : sum;
    }
    return 0;
}

} // namespace flopsmith
