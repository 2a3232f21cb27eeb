// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/product.h"

#include "core/base/random.h"
#include "core/kernels/cpu/gemm/blocked_product.h"
#include "core/kernels/cpu/gemm/dot_product.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/memory_ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace flopsmith::cpu {
namespace {

// A matrix of random values whose rows stand `gap` floats apart.
struct Matrix
{
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t stride;
    Buffer values;

    Matrix(std::int64_t rowCount, std::int64_t columnCount, std::int64_t gap, unsigned seed)
        : rows(rowCount)
        , columns(columnCount)
        , stride(columnCount + gap)
        , values(static_cast<std::size_t>(rows * stride))
    {
        Random random(seed);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values.data()[i] = static_cast<float>(random.normal());
        }
    }

    MatrixAt<const float> at() const { return {values.data(), stride}; }
    MatrixAt<float> target() { return {values.data(), stride}; }
    double operator()(std::int64_t row, std::int64_t column, Stored stored) const
    {
        const bool notTransposed = stored == Stored::notTransposed;
        return static_cast<double>(
            values.data()[notTransposed ? row * stride + column : column * stride + row]);
    }
};

Matrix matrix(std::int64_t rows,
              std::int64_t columns,
              Stored stored,
              std::int64_t gap,
              unsigned seed)
{
    return stored == Stored::notTransposed ? Matrix(rows, columns, gap, seed)
                                           : Matrix(columns, rows, gap, seed);
}

using Multiply = decltype(multiplyBlocked);

void compare(const ProductSize& size,
             Stored aStored,
             Stored bStored,
             Into into,
             std::int64_t gap,
             Multiply* product = multiplyBlocked)
{
    SCOPED_TRACE(std::to_string(size.rows) + " × " + std::to_string(size.inner) + " × "
                 + std::to_string(size.columns) + (aStored == Stored::transposed ? ", aᵀ" : "")
                 + (bStored == Stored::transposed ? ", bᵀ" : "")
                 + (into == Into::accumulate ? ", added" : ""));
    const Matrix a = matrix(size.rows, size.inner, aStored, gap, 1);
    const Matrix b = matrix(size.inner, size.columns, bStored, gap, 2);
    const Matrix before(size.rows, size.columns, gap, 3);
    Matrix c(size.rows, size.columns, gap, 3);
    product(size, a.at(), aStored, b.at(), bStored, c.target(), into);
    double worst = 0.0;
    for (std::int64_t i = 0; i < size.rows; ++i) {
        for (std::int64_t j = 0; j < size.columns; ++j) {
            double sum = into == Into::accumulate ? before(i, j, Stored::notTransposed) : 0.0;
            for (std::int64_t k = 0; k < size.inner; ++k) {
                sum += a(i, k, aStored) * b(k, j, bStored);
            }
            worst = std::max(worst, std::abs(c(i, j, Stored::notTransposed) - sum));
        }
        for (std::int64_t j = size.columns; j < c.stride; ++j) {
            ASSERT_EQ(c.values.data()[i * c.stride + j], before.values.data()[i * c.stride + j])
                << "beyond row " << i;
        }
    }
    const double terms = static_cast<double>(size.inner + 1);
    EXPECT_LE(worst, 16.0 * std::sqrt(terms) * std::numeric_limits<float>::epsilon() * 4.0);
}

const Stored kStored[] = {Stored::notTransposed, Stored::transposed};

class Products : public testing::TestWithParam<Multiply*>
{};

INSTANTIATE_TEST_SUITE_P(OfBothKinds,
                         Products,
                         testing::Values(multiplyBlocked, multiplyByLibrary),
                         [](const auto& kind) {
                             return kind.param == &multiplyBlocked ? "blocked" : "byLibrary";
                         });

TEST_P(Products, AreThoseOfAwkwardSizes)
{
    for (const ProductSize& size : {ProductSize{1, 1, 1},
                                    ProductSize{9, 17, 31},
                                    ProductSize{13, 33, 65},
                                    ProductSize{25, 64, 32},
                                    ProductSize{12, 1025, 33},
                                    ProductSize{207, 130, 47}}) {
        for (const Stored a : kStored) {
            for (const Stored b : kStored) {
                compare(size, a, b, Into::overwrite, 0, GetParam());
                compare(size, a, b, Into::accumulate, 5, GetParam());
            }
        }
    }
}

// More rows than a block has, more inner values than are multiplied at once, more columns than are
// packed at once.
TEST(BlockedProduct, GoesOnAcrossBlocks)
{
    compare({401, 1100, 37}, Stored::notTransposed, Stored::transposed, Into::overwrite, 3);
    compare({1601, 19, 1091}, Stored::transposed, Stored::notTransposed, Into::overwrite, 0);
    compare({1601, 19, 1091}, Stored::transposed, Stored::notTransposed, Into::accumulate, 1);
}

