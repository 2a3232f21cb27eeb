// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/run/model_run.h"

#include <cstddef>
#include <span>
#include <string>

// The input checks of forward() and backward().
namespace flopsmith {

/// How many numbers of tokens and images a plan reads.
struct InputSizes
{
    std::size_t tokens = 0;
    std::size_t source = 0;
    std::size_t images = 0; ///< values of all images
};

InputSizes inputSizes(const ModelPlan& plan);

/// Checks that there are `wanted` of them, all in [0, end); `what` names them: "tokens".
Status checkedNumbers(std::span<const int> numbers,
                      std::size_t wanted,
                      int end,
                      const std::string& what);

/// Checks that `count` is the wanted one.
Status checkedCount(std::size_t count, std::size_t wanted, const std::string& what);

template <class S>
Status checkedWeights(const ModelPlan& plan, WeightView<S> weights)
{
    FLOPSMITH_RETURN_IF_ERROR(checkedCount(weights.size(), plan.tensors.size(), "tensors"));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto wanted = static_cast<std::size_t>(plan.tensors[i].shape.size());
        FLOPSMITH_RETURN_IF_ERROR(
            checkedCount(weights[i].size(), wanted, "elements of " + plan.tensors[i].path));
    }
    return Done{};
}

template <class S>
Status checkedInputs(const ModelPlan& plan, const ModelInputs<S>& inputs)
{
    const InputSizes wanted = inputSizes(plan);
    FLOPSMITH_RETURN_IF_ERROR(checkedNumbers(inputs.tokens, wanted.tokens, plan.vocab, "tokens"));
    FLOPSMITH_RETURN_IF_ERROR(
        checkedNumbers(inputs.source, wanted.source, plan.vocab, "source tokens"));
    return checkedCount(inputs.images.size(), wanted.images, "values of images");
}

/// The input of a token embedding.
template <class S>
const std::vector<int>& tokensOf(const ModelPart& part, const ModelInputs<S>& inputs)
{
    return part.half == Stack::encoder ? inputs.source : inputs.tokens;
}

} // namespace flopsmith
