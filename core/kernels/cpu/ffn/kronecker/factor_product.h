// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/factored/kronecker.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace flopsmith::cpu {

/// Which passes a product is prepared for.
enum class Passes { forward, both };

/// From which side a factor F [in, out] meets the matrix that a token is.
enum class Side {
    left, ///< per token: from [in, others] gives Fᵀ·from [out, others]
    right, ///< per token: from [others, in] gives from·F [others, out]
};

/// The place of the entry in row i and column j of term r in the factor F that stacks all terms:
/// row i·row + r·rowOfTerm, column j·column + r·columnOfTerm.
struct FactorPlaces
{
    std::int64_t row = 1;
    std::int64_t rowOfTerm = 0;
    std::int64_t column = 1;
    std::int64_t columnOfTerm = 0;
};

/// The definition of a factor product. `columns` belong to the entries (see KroneckerFactor);
/// neither they nor `entries` are needed afterwards.
struct FactorSetting
{
    Side side = Side::left;
    KroneckerFactor factor;
    FactorPlaces places;
    std::int64_t others = 0; ///< per token, the size of the dimension that is not multiplied
    const std::vector<int>& columns;
    const float* entries = nullptr;
    /// For dense factors; sparse ones are multiplied in float32.
    Precision precision = Precision::float32;
};

/// Products of tokens, each a matrix, by the stacked factors of one side of a Kronecker matrix. F
/// stacks the terms so that one product serves all of them.
///
/// Threads split the rows, of the output in the forward pass and of the input in the backward one;
/// rows are numbered over all tokens. `scratch` belongs to the calling thread.
class FactorProduct
{
public:
    explicit FactorProduct(const FactorSetting& setting);
    virtual ~FactorProduct() = default;
    FactorProduct(const FactorProduct&) = delete;
    FactorProduct& operator=(const FactorProduct&) = delete;

    std::int64_t outputRows() const { return rowsOf(m_out); }
    std::int64_t inputRows() const { return rowsOf(m_in); }
    std::int64_t outputRowLength() const { return outputs() / outputRows(); }
    std::int64_t inputRowLength() const { return inputs() / inputRows(); }
    std::int64_t outputs() const { return m_out * m_others; }
    std::int64_t inputs() const { return m_in * m_others; }
    std::int64_t macsPerToken() const { return m_others * m_factor.entries(); }

    /// The given rows of the output of all tokens.
    virtual void forward(const float* from, float* to, const Range& rows, float* scratch) const = 0;

    /// The given rows of the gradient of the input.
    virtual void backwardInput(const float* dTo,
                               float* dFrom,
                               const Range& rows,
                               float* scratch) const = 0;

    /// gradient (+)= the gradients of the entries in the given rows of F, summed over the tokens.
    virtual void backwardEntries(const float* from,
                                 const float* dTo,
                                 std::int64_t tokens,
                                 const Range& rows,
                                 float* gradient,
                                 Into into,
                                 float* scratch) const = 0;

    /// Rows of F, and the size of `gradient`.
    std::int64_t gradientRows() const { return m_in; }
    virtual std::int64_t gradientElements() const = 0;

    /// weightGradient (+)= gradient, in the layout of the weights; and whether the layouts differ.
    virtual void unpack(const float* gradient, float* weightGradient, Into into) const = 0;
    virtual bool gradientNeedsUnpacking() const = 0;

    virtual std::int64_t scratchElements() const = 0;

protected:
    /// visit(entry, row of F, column of F) in the order of the weights.
    template <class Visit>
    static void forEachEntry(const FactorSetting& setting, const Visit& visit)
    {
        const FactorPlaces& places = setting.places;
        std::int64_t entry = 0;
        for (std::int64_t r = 0; r < setting.factor.rank; ++r) {
            for (std::int64_t i = 0; i < setting.factor.in; ++i) {
                for (int n = 0; n < setting.factor.kept; ++n, ++entry) {
                    const std::int64_t j = setting.columns[static_cast<std::size_t>(entry)];
                    visit(entry,
                          i * places.row + r * places.rowOfTerm,
                          j * places.column + r * places.columnOfTerm);
                }
            }
        }
    }

    Side side() const { return m_side; }

    /// Whether a factor from the left has so few columns that tokens are transposed and multiplied
    /// from the right instead; a row is a token then.
    bool transposesTokens() const { return m_transposesTokens; }
    std::int64_t in() const { return m_in; }
    std::int64_t out() const { return m_out; }
    std::int64_t others() const { return m_others; }

private:
    std::int64_t rowsOf(std::int64_t features) const
    {
        return m_transposesTokens ? 1 : m_side == Side::left ? features : m_others;
    }

    Side m_side;
    bool m_transposesTokens;
    KroneckerFactor m_factor;
    std::int64_t m_in; ///< rows of F
    std::int64_t m_out;
    std::int64_t m_others;
};

/// By products of matrices (dense_factor.cpp), and entry by entry (sparse_factor.cpp).
std::unique_ptr<FactorProduct> makeDenseFactor(const FactorSetting& setting, Passes passes);
std::unique_ptr<FactorProduct> makeSparseFactor(const FactorSetting& setting, Passes passes);

inline std::unique_ptr<FactorProduct> makeFactor(const FactorSetting& setting, Passes passes)
{
    return setting.factor.sparse() ? makeSparseFactor(setting, passes)
                                   : makeDenseFactor(setting, passes);
}

} // namespace flopsmith::cpu