// A large result of whole panels at a register's boundary is stored with streaming stores; any other is
// not.
TEST(BlockedProduct, WritesLargeResultsWhole)
{
    compare({700, 24, 1024}, Stored::transposed, Stored::notTransposed, Into::overwrite, 0);
    compare({700, 24, 1024}, Stored::transposed, Stored::notTransposed, Into::overwrite, 16);
    compare({700, 24, 1024}, Stored::transposed, Stored::notTransposed, Into::overwrite, 4);
    compare({700, 24, 1024}, Stored::transposed, Stored::notTransposed, Into::accumulate, 0);
    compare({700, 24, 1000}, Stored::transposed, Stored::notTransposed, Into::overwrite, 0);
}

// Every tile there is, inner values at once and one more, rows whose values are taken in parts.
TEST(DotProduct, IsThatOfAnyNumberOfRowsAndColumns)
{
    const auto byDots = [](const ProductSize& size,
                           const MatrixAt<const float>& a,
                           Stored /*aStored*/,
                           const MatrixAt<const float>& b,
                           Stored /*bStored*/,
                           const MatrixAt<float>& c,
                           Into into) { multiplyByDots(size, a, b, c, into); };
    const auto compareBoth = [&](const ProductSize& size) {
        compare(size, Stored::notTransposed, Stored::transposed, Into::overwrite, 0, byDots);
        compare(size, Stored::notTransposed, Stored::transposed, Into::accumulate, 3, byDots);
    };
    for (std::int64_t rows = 1; rows <= 29; ++rows) {
        for (std::int64_t columns = 1; columns <= 13; ++columns) {
            compareBoth({rows, 35, columns});
        }
    }
    for (const std::int64_t inner : {0, 1, 15, 16, 17, 1024, 1025, 2050}) {
        compareBoth({7, inner, 11});
    }
    compareBoth({131, 2100, 8});
    compareBoth({9, 1100, 70});
    compareBoth({70, 3001, 65});
}

// Whichever of its ways a product takes, on both sides of every limit.
TEST(Product, IsTheSameOnEveryWay)
{
    const auto product = [](const ProductSize& size,
                            const MatrixAt<const float>& a,
                            Stored /*aStored*/,
                            const MatrixAt<const float>& b,
                            Stored bStored,
                            const MatrixAt<float>& c,
                            Into into) { multiply(size, a, b, bStored, c, into); };
    const auto productOfTransposed = [](const ProductSize& size,
                                        const MatrixAt<const float>& a,
                                        Stored /*aStored*/,
                                        const MatrixAt<const float>& b,
                                        Stored /*bStored*/,
                                        const MatrixAt<float>& c,
                                        Into into) { multiplyTransposed(size, a, b, c, into); };
    prepareLibrary();
    const std::int64_t few = libraryThreshold();
    for (const std::int64_t count :
         {std::int64_t{8}, std::int64_t{9}, std::int64_t{41}, few, few + 1}) {
        for (const Into into : {Into::overwrite, Into::accumulate}) {
            compare(
                {count, 37, 51}, Stored::notTransposed, Stored::notTransposed, into, 2, product);
            compare({count, 37, 51}, Stored::notTransposed, Stored::transposed, into, 2, product);
            compare({37, count, 51},
                    Stored::transposed,
                    Stored::notTransposed,
                    into,
                    2,
                    productOfTransposed);
        }
    }
    for (const std::int64_t count : {3, 4, 7, 8, 48, 49}) {
        compare({count, 61, 51},
                Stored::notTransposed,
                Stored::transposed,
                Into::accumulate,
                2,
                product);
        compare({count, 400, 51},
                Stored::notTransposed,
                Stored::transposed,
                Into::accumulate,
                2,
                product);
    }
}

// A library packs both matrices itself: a copy of the weights would be memory for nothing.
TEST(Product, NeedsNoPackedWeightWhereALibraryLeads)
{
    constexpr std::int64_t kTokens = 1100;
    constexpr std::int64_t kIn = 40;
    constexpr std::int64_t kOut = 72;
    const Matrix x(kTokens, kIn, 0, 1);
    const Matrix w(kIn, kOut, 0, 2);
    const Matrix bias(1, kOut, 0, 3);
    const auto made = [&](std::int64_t tokens) {
        Linear linear(kIn, kOut, w.values.data(), bias.values.data());
        linear.activatedBy(Activation::silu).packed(tokens, {1});
        return linear;
    };
    const std::size_t before = memoryLedger().bytes();
    const Linear packed = made(1);
    const std::size_t afterOne = memoryLedger().bytes();
    const Linear many = made(kTokens);
    EXPECT_GT(afterOne, before);
    EXPECT_EQ(memoryLedger().bytes() == afterOne, libraryLeads(kTokens));
    Buffer y(bufferSize(kTokens, kOut));
    Buffer yOfMany(bufferSize(kTokens, kOut));
    packed.run(x.values.data(), y.data(), kTokens, {1});
    many.run(x.values.data(), yOfMany.data(), kTokens, {1});
    for (std::size_t i = 0; i < y.size(); ++i) {
        ASSERT_NEAR(y.data()[i], yOfMany.data()[i], 1e-4F) << i;
    }
}

} // namespace
} // namespace flopsmith::cpu
