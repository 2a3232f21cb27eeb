// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/layer/activation.h"
#include "core/layer/linear.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

enum class HeadKind {
    lm, ///< logits over the vocabulary for every token
    pooler, ///< tanh(W·x + b) of the first token (BERT)
    none,
};

template <>
std::vector<std::string_view> enumNames<HeadKind>();

/// What stands on top of the last block.
struct Head
{
    HeadKind kind = HeadKind::lm;
    bool tied = true; ///< an LM head that shares its matrix with the token embedding
    bool bias = false;

    bool operator==(const Head&) const = default;

    static const std::vector<Field<Head>>& fields();
};

/// LM head: W [V, d] (as the embedding table stores it), bias [V]. Pooler: W [d, d], bias [d].
/// A tied matrix is listed too: it must be read, though it is not counted as a parameter again.
WeightShapes weights(const Head& head, int dModel, int vocab);

/// Adds the head to the tree: linear d → V per token, or linear d → d and tanh per sequence. The
/// pooler keeps what comes out of its tanh for the backward pass.
template <class N>
void addCost(const Head& head, int vocab, const Pass<N>& pass, CostTree<N>& tree)
{
    const N d = pass.dModel;
    if (head.kind == HeadKind::lm) {
        const N v = pass.numbers("V", vocab);
        Cost<N> cost = linearCost(pass.tokens(), d, v, biasIf(head.bias));
        if (head.tied) {
            cost.parameters = ParameterCount<N>::dense(head.bias ? v : N(0));
        }
        tree.operation("logits", OpKind::linear, pass.tokens() * v, cost);
    } else if (head.kind == HeadKind::pooler) {
        const N n = pass.batch * d;
        tree.operation("dense", OpKind::linear, n, linearCost(pass.batch, d, d, Bias::present));
        tree.operation("tanh",
                       OpKind::activation,
                       n,
                       {.count = {.exp = n}, .traffic = {.read = n, .written = n}, .saved = n});
    }
}

/// Backward of the linear layers; tanh: dy·(1 − y²), 2 mul and 1 add each. A tied matrix gets its
/// gradient here, and the embedding adds its rows to the same. The pooler's dx is zero at all but
/// the first token of a sequence.
template <class N>
void addBackwardCost(const Head& head, int vocab, const Pass<N>& pass, CostTree<N>& tree)
{
    const N d = pass.dModel;
    if (head.kind == HeadKind::lm) {
        const N v = pass.numbers("V", vocab);
        tree.operation("logits",
                       OpKind::linear,
                       pass.tokens() * d,
                       linearBackwardCost(pass.tokens(), d, v, biasIf(head.bias)));
    } else if (head.kind == HeadKind::pooler) {
        const N n = pass.batch * d;
        tree.operation(
            "dense", OpKind::linear, n, linearBackwardCost(pass.batch, d, d, Bias::present));
        tree.operation(
            "tanh",
            OpKind::activation,
            n,
            {.count = {.mul = N(2) * n, .add = n}, .traffic = {.read = N(2) * n, .written = n}});
    }
}

} // namespace flopsmith
