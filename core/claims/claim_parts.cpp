// SPDX-License-Identifier: MIT
#include "core/claims/claim_parts.h"

#include "core/base/text.h"
#include "core/ffn/composed.h"
#include "core/ffn/dense.h"
#include "core/model/model_cost.h"

namespace flopsmith {

Operation operationOf(decltype(Operation::what) what, const ClaimSizes& sizes)
{
    return {.what = std::move(what),
            .dModel = sizes.dModel,
            .batch = 1,
            .sequence = sizes.tokens,
            .context = sizes.tokens};
}

ClaimSide sideOf(std::string name, const Operation& operation)
{
    return {std::move(name), costTree(operation).total(), operation};
}

DenseFfn denseOf(const ClaimSizes& sizes)
{
    return {.dFf = sizes.dFf};
}

ClaimSide denseSide(const ClaimSizes& sizes)
{
    return sideOf("dense FFN", operationOf(FfnSpec(denseOf(sizes)), sizes));
}

std::string parameterText(const FfnSpec& ffn)
{
    std::string text;
    for (const Field<FfnSpec>& field : fields(ffn)) {
        const FieldValue value = field.value(ffn);
        const bool number =
            std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
        const bool seed = field.text.key.find("seed") != std::string_view::npos;
        const bool choice = field.text.key == "selection" || field.text.key == "algorithm";
        if (field.applies(ffn) && ((number && !seed) || choice) && field.text.key != "dropout") {
            text +=
                (text.empty() ? "" : ", ") + std::string(field.text.key) + " " + valueText(value);
        }
    }
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (const FfnStage& stage : composed->stages) {
            text += (text.empty() ? "" : "; ") + parameterText(stage.spec);
        }
    }
    return text;
}

std::vector<Claim> claims(const ClaimSizes& sizes)
{
    std::vector<Claim> all = savingClaims(sizes);
    for (Claim& claim : comparisonClaims(sizes)) {
        all.push_back(std::move(claim));
    }
    return all;
}

} // namespace flopsmith
