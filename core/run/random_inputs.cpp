// SPDX-License-Identifier: MIT
#include "core/base/random.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/run/checks.h"
#include "core/run/model_run.h"

namespace flopsmith {
namespace {

std::vector<int> randomTokens(std::size_t count, int vocab, Random& random)
{
    std::vector<int> tokens;
    tokens.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        tokens.push_back(static_cast<int>(random.integer(0, vocab - 1)));
    }
    return tokens;
}

} // namespace

template <class S>
ModelInputs<S> randomInputs(const ModelPlan& plan, std::uint64_t seed)
{
    const InputSizes sizes = inputSizes(plan);
    Random random(seed);
    ModelInputs<S> inputs;
    inputs.tokens = randomTokens(sizes.tokens, plan.vocab, random);
    inputs.source = randomTokens(sizes.source, plan.vocab, random);
    inputs.images = randomActivations<S>(sizes.images, seed);
    return inputs;
}

template ModelInputs<float> randomInputs<float>(const ModelPlan&, std::uint64_t);
template ModelInputs<double> randomInputs<double>(const ModelPlan&, std::uint64_t);
template ModelInputs<reference::Counted> randomInputs<reference::Counted>(const ModelPlan&,
                                                                          std::uint64_t);

} // namespace flopsmith
