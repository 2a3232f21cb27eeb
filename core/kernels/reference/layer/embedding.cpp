// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"

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

// A look-up moves d elements; all look-ups but the first accumulate.
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

// The gradient of a table: row rowOf(t) gets the t-th row of dy.
template <class S, class RowOf>
void scatter(std::span<const S> dy, std::size_t d, std::vector<S>& table, RowOf rowOf)
{
    std::fill(table.begin(), table.end(), S(0));
    for (std::size_t t = 0; t < dy.size() / d; ++t) {
        addRow<S>(std::span<S>(table).subspan(rowOf(t) * d, d), dy.subspan(t * d, d));
    }
}

/// An embedding of tokens: its tensors, and the activations saved for the backward pass.
template <class S>
class TokenEmbedding
{
public:
    TokenEmbedding(const Embedding& embedding,
                   const Shape& shape,
                   WeightView<S> weights,
                   std::span<const int> tokenIds)
        : m_embedding(embedding)
        , m_shape(shape)
        , m_weights(weights)
        , m_tokenIds(tokenIds)
        , m_tables(static_cast<std::size_t>(embedding.tables()))
        , m_width(static_cast<std::size_t>(embedding.tableWidth(shape.dModel)))
        , m_sumWidth(static_cast<std::size_t>(embedding.sumWidth(shape.dModel)))
        , m_projection(m_tables + normTensors(embedding))
    {}

    void forward(std::span<S> y)
    {
        lookUp();
        m_sums = m_rows;
        if (m_embedding.projects() && !m_embedding.positionsBeforeProjection) {
            m_sums.resize(y.size());
            project(m_rows, m_sums);
        }
        addTables();
        m_normed.resize(m_sums.size());
        reference::forward<S>(
            m_embedding.norm, sumShape(), m_weights.subspan(m_tables), m_sums, m_normed);
        if (m_embedding.sumsBeforeProjection()) {
            project(m_normed, y);
        } else {
            std::copy(m_normed.begin(), m_normed.end(), y.begin());
        }
    }

    /// For the tokens of the last forward pass.
    void backward(std::span<const S> dy, GradientView<S> gradients) const
    {
        std::vector<S> dNormed(dy.begin(), dy.end());
        if (m_embedding.sumsBeforeProjection()) {
            dNormed = projectBackward(m_normed, dy, gradients);
        }
        std::vector<S> dSums(dNormed.size());
        reference::backward<S>(m_embedding.norm,
                               sumShape(),
                               m_weights.subspan(m_tables),
                               m_sums,
                               dNormed,
                               dSums,
                               gradients.subspan(m_tables));
        scatterTables(dSums, gradients);
        std::vector<S> dRows = dSums;
        if (m_embedding.projects() && !m_embedding.positionsBeforeProjection) {
            dRows = projectBackward(m_rows, dSums, gradients);
        }
        if (m_embedding.scale) {
            scale(dRows);
        }
        scatter<S>(dRows, m_width, gradients[0], [&](std::size_t t) {
            return static_cast<std::size_t>(m_tokenIds[t]);
        });
    }

private:
    static std::size_t normTensors(const Embedding& embedding)
    {
        return flopsmith::weights(embedding.norm, 1).size();
    }

    Shape sumShape() const
    {
        Shape shape = m_shape;
        shape.dModel = static_cast<int>(m_sumWidth);
        return shape;
    }

    void scale(std::vector<S>& rows) const
    {
        for (S& value : rows) {
            value *= S(embeddingScale(m_embedding, m_shape.dModel));
        }
    }

    void lookUp()
    {
        m_rows.clear();
        for (const int id : m_tokenIds) {
            FLOPSMITH_CHECK(id >= 0 && id < m_embedding.vocab);
            const auto first = m_weights[0].begin() + static_cast<std::ptrdiff_t>(id * m_width);
            noteMoves<S>(m_width);
            m_rows.insert(m_rows.end(), first, first + static_cast<std::ptrdiff_t>(m_width));
        }
        if (m_embedding.scale) {
            scale(m_rows);
        }
    }

    // Positions and token types, of which all tokens have row 0.
    void addTables()
    {
        for (std::size_t t = 0; t < m_shape.tokens(); ++t) {
            const auto sum = std::span<S>(m_sums).subspan(t * m_sumWidth, m_sumWidth);
            const auto rowOf = [&](std::size_t table, int row) {
                return std::span<const S>(m_weights[table]).subspan(row * m_sumWidth, m_sumWidth);
            };
            const int position = positionOf(m_shape, t);
            std::size_t table = 1;
            if (m_embedding.positions == Positions::learned) {
                addRow<S>(sum, rowOf(table++, position % m_embedding.positionRows));
            } else if (m_embedding.positions == Positions::sinusoidal) {
                addRow<S>(sum, sinusoidalRow<S>(position, static_cast<int>(m_sumWidth)));
            }
            if (m_embedding.tokenTypes > 0) {
                addRow<S>(sum, rowOf(table, 0));
            }
        }
    }

    void scatterTables(std::span<const S> dSums, GradientView<S> gradients) const
    {
        std::size_t table = 1;
        if (m_embedding.positions == Positions::learned) {
            scatter<S>(dSums, m_sumWidth, gradients[table++], [&](std::size_t t) {
                return static_cast<std::size_t>(positionOf(m_shape, t) % m_embedding.positionRows);
            });
        }
        if (m_embedding.tokenTypes > 0) {
            scatter<S>(
                dSums, m_sumWidth, gradients[table], [](std::size_t) { return std::size_t{0}; });
        }
    }

    template <class Tensors>
    auto* projectionBias(Tensors tensors) const
    {
        const bool biased = m_embedding.projection == Projection::biased;
        return biased ? &tensors[m_projection + 1] : nullptr;
    }

    void project(std::span<const S> x, std::span<S> y) const
    {
        linear<S>(m_shape.tokens(), x, m_weights[m_projection], projectionBias(m_weights), y);
    }

    std::vector<S> projectBackward(std::span<const S> x,
                                   std::span<const S> dy,
                                   GradientView<S> gradients) const
    {
        std::vector<S> dx(x.size());
        linearBackward<S>(m_shape.tokens(),
                          x,
                          m_weights[m_projection],
                          dy,
                          dx,
                          gradients[m_projection],
                          projectionBias(gradients));
        return dx;
    }

    const Embedding& m_embedding;
    const Shape& m_shape;
    WeightView<S> m_weights;
    std::span<const int> m_tokenIds;
    std::size_t m_tables;
    std::size_t m_width; ///< of the token table
    std::size_t m_sumWidth; ///< of positions, token types and norm
    std::size_t m_projection; ///< tensor index of its matrix
    std::vector<S> m_rows; ///< [T, width]
    std::vector<S> m_sums; ///< [T, sumWidth]
    std::vector<S> m_normed; ///< [T, sumWidth]
};

} // namespace

template <class S>
void forward(const Embedding& embedding,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const int> tokenIds,
             std::span<S> y)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && !embedding.readsPatches());
    TokenEmbedding<S>(embedding, shape, weights, tokenIds).forward(y);
}

template <class S>
void backward(const Embedding& embedding,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const int> tokenIds,
              std::span<const S> dy,
              GradientView<S> gradients)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && !embedding.readsPatches());
    TokenEmbedding<S> kernel(embedding, shape, weights, tokenIds);
    {
        const Uncounted scope;
        std::vector<S> y(dy.size());
        kernel.forward(y);
    }
    kernel.backward(dy, gradients);
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
