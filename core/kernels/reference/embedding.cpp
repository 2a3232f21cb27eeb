// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer.h"

#include <algorithm>

namespace flopsmith::reference {
namespace {

template <class S>
std::vector<S> sinusoidalRow(int position, int dModel)
{
    std::vector<S> row;
    row.reserve(static_cast<std::size_t>(dModel));
    for (int feature = 0; feature < dModel; ++feature) {
        row.push_back(S(sinusoidalPosition(position, feature, dModel)));
    }
    return row;
}

// A look-up moves d elements; all but the first are added to what is there.
template <class S>
void addRow(std::span<S> token, std::span<const S> row)
{
    noteMoves<S>(row.size());
    for (std::size_t j = 0; j < token.size(); ++j) {
        token[j] += row[j];
    }
}

// Rows of one token; returns how many tables were used.
template <class S>
std::size_t look(const Embedding& e,
                 WeightView<S> weights,
                 int tokenId,
                 int position,
                 std::span<S> y)
{
    FLOPSMITH_CHECK(tokenId >= 0 && tokenId < e.vocab);
    const auto rowOf = [&](std::size_t table, int row) {
        return std::span<const S>(weights[table]).subspan(row * y.size(), y.size());
    };
    std::size_t table = 0;
    const auto token = rowOf(table++, tokenId);
    noteMoves<S>(token.size());
    std::copy(token.begin(), token.end(), y.begin());
    if (e.positions == Positions::learned) {
        addRow<S>(y, rowOf(table++, position % e.positionRows));
    } else if (e.positions == Positions::sinusoidal) {
        addRow<S>(y, sinusoidalRow<S>(position, static_cast<int>(y.size())));
    }
    if (e.tokenTypes > 0) {
        addRow<S>(y, rowOf(table++, 0));
    }
    return table;
}

} // namespace

template <class S>
void forward(const Embedding& embedding,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const int> tokenIds,
             std::span<S> y)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens());
    const auto d = static_cast<std::size_t>(shape.dModel);
    std::vector<S> sums(shape.activations());
    std::size_t tables = 0;
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        const auto inSequence = static_cast<int>(t % static_cast<std::size_t>(shape.sequence));
        const int position = shape.context - shape.sequence + inSequence;
        tables = look<S>(
            embedding, weights, tokenIds[t], position, std::span<S>(sums).subspan(t * d, d));
    }
    forward<S>(embedding.norm, shape, weights.subspan(tables), sums, y);
}

#define FLOPSMITH_EMBEDDING_INSTANCE(S)                                                            \
    template void forward<S>(                                                                      \
        const Embedding&, const Shape&, WeightView<S>, std::span<const int>, std::span<S>);
FLOPSMITH_EMBEDDING_INSTANCE(float)
FLOPSMITH_EMBEDDING_INSTANCE(double)
FLOPSMITH_EMBEDDING_INSTANCE(Counted)

} // namespace flopsmith::reference
