// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/kronecker/factor_product.h"
#include "core/kernels/cpu/gemm/bf16/bf16_product.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lane_transpose.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Rows of transposed tokens that one product takes.
constexpr std::int64_t kTransposedRows = 128;

// From the right, one product multiplies the rows of all tokens; from the left, each token is a
// product of its own with the shared Fᵀ. Tokens are transposed only where they have so few columns
// that their own products would waste most of each register.
class DenseFactor : public FactorProduct
{
public:
    DenseFactor(const FactorSetting& setting, Passes passes)
        : FactorProduct(setting)
        , m_rank(setting.factor.rank)
        , m_rowsOfTerm(setting.factor.in)
        , m_columnsOfTerm(setting.factor.out)
        , m_places(setting.places)
        , m_precision(setting.precision)
    {
        const bool both = passes == Passes::both;
        if (both || side() == Side::right || transposesTokens()) {
            m_matrix = Buffer(static_cast<std::size_t>(in() * out()));
        }
        if (both || (side() == Side::left && !transposesTokens())) {
            m_matrixTransposed = Buffer(static_cast<std::size_t>(in() * out()));
        }
        forEachEntry(setting, [&](std::int64_t entry, std::int64_t row, std::int64_t column) {
            if (m_matrix.size() > 0) {
                m_matrix.data()[row * out() + column] = setting.entries[entry];
            }
            if (m_matrixTransposed.size() > 0) {
                m_matrixTransposed.data()[column * in() + row] = setting.entries[entry];
            }
        });
        prepareLibrary();
    }

    void forward(const float* from, float* to, const Range& rows, float* scratch) const override
    {
        if (transposesTokens()) {
            transposedTokens(from, m_matrix.data(), to, rows, in(), out(), scratch);
        } else if (side() == Side::right) {
            rowsTimes(from, m_matrix.data(), to, rows, in(), out());
        } else {
            timesTokens(m_matrixTransposed.data(), from, to, rows, out(), in());
        }
    }

    void backwardInput(const float* dTo,
                       float* dFrom,
                       const Range& rows,
                       float* scratch) const override
    {
        if (transposesTokens()) {
            transposedTokens(dTo, m_matrixTransposed.data(), dFrom, rows, out(), in(), scratch);
        } else if (side() == Side::right) {
            rowsTimes(dTo, m_matrixTransposed.data(), dFrom, rows, out(), in());
        } else {
            timesTokens(m_matrix.data(), dTo, dFrom, rows, in(), out());
        }
    }

    void backwardEntries(const float* from,
                         const float* dTo,
                         std::int64_t tokens,
                         const Range& rows,
                         float* gradient,
                         Into into,
                         float* scratch) const override
    {
        if (rows.size() == 0) {
            return;
        }
        const MatrixAt<float> sums{gradient + rows.first * out(), out()};
        if (side() == Side::right) {
            multiplyTransposedIn(m_precision,
                                 {rows.size(), tokens * others(), out()},
                                 {from + rows.first, in()},
                                 {dTo, out()},
                                 sums,
                                 into);
            return;
        }
        if (transposesTokens()) {
            transposedEntries(from, dTo, tokens, rows, sums, into, scratch);
            return;
        }
        for (std::int64_t t = 0; t < tokens; ++t) {
            multiplyIn(m_precision,
                       {rows.size(), others(), out()},
                       {from + t * inputs() + rows.first * others(), others()},
                       {dTo + t * outputs(), others()},
                       Stored::transposed,
                       sums,
                       t == 0 ? into : Into::accumulate);
        }
    }

    std::int64_t gradientElements() const override { return in() * out(); }

    void unpack(const float* gradient, float* weightGradient, Into into) const override
    {
        for (std::int64_t r = 0; r < m_rank; ++r) {
            for (std::int64_t i = 0; i < m_rowsOfTerm; ++i) {
                const float* row = gradient + (i * m_places.row + r * m_places.rowOfTerm) * out()
                    + r * m_places.columnOfTerm;
                for (std::int64_t j = 0; j < m_columnsOfTerm; ++j, ++weightGradient) {
                    const float value = row[j * m_places.column];
                    *weightGradient = into == Into::accumulate ? *weightGradient + value : value;
                }
            }
        }
    }

    bool gradientNeedsUnpacking() const override
    {
        const bool below = m_places.rowOfTerm == m_rowsOfTerm && m_places.columnOfTerm == 0;
        return m_places.row != 1 || m_places.column != 1 || (m_rank > 1 && !below);
    }

    std::int64_t scratchElements() const override
    {
        return transposesTokens() ? (in() + out()) * kTransposedRows : 0;
    }

private:
    std::int64_t transposedTokensAtOnce() const { return kTransposedRows / others(); }

