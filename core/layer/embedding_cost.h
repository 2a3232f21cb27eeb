// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/embedding.h"
#include "core/layer/linear_cost.h"
#include "core/layer/norm_cost.h"

#include <string_view>

namespace flopsmith {

/// The width of the token table, as a formula has it.
template <class N>
N tableWidthOf(int width, const Pass<N>& pass)
{
    return width > 0 && width != pass.dModelValue ? pass.numbers("d_e", width) : pass.dModel;
}

/// The sizes that an embedding's operations share.
template <class N>
struct EmbeddingSizes
{
    N tokens; ///< T
    N table; ///< T · width of the token table
    N sumWidth; ///< features of positions, token types and norm
    N sum; ///< T · sumWidth
    N tableWidth;
    N patches; ///< B · patches of an image
    N pixels; ///< of one patch
    N extra; ///< B · extra tokens · d
};

template <class N>
EmbeddingSizes<N> embeddingSizes(const Embedding& embedding, const Pass<N>& pass)
{
    const N width = tableWidthOf(embedding.width, pass);
    const N sumWidth = embedding.sumsBeforeProjection() ? width : pass.dModel;
    EmbeddingSizes<N> sizes{.tokens = pass.tokens(),
                            .table = pass.tokens() * width,
                            .sumWidth = sumWidth,
                            .sum = pass.tokens() * sumWidth,
                            .tableWidth = width,
                            .patches = N(0),
                            .pixels = N(0),
                            .extra = N(0)};
    if (embedding.readsPatches()) {
        const N side = pass.numbers("s_patch", embedding.patchSize);
        sizes.patches = pass.batch * (pass.sequence - N(embedding.extraTokens));
        sizes.pixels = pass.numbers("c_in", embedding.channels) * side * side;
        sizes.extra = pass.batch * N(embedding.extraTokens) * pass.dModel;
    }
    return sizes;
}

inline Bias biasOf(Projection projection)
{
    return biasIf(projection == Projection::biased);
}

/// A table's rows: n elements are moved, and added unless they are the first of the sum.
template <class N>
Cost<N> lookupCost(const N& n, const N& tableElements, bool isFirst)
{
    Cost<N> cost{.count = {.move = n},
                 .traffic = {.weights = n, .written = n},
                 .parameters = ParameterCount<N>::dense(tableElements)};
    if (!isFirst) {
        cost.count.add = n;
        cost.traffic.read = n;
    }
    return cost;
}

template <class N>
void addProjection(const Embedding& embedding, const Pass<N>& pass, CostTree<N>& tree)
{
    const EmbeddingSizes<N> e = embeddingSizes(embedding, pass);
    Cost<N> cost = linearCost(e.tokens, e.tableWidth, pass.dModel, biasOf(embedding.projection));
    cost.saved = e.table;
    tree.operation("projection", OpKind::linear, N(e.tokens * pass.dModel), cost);
}

/// The operations before the sum of tables: rows of tokens (T·width moves; 1 mul per element if
/// scaled; then the projection, unless the sum comes first), or patches as a linear layer of their
/// pixels (mac B·patches·pixels·d: a convolution whose stride is its kernel) and the extra tokens,
/// which are copied to each image (1 move per element).
template <class N>
void addInputCost(const Embedding& embedding, const Pass<N>& pass, CostTree<N>& tree)
{
    const EmbeddingSizes<N> e = embeddingSizes(embedding, pass);
    if (embedding.readsPatches()) {
        tree.operation("patches",
                       OpKind::linear,
                       N(e.patches * pass.dModel),
                       linearCost(e.patches, e.pixels, pass.dModel, biasIf(embedding.bias)));
        if (embedding.extraTokens > 0) {
            tree.operation("extra_tokens",
                           OpKind::lookup,
                           e.extra,
                           lookupCost(e.extra, N(N(embedding.extraTokens) * pass.dModel), true));
        }
        return;
    }
    const N rows = pass.numbers("V", embedding.vocab);
    tree.operation(
        "tokens", OpKind::lookup, e.table, lookupCost(e.table, N(rows * e.tableWidth), true));
    tree.placeLast(ModelPlace::tokenTable);
    if (embedding.scale) {
        tree.operation(
            "scale",
            OpKind::elementwise,
            e.table,
            {.count = {.mul = e.table}, .traffic = {.read = e.table, .written = e.table}});
    }
    if (embedding.projects() && !embedding.positionsBeforeProjection) {
        addProjection(embedding, pass, tree);
    }
}

/// A look-up moves each element; adding a table costs an addition per element. Sinusoidal positions
/// come from a table that is computed once. The positions of an image are added in order, without a
/// look-up: no moves.
template <class N>
void addCost(const Embedding& embedding, const Pass<N>& pass, CostTree<N>& tree)
{
    const EmbeddingSizes<N> e = embeddingSizes(embedding, pass);
    addInputCost(embedding, pass, tree);
    if (embedding.positions != Positions::none) {
        N elements{0};
        if (embedding.positions == Positions::learned) {
            const N rows = embedding.readsPatches() ? pass.sequence
                                                    : pass.numbers("P", embedding.positionRows);
            elements = rows * e.sumWidth;
        }
        Cost<N> cost = lookupCost(e.sum, elements, false);
        if (embedding.readsPatches()) {
            cost.count.move = N(0);
        }
        tree.operation("positions", OpKind::lookup, e.sum, cost);
        tree.placeLast(ModelPlace::positionTable);
    }
    if (!embedding.readsPatches() && embedding.tokenTypes > 0) {
        const N rows = pass.numbers("N_types", embedding.tokenTypes);
        tree.operation(
            "token_types", OpKind::lookup, e.sum, lookupCost(e.sum, N(rows * e.sumWidth), false));
    }
    addNorm("norm", embedding.norm, e.tokens, e.sumWidth, tree);
    if (embedding.sumsBeforeProjection()) {
        addProjection(embedding, pass, tree);
    }
}

/// Backward of the projection: a linear layer's, including the gradient of its input.
template <class N>
void addProjectionBackward(const Embedding& embedding, const Pass<N>& pass, CostTree<N>& tree)
{
    const EmbeddingSizes<N> e = embeddingSizes(embedding, pass);
    tree.operation(
        "projection",
        OpKind::linear,
        e.table,
        linearBackwardCost(e.tokens, e.tableWidth, pass.dModel, biasOf(embedding.projection)));
}

/// Gradients of the weights that read an image. Pixels have no gradient, so only dW = xᵀ·dy of the
/// linear layer remains: mac B·patches·pixels·d, dot pixels·d, and (B·patches − 1)·d add with a
/// bias. Extra tokens: sums over the images, (B − 1)·extra·d add.
template <class N>
void addPatchBackward(const Embedding& embedding, const Pass<N>& pass, CostTree<N>& tree)
{
    const EmbeddingSizes<N> e = embeddingSizes(embedding, pass);
    const N d = pass.dModel;
    const N weight = e.pixels * d;
    Cost<N> patches{.count = {.mac = e.patches * weight, .dot = weight},
                    .traffic = {.read = e.patches * (e.pixels + d), .gradients = weight}};
    if (embedding.bias) {
        patches.count.add = (e.patches - N(1)) * d;
        patches.traffic.read += e.patches * d;
        patches.traffic.gradients += d;
    }
    tree.operation("patches", OpKind::linear, weight, patches);
    if (embedding.extraTokens > 0) {
        const N one = N(embedding.extraTokens) * d;
        tree.operation(
            "extra_tokens",
            OpKind::lookup,
            one,
            {.count = {.add = e.extra - one}, .traffic = {.read = e.extra, .gradients = one}});
    }
}

/// The gradient of a table starts at zeros, and every token adds its row of dy to a row of the
/// table: 1 move and 1 addition per element, whether tokens repeat or not. The whole gradient is
/// written, because it is dense. The positions of an image are sums over the images, (B −
/// 1)·tokens·d additions. Sinusoidal positions, token ids and pixels have no gradient.
template <class N>
void addBackwardCost(const Embedding& embedding, const Pass<N>& pass, CostTree<N>& tree)
{
    const EmbeddingSizes<N> e = embeddingSizes(embedding, pass);
    const auto scatter = [&](std::string_view name, const N& n, const N& gradients) {
        tree.operation(
            name,
            OpKind::lookup,
            n,
            {.count = {.add = n, .move = n}, .traffic = {.read = n, .gradients = gradients}});
    };
    if (embedding.readsPatches()) {
        addPatchBackward(embedding, pass, tree);
    } else {
        scatter("tokens", e.table, N(pass.numbers("V", embedding.vocab) * e.tableWidth));
        if (embedding.scale) {
            tree.operation(
                "scale",
                OpKind::elementwise,
                e.table,
                {.count = {.mul = e.table}, .traffic = {.read = e.table, .written = e.table}});
        }
    }
    if (embedding.projects()) {
        addProjectionBackward(embedding, pass, tree);
    }
    if (embedding.positions == Positions::learned && embedding.readsPatches()) {
        const N one = pass.sequence * pass.dModel;
        tree.operation(
            "positions",
            OpKind::lookup,
            one,
            {.count = {.add = e.sum - one}, .traffic = {.read = e.sum, .gradients = one}});
    } else if (embedding.positions == Positions::learned) {
        scatter("positions", e.sum, N(pass.numbers("P", embedding.positionRows) * e.sumWidth));
    }
    if (!embedding.readsPatches() && embedding.tokenTypes > 0) {
        const N rows = pass.numbers("N_types", embedding.tokenTypes);
        scatter("token_types", e.sum, N(rows * e.sumWidth));
    }
    addNormBackward("norm", embedding.norm, e.tokens, e.sumWidth, tree);
}

} // namespace flopsmith
