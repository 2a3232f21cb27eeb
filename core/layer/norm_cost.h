// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/norm.h"

#include <string_view>

namespace flopsmith {

/// Two kinds, because tools that know LayerNorm often do not know RMSNorm.
inline OpKind opKind(const Norm& norm)
{
    return norm.kind == NormKind::rmsNorm ? OpKind::rmsNorm : OpKind::norm;
}

/// Per token of d features:
///   LayerNorm  mean: d−1 add, 1 div; centre: d add; variance: d mul, d−1 add, 1 div; + ε: 1 add;
///              1 sqrt; reciprocal: 1 div; normalise: d mul; γ: d mul; β: d add
///   RMSNorm    mean square: d mul, d−1 add, 1 div; + ε: 1 add; 1 sqrt; reciprocal: 1 div;
///              normalise: d mul; γ: d mul
template <class N>
OpCount<N> normCount(const Norm& norm, const N& tokens, const N& d)
{
    OpCount<N> perToken;
    switch (norm.kind) {
    case NormKind::none: return {};
    case NormKind::layerNorm:
        perToken = {.mul = N(2) * d, .add = N(3) * d - N(1), .div = N(3), .sqrt = N(1)};
        break;
    case NormKind::rmsNorm:
        perToken = {.mul = N(2) * d, .add = d, .div = N(2), .sqrt = N(1)};
        break;
    }
    if (norm.scale) {
        perToken.mul += d;
    }
    if (norm.hasShift()) {
        perToken.add += d;
    }
    return tokens * perToken;
}

/// The norm as an operation on x [tokens, d]. Kept for the backward pass: x normalised, before γ
/// and β, and the factor 1/sqrt(…) of each token.
template <class N>
Cost<N> normCost(const Norm& norm, const N& tokens, const N& d)
{
    if (norm.kind == NormKind::none) {
        return {};
    }
    N parameters{0};
    if (norm.scale) {
        parameters += d;
    }
    if (norm.hasShift()) {
        parameters += d;
    }
    return {.count = normCount(norm, tokens, d),
            .traffic = {.weights = parameters,
                        .vectors = parameters,
                        .read = tokens * d,
                        .written = tokens * d},
            .parameters = ParameterCount<N>::ofVectors(parameters),
            .saved = tokens * d + tokens};
}

/// Backward of tokens of d features. With n the normalised token, r its factor and g = dy ⊙ γ:
///   LayerNorm  dx = (g − mean(g) − n·mean(g ⊙ n))·r   3d mul, 4d − 2 add, 2 div
///   RMSNorm    dx = (g − n·mean(g ⊙ n))·r             3d mul, 2d − 1 add, 1 div
///   γ          g, and dγ = Σ_t dy ⊙ n                 2d mul per token; (tokens − 1)·d add in all
///   β          dβ = Σ_t dy                            (tokens − 1)·d add in all
template <class N>
OpCount<N> normBackwardCount(const Norm& norm, const N& tokens, const N& d)
{
    OpCount<N> perToken;
    switch (norm.kind) {
    case NormKind::none: return {};
    case NormKind::layerNorm:
        perToken = {.mul = N(3) * d, .add = N(4) * d - N(2), .div = N(2)};
        break;
    case NormKind::rmsNorm:
        perToken = {.mul = N(3) * d, .add = N(2) * d - N(1), .div = N(1)};
        break;
    }
    OpCount<N> gradients;
    if (norm.scale) {
        perToken.mul += N(2) * d;
        gradients.add += (tokens - N(1)) * d;
    }
    if (norm.hasShift()) {
        gradients.add += (tokens - N(1)) * d;
    }
    return tokens * perToken + gradients;
}

/// The norm's backward as an operation: reads dy and the saved activations, writes dx.
template <class N>
Cost<N> normBackwardCost(const Norm& norm, const N& tokens, const N& d)
{
    if (norm.kind == NormKind::none) {
        return {};
    }
    const N scale = norm.scale ? d : N(0);
    const N shift = norm.hasShift() ? d : N(0);
    return {.count = normBackwardCount(norm, tokens, d),
            .traffic = {.weights = scale,
                        .vectors = scale,
                        .read = N(2) * tokens * d + tokens,
                        .written = tokens * d,
                        .gradients = scale + shift}};
}

/// Adds the norm of rows of `width` features to the tree under `name`, unless the kind is none.
template <class N>
void addNorm(std::string_view name,
             const Norm& norm,
             const N& tokens,
             const N& width,
             CostTree<N>& tree)
{
    if (norm.kind != NormKind::none) {
        tree.operation(
            name, opKind(norm), N(tokens * width), normCost(norm, tokens, width), &kNormComponent);
    }
}

template <class N>
void addNorm(std::string_view name, const Norm& norm, const Pass<N>& pass, CostTree<N>& tree)
{
    addNorm(name, norm, pass.tokens(), pass.dModel, tree);
}

template <class N>
void addNormBackward(std::string_view name,
                     const Norm& norm,
                     const N& tokens,
                     const N& width,
                     CostTree<N>& tree)
{
    if (norm.kind != NormKind::none) {
        tree.operation(name,
                       opKind(norm),
                       N(tokens * width),
                       normBackwardCost(norm, tokens, width),
                       &kNormComponent);
    }
}

template <class N>
void addNormBackward(std::string_view name,
                     const Norm& norm,
                     const Pass<N>& pass,
                     CostTree<N>& tree)
{
    addNormBackward(name, norm, pass.tokens(), pass.dModel, tree);
}

} // namespace flopsmith
