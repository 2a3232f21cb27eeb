// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/moe/routes.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/plan/choice.cuh"
#include "core/kernels/cuda/plan/operations.h"

#include <cmath>

namespace flopsmith::cuda {
namespace {

// Monotone in the value; not-a-number counts as infinite, so that it reaches the output.
__device__ unsigned rankOf(float value)
{
    const float ranked = isnan(value) ? INFINITY : (value == 0.0F ? 0.0F : value);
    const unsigned bits = __float_as_uint(ranked);
    return (bits >> 31) != 0 ? ~bits : bits | 1U << 31;
}

// What a group of experts is worth: its best value, or the sum of its two best.
__device__ float worthOf(const float* values, int size, bool two)
{
    int best = 0;
    for (int i = 1; i < size; ++i) {
        best = rankOf(values[i]) > rankOf(values[best]) ? i : best;
    }
    int second = best == 0 ? 1 : 0;
    for (int i = second + 1; two && i < size; ++i) {
        second = i != best && rankOf(values[i]) > rankOf(values[second]) ? i : second;
    }
    return two ? values[best] + values[second] : values[best];
}

// The k experts of largest value, of all or of the groups that are worth most, ascending.
const int* chosenExperts(Plan& plan, const MoeFfn& ffn, const Tensor* by, const Tensor* correction)
{
    const Index tokens = by->rows;
    const int experts = ffn.experts;
    const float* values = by->values;
    if (correction != nullptr) {
        float* const corrected = plan.memory<float>(by->elements());
        const float* const added = correction->values;
        const float* const from = values;
        each(plan, tokens, experts, [=] __device__(Index token, Index e) {
            corrected[token * experts + e] = from[token * experts + e] + added[e];
        });
        values = corrected;
    }
    KeptValues groups;
    const int size = ffn.groupSize();
    if (ffn.limitsGroups()) {
        const bool two = ffn.sumsGroups();
        const auto worth = [=] __device__(Index token, int group) {
            return rankOf(worthOf(values + token * experts + group * size, size, two));
        };
        groups = keptLargest(plan, tokens, {{0, ffn.groups}, {ffn.groupsPerToken}}, worth);
    }
    const auto key = [=] __device__(Index token, int e) {
        const bool open = groups.has(token, e / size);
        return open ? rankOf(values[token * experts + e]) : 0U;
    };
    const KeptValues kept = keptLargest(plan, tokens, {{0, experts}, {ffn.perToken}}, key);
    return placesOf(plan, tokens, experts, ffn.perToken, kept);
}

Tensor* softmaxOfRows(Plan& plan, Tensor* x)
{
    Tensor* const y = plan.like(x);
    const Index columns = x->columns;
    const Matrix from = valuesOf(x);
    const Matrix p = valuesOf(y);
    const Matrix dy = gradientOf(y);
    eachRow(plan, x->rows, columns, [=] __device__(Index row) {
        const float largest = maxOverBlock(0, columns, [&](Index j) { return from(row, j); });
        const auto share = [&](Index j) { return expf(from(row, j) - largest); };
        const float sum = sumOverBlock(0, columns, share);
        shareOut(0, columns, [&](Index j) { p(row, j) = share(j) / sum; });
    });
    addGradient(plan, x, [=] __device__(Index row, Index column) { // rows are short
        float mean = 0.0F;
        for (Index j = 0; j < columns; ++j) {
            mean += dy(row, j) * p(row, j);
        }
        return p(row, column) * (dy(row, column) - mean);
    });
    return y;
}

Tensor* scored(Plan& plan, const MoeFfn& ffn, Tensor* logits)
{
    return ffn.score == RouterScore::softmax ? softmaxOfRows(plan, logits) : sigmoids(plan, logits);
}

// The scores of the chosen experts, [tokens, k].
Tensor* ofChosen(Plan& plan, Tensor* scores, const int* chosen, Index perToken)
{
    Tensor* const y = plan.tensor(scores->rows, perToken);
    const Matrix from = valuesOf(scores);
    const float* const dy = y->gradient;
    fill(plan, y, [=] __device__(Index token, Index j) {
        return from(token, chosen[token * perToken + j]);
    });
    addGradient(plan, scores, [=] __device__(Index token, Index e) {
        float sum = 0.0F;
        for (Index j = token * perToken; j < (token + 1) * perToken; ++j) {
            sum += chosen[j] == e ? dy[j] : 0.0F;
        }
        return sum;
    });
    return y;
}

// scale·s, divided by the sum of a token's scores if they are renormalised.
Tensor* weighed(Plan& plan, Tensor* scores, bool renormalises, float scale)
{
    Tensor* const y = plan.tensor(scores->rows, scores->columns);
    const Index k = scores->columns;
    const float* const s = scores->values;
    const float* const dy = y->gradient;
    const auto total = [=] __device__(Index token) {
        float sum = 0.0F;
        for (Index j = token * k; j < (token + 1) * k; ++j) {
            sum += s[j];
        }
        return renormalises ? sum : 1.0F;
    };
    fill(plan, y, [=] __device__(Index token, Index j) {
        return scale * (s[token * k + j] / total(token));
    });
    addGradient(plan, scores, [=] __device__(Index token, Index j) {
        const float sum = total(token);
        float mean = 0.0F;
        for (Index i = token * k; renormalises && i < (token + 1) * k; ++i) {
            mean += scale * dy[i] * (s[i] / sum);
        }
        return (scale * dy[token * k + j] - mean) / sum;
    });
    return y;
}

} // namespace

Routes routesOf(Plan& plan, const MoeFfn& ffn, const FfnInput& in)
{
    const MoeTensors at(ffn, in.dModel());
    Tensor* const logits = plan.tensor(in.x->rows, ffn.experts);
    product(plan,
            {in.x->rows, in.x->columns, ffn.experts},
            {in.x, in.x->columns},
            {in.weights[0], ffn.experts},
            {logits, ffn.experts},
            {.exact = true});
    addBias(plan, logits, tensorAt(in.weights, at.routerBias));
    const Tensor* const correction = tensorAt(in.weights, at.correctionBias);
    Routes routes;
    if (!ffn.choosesByScore()) {
        routes.experts = chosenExperts(plan, ffn, logits, correction);
    }
    const bool scoresAll = ffn.scored == ScoredExperts::all;
    Tensor* const scores = scoresAll ? scored(plan, ffn, logits) : logits;
    if (ffn.choosesByScore()) {
        routes.experts = chosenExperts(plan, ffn, scores, correction);
    }
    Tensor* const chosen = ofChosen(plan, scores, routes.experts, ffn.perToken);
    routes.weights = weighed(plan,
                             scoresAll ? chosen : scored(plan, ffn, chosen),
                             ffn.renormalises(),
                             static_cast<float>(ffn.scale));
    return routes;
}

} // namespace flopsmith::cuda
