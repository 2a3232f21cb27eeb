// SPDX-License-Identifier: MIT
#pragma once

#include "core/layer/norm.h"

namespace flopsmith {

enum class Positions { none, learned, sinusoidal };

template <>
std::vector<std::string_view> enumNames<Positions>();

/// Token embedding: a row of a [vocab, d] table per token, plus a row of the position table and,
/// in BERT, of the token-type table; optionally normalised.
struct Embedding
{
    int vocab = 50257; ///< V
    Positions positions = Positions::learned;
    int positionRows = 1024; ///< rows of the learned table
    int tokenTypes = 0; ///< rows of the token-type table; 0: there is none
    Norm norm = Norm::absent();

    bool operator==(const Embedding&) const = default;

    static const std::vector<Field<Embedding>>& fields();
};

/// Entry of the fixed position table: sin(p·10000^(−2i/d)) at feature 2i and cos of the same at
/// 2i + 1 (Vaswani et al. 2017).
double sinusoidalPosition(int position, int feature, int dModel);

/// tokens [V, d], then positions [rows, d], token types [types, d], and the norm's.
WeightShapes weights(const Embedding& embedding, int dModel);

/// Look-ups move T·d elements each; adding a table costs T·d additions. Sinusoidal positions are
/// taken from a table that is computed once.
template <class N>
void addCost(const Embedding& embedding, const Pass<N>& pass, CostTree<N>& tree)
{
    const N n = pass.tokens() * pass.dModel;
    const auto lookup = [&](std::string_view name, const N& rows, bool first) {
        Cost<N> cost{.count = {.move = n},
                     .traffic = {.weights = n, .written = n},
                     .parameters = {.trainable = rows * pass.dModel, .active = rows * pass.dModel}};
        if (!first) {
            cost.count.add = n;
            cost.traffic.read = n;
        }
        tree.operation(name, OpKind::lookup, n, cost);
    };
    lookup("tokens", pass.numbers("V", embedding.vocab), true);
    if (embedding.positions == Positions::learned) {
        lookup("positions", pass.numbers("P", embedding.positionRows), false);
    } else if (embedding.positions == Positions::sinusoidal) {
        lookup("positions", N(0), false);
    }
    if (embedding.tokenTypes > 0) {
        lookup("token_types", pass.numbers("N_types", embedding.tokenTypes), false);
    }
    addNorm("norm", embedding.norm, pass, tree);
}

/// The gradient of a table starts at zeros, and every token adds its row dy to one of the table's:
/// T·d moves and T·d additions per table, whether tokens repeat or not. All of the gradient is
/// written, as it is stored in full. Sinusoidal positions have none, token numbers neither.
template <class N>
void addBackwardCost(const Embedding& embedding, const Pass<N>& pass, CostTree<N>& tree)
{
    const N n = pass.tokens() * pass.dModel;
    const auto scatter = [&](std::string_view name, const N& rows) {
        tree.operation(name,
                       OpKind::lookup,
                       n,
                       {.count = {.add = n, .move = n},
                        .traffic = {.read = n, .gradients = rows * pass.dModel}});
    };
    scatter("tokens", pass.numbers("V", embedding.vocab));
    if (embedding.positions == Positions::learned) {
        scatter("positions", pass.numbers("P", embedding.positionRows));
    }
    if (embedding.tokenTypes > 0) {
        scatter("token_types", pass.numbers("N_types", embedding.tokenTypes));
    }
    addNormBackward("norm", embedding.norm, pass, tree);
}

} // namespace flopsmith
