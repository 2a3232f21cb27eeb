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

int positionOf(const Shape& shape, std::size_t token)
{
    const auto inSequence = static_cast<int>(token % static_cast<std::size_t>(shape.sequence));
    return shape.context - shape.sequence + inSequence;
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

// Rows of all tokens, before the norm; returns how many tables were used.
template <class S>
std::size_t sumOfRows(const Embedding& embedding,
                      const Shape& shape,
                      WeightView<S> weights,
                      std::span<const int> tokenIds,
                      std::span<S> sums)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    std::size_t tables = 0;
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        tables =
            look<S>(embedding, weights, tokenIds[t], positionOf(shape, t), sums.subspan(t * d, d));
    }
    return tables;
}

// The gradient of a table: row rowOf(t) gets the t-th row of dy.
template <class S, class RowOf>
void scatter(std::span<const S> dy, std::size_t d, std::vector<S>& table, RowOf rowOf)
{
    std::fill(table.begin(), table.end(), S(0));
    for (std::size_t t = 0; t < dy.size() / d; ++t) {
        addRow<S>(std::span<S>(table).subspan(rowOf(t) * d, d), dy.subspan(t * d, d));
    }
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
    std::vector<S> sums(shape.activations());
    const std::size_t tables = sumOfRows<S>(embedding, shape, weights, tokenIds, sums);
    forward<S>(embedding.norm, shape, weights.subspan(tables), sums, y);
}

template <class S>
void backward(const Embedding& embedding,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const int> tokenIds,
              std::span<const S> dy,
              GradientView<S> gradients)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    std::vector<S> sums(shape.activations());
    std::size_t tables = 0;
    {
        const Uncounted kept;
        tables = sumOfRows<S>(embedding, shape, weights, tokenIds, sums);
    }
    std::vector<S> dSums(sums.size());
    backward<S>(
        embedding.norm, shape, weights.subspan(tables), sums, dy, dSums, gradients.subspan(tables));

    std::size_t table = 0;
    scatter<S>(dSums, d, gradients[table++], [&](std::size_t t) {
        return static_cast<std::size_t>(tokenIds[t]);
    });
    if (embedding.positions == Positions::learned) {
        scatter<S>(dSums, d, gradients[table++], [&](std::size_t t) {
            return static_cast<std::size_t>(positionOf(shape, t) % embedding.positionRows);
        });
    }
    if (embedding.tokenTypes > 0) {
        scatter<S>(dSums, d, gradients[table], [](std::size_t) { return std::size_t{0}; });
    }
}

#define FLOPSMITH_EMBEDDING_INSTANCE(S)                                                            \
    template void forward<S>(                                                                      \
        const Embedding&, const Shape&, WeightView<S>, std::span<const int>, std::span<S>);        \
    template void backward<S>(const Embedding&,                                                    \
                              const Shape&,                                                        \
                              WeightView<S>,                                                       \
                              std::span<const int>,                                                \
                              std::span<const S>,                                                  \
                              GradientView<S>);
FLOPSMITH_EMBEDDING_INSTANCE(float)
FLOPSMITH_EMBEDDING_INSTANCE(double)
FLOPSMITH_EMBEDDING_INSTANCE(Counted)

} // namespace flopsmith::reference
