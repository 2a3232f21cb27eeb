// SPDX-License-Identifier: MIT
#include "core/run/generation.h"

#include "core/run/model_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace flopsmith {
namespace {

constexpr int kMaxTokens = 100'000;
constexpr double kHottest = 100.0;

// The places of the largest logits, the largest first.
std::vector<std::size_t> largestOf(std::span<const double> logits, int topK)
{
    std::vector<std::size_t> order(logits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto kept =
        topK > 0 ? std::min(static_cast<std::size_t>(topK), order.size()) : order.size();
    std::ranges::partial_sort(order,
                              order.begin() + static_cast<std::ptrdiff_t>(kept),
                              [&](std::size_t a, std::size_t b) {
                                  return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
                              });
    order.resize(kept);
    return order;
}

} // namespace

Status validatedSampling(const Sampling& sampling)
{
    if (sampling.tokens < 1 || sampling.tokens > kMaxTokens) {
        return Error{"length: " + std::to_string(sampling.tokens)
                     + " is not legal; it must be 1 \xE2\x80\xA6 " + std::to_string(kMaxTokens)};
    }
    const bool isWarm = sampling.temperature >= 0.0 && sampling.temperature <= kHottest;
    if (!isWarm) { // also if it is NaN
        return Error{"temperature must be 0 \xE2\x80\xA6 100"};
    }
    if (sampling.topK < 0) {
        return Error{"top-k must be at least 1"};
    }
    return Done{};
}

int drawnToken(std::span<const double> logits, const Sampling& sampling, Random& random)
{
    if (sampling.temperature <= 0.0) {
        return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
    }
    const std::vector<std::size_t> order = largestOf(logits, sampling.topK);
    std::vector<double> weights;
    double sum = 0.0;
    for (const std::size_t token : order) {
        weights.push_back(std::exp((logits[token] - logits[order.front()]) / sampling.temperature));
        sum += weights.back();
    }
    double left = random.uniform() * sum;
    std::size_t chosen = 0;
    while (chosen + 1 < weights.size() && left >= weights[chosen]) {
        left -= weights[chosen];
        ++chosen;
    }
    return static_cast<int>(order[chosen]);
}

template <class S>
Status generate(const Scenario& scenario,
                const Weights<S>& weights,
                std::vector<int> tokens,
                int context,
                const Sampling& sampling,
                const std::function<bool(int token)>& take)
{
    const Model& model = scenario.model;
    if (!model.head.isLm() || model.embedding.readsPatches() || model.hasEncoder()) {
        return Error{model.name + " has no logits of the next token"};
    }
    if (tokens.empty()) {
        return Error{"a text needs a token to begin with"};
    }
    FLOPSMITH_RETURN_IF_ERROR(validatedSampling(sampling));
    Scenario pass = scenario;
    pass.workload.phase = Phase::prefill;
    pass.workload.batch = 1;
    Random random(sampling.seed);
    for (int i = 0; i < sampling.tokens; ++i) {
        const auto seen = std::min(tokens.size(), static_cast<std::size_t>(std::max(1, context)));
        pass.workload.sequence = static_cast<int>(seen);
        FLOPSMITH_TRY(const ModelPlan plan, planOf(pass));
        const ModelInputs<S> inputs{.tokens = {tokens.end() - std::ptrdiff_t(seen), tokens.end()},
                                    .source = {},
                                    .images = {}};
        FLOPSMITH_TRY(const auto run, forward<S>(plan, weights, inputs));
        const auto last = run.outputs.end() - static_cast<std::ptrdiff_t>(plan.vocab);
        const std::vector<double> logits(last, run.outputs.end());
        tokens.push_back(drawnToken(logits, sampling, random));
        if (!take(tokens.back())) {
            return Done{};
        }
    }
    return Done{};
}

template Status generate<float>(const Scenario&,
                                const Weights<float>&,
                                std::vector<int>,
                                int,
                                const Sampling&,
                                const std::function<bool(int)>&);
template Status generate<double>(const Scenario&,
                                 const Weights<double>&,
                                 std::vector<int>,
                                 int,
                                 const Sampling&,
                                 const std::function<bool(int)>&);

} // namespace flopsmith