    // Tokens [features, others] → [others, features].
    void transposeTokens(const float* from,
                         std::int64_t features,
                         const Range& tokens,
                         float* to) const
    {
        const std::int64_t size = features * others();
        for (std::int64_t t = tokens.first; t < tokens.last; ++t, to += size) {
            transpose(from + t * size, others(), features, others(), to, features);
        }
    }

    void transposedTokens(const float* from,
                          const float* f,
                          float* to,
                          const Range& tokens,
                          std::int64_t inner,
                          std::int64_t columns,
                          float* scratch) const
    {
        float* products = scratch + inner * kTransposedRows;
        for (std::int64_t t = tokens.first; t < tokens.last; t += transposedTokensAtOnce()) {
            const Range now{t, std::min(tokens.last, t + transposedTokensAtOnce())};
            transposeTokens(from, inner, now, scratch);
            rowsTimes(scratch, f, products, {0, now.size() * others()}, inner, columns);
            const std::int64_t size = columns * others();
            for (std::int64_t i = 0; i < now.size(); ++i) {
                transpose(
                    products + i * size, columns, others(), columns, to + (t + i) * size, others());
            }
        }
    }

    void transposedEntries(const float* from,
                           const float* dTo,
                           std::int64_t tokens,
                           const Range& rows,
                           const MatrixAt<float>& sums,
                           Into into,
                           float* scratch) const
    {
        float* transposedTo = scratch + in() * kTransposedRows;
        for (std::int64_t t = 0; t < tokens; t += transposedTokensAtOnce()) {
            const Range now{t, std::min(tokens, t + transposedTokensAtOnce())};
            transposeTokens(from, in(), now, scratch);
            transposeTokens(dTo, out(), now, transposedTo);
            multiplyTransposedIn(m_precision,
                                 {rows.size(), now.size() * others(), out()},
                                 {scratch + rows.first, in()},
                                 {transposedTo, out()},
                                 sums,
                                 t == 0 ? into : Into::accumulate);
        }
    }

    // to[rows] = from[rows]·F with F [inner, columns].
    void rowsTimes(const float* from,
                   const float* f,
                   float* to,
                   const Range& rows,
                   std::int64_t inner,
                   std::int64_t columns) const
    {
        if (rows.size() > 0) {
            multiplyIn(m_precision,
                       {rows.size(), inner, columns},
                       {from + rows.first * inner, inner},
                       {f, columns},
                       Stored::notTransposed,
                       {to + rows.first * columns, columns});
        }
    }

    // to[t] = F·from[t] with F [rowsPerToken, inner], for the given rows of all tokens.
    void timesTokens(const float* f,
                     const float* from,
                     float* to, // NOLINT(readability-non-const-parameter): written
                     const Range& rows,
                     std::int64_t rowsPerToken,
                     std::int64_t inner) const
    {
        for (std::int64_t row = rows.first; row < rows.last;) {
            const std::int64_t token = row / rowsPerToken;
            const std::int64_t last = std::min(rows.last, (token + 1) * rowsPerToken);
            const ProductSize product{last - row, inner, others()};
            const MatrixAt<const float> left{f + row % rowsPerToken * inner, inner};
            const MatrixAt<const float> right{from + token * inner * others(), others()};
            const MatrixAt<float> result{to + row * others(), others()};
            multiplyIn(m_precision, product, left, right, Stored::notTransposed, result);
            row = last;
        }
    }

    std::int64_t m_rank;
    std::int64_t m_rowsOfTerm;
    std::int64_t m_columnsOfTerm;
    FactorPlaces m_places;
    Precision m_precision;
    Buffer m_matrix; ///< F [in, out]
    Buffer m_matrixTransposed; ///< Fᵀ [out, in]
};

} // namespace

FactorProduct::FactorProduct(const FactorSetting& setting)
    // One column is one row: all tokens in one product, rather than one product each.
    : m_side(setting.others == 1 ? Side::right : setting.side)
    , m_transposesTokens(m_side == Side::left && setting.others < 16 && !setting.factor.sparse())
    , m_factor(setting.factor)
    , m_in(setting.factor.in
           * std::int64_t{setting.places.rowOfTerm == 0 ? 1 : setting.factor.rank})
    , m_out(setting.factor.out
            * std::int64_t{setting.places.columnOfTerm == 0 ? 1 : setting.factor.rank})
    , m_others(setting.others)
{}

std::unique_ptr<FactorProduct> makeDenseFactor(const FactorSetting& setting, Passes passes)
{
    return std::make_unique<DenseFactor>(setting, passes);
}

} // namespace flopsmith::cpu
