// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/random_projection/signed_sums.h"

#include "core/base/random.h"
#include "core/kernels/cpu/ffn/random_projection/gathered_sums.h"
#include "core/kernels/cpu/ffn/random_projection/token_tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace flopsmith::cpu {
namespace {

// Whole numbers, so that sums are exact in any order.
std::vector<float> wholeNumbers(std::int64_t count)
{
    Random random(5);
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<float>(random.integer(-9, 9)));
    }
    return values;
}

std::vector<float> expectedSums(const SignMatrix& matrix,
                                Stored stored,
                                const std::vector<float>& from,
                                int width)
{
    const bool notTransposed = stored == Stored::notTransposed;
    std::vector<float> sums(static_cast<std::size_t>(notTransposed ? matrix.rows : matrix.columns)
                            * static_cast<std::size_t>(width));
    for (int i = 0; i < matrix.rows; ++i) {
        for (const std::int32_t entry : matrix.row(i)) {
            const int j = SignMatrix::column(entry);
            for (int t = 0; t < width; ++t) {
                const int read = (notTransposed ? j : i) * width + t;
                const int written = (notTransposed ? i : j) * width + t;
                const float value = from[static_cast<std::size_t>(read)];
                sums[static_cast<std::size_t>(written)] +=
                    SignMatrix::isMinus(entry) ? -value : value;
            }
        }
    }
    return sums;
}

int rowsOf(const SignMatrix& matrix, Stored stored)
{
    return stored == Stored::notTransposed ? matrix.rows : matrix.columns;
}

int columnsOf(const SignMatrix& matrix, Stored stored)
{
    return stored == Stored::notTransposed ? matrix.columns : matrix.rows;
}

// run(from, sums, panel) for all panels.
template <class Sums, class Run>
void expectSums(const SignMatrix& matrix,
                Stored stored,
                const Sums& fast,
                int width,
                const Run& run)
{
    const int rows = rowsOf(matrix, stored);
    const int columns = columnsOf(matrix, stored);
    const auto from = wholeNumbers(std::int64_t{columns} * width);
    std::vector<float> sums(static_cast<std::size_t>(rows * width), -1.0F);
    for (int panel = 0; panel < fast.panels(); ++panel) {
        run(from.data(), sums.data(), panel);
    }

    EXPECT_EQ(sums, expectedSums(matrix, stored, from, width))
        << rows << " by " << columns << ", " << matrix.perRow << " per row, width " << width;
}

void expectTiledSums(const SignMatrix& matrix, Stored stored, int widest, Threads threads)
{
    const SignedSums fast(matrix, stored, widest, threads);
    for (const int width : tileWidths()) {
        if (width <= widest) {
            expectSums(matrix, stored, fast, width, [&](const float* from, float* sums, int panel) {
                fast.run(from, sums, width, panel);
            });
        }
    }
}

void expectGatheredSums(const SignMatrix& matrix, Stored stored, Threads threads)
{
    const GatheredSums fast(matrix, stored, threads);
    expectSums(matrix, stored, fast, 1, [&](const float* from, float* sums, int panel) {
        fast.run(from, sums, panel);
    });
}

// Both kinds of blocks, several panels, rows and columns without a non-zero.
std::vector<SignMatrix> awkwardMatrices()
{
    return {SignMatrix::drawn(1, 1, 1, 1),
            SignMatrix::drawn(7, 3, 2, 1),
            SignMatrix::drawn(31, 257, 257, 1),
            SignMatrix::drawn(50, 600, 90, 1),
            SignMatrix::drawn(40, 1500, 3, 1),
            SignMatrix::drawn(20, 4100, 30, 1),
            SignMatrix::drawn(2100, 300, 20, 1)};
}

template <class Expect>
void forEachMatrix(const Expect& expect)
{
    for (const Threads threads : {Threads{1}, Threads{3}}) {
        for (const SignMatrix& matrix : awkwardMatrices()) {
            for (const Stored stored : {Stored::notTransposed, Stored::transposed}) {
                expect(matrix, stored, threads);
            }
        }
    }
}

TEST(SignedSums, AreThoseOfTheMatrixAndOfItsTranspose)
{
    forEachMatrix([](const SignMatrix& matrix, Stored stored, Threads threads) {
        for (const int widest : tileWidths()) {
            expectTiledSums(matrix, stored, widest, threads);
        }
    });
}

TEST(GatheredSums, AreThoseOfTheMatrixAndOfItsTranspose)
{
    forEachMatrix(expectGatheredSums);
}

// The highest column that an entry can tell takes all bits but the sign's.
TEST(GatheredSums, ReachTheirLastColumn)
{
    const int most = 1 << 15;
    EXPECT_TRUE(GatheredSums::supports(most));
    EXPECT_FALSE(GatheredSums::supports(most + 1));
    expectGatheredSums({1, most, 2, {0, ~(most - 1)}}, Stored::notTransposed, {1});
    expectGatheredSums({most, 1, 1, std::vector<std::int32_t>(most, ~0)}, Stored::transposed, {1});
}

TEST(TokenTile, HoldsTokensSideBySide)
{
    const int width = tileWidths().back();
    const std::vector<float> x = wholeNumbers(3 * 40); // 3 tokens of 40 channels
    std::vector<float> tile(static_cast<std::size_t>(40 * width), -1.0F);
    intoTile(x.data(), 3, 40, 2.0F, {0, 40}, tile.data(), width);

    EXPECT_EQ(tile[static_cast<std::size_t>(5 * width + 2)], 2.0F * x[2 * 40 + 5]);
    EXPECT_EQ(tile[static_cast<std::size_t>(5 * width + 3)], 0.0F);

    std::vector<float> y(x.size());
    outOfTile(tile.data(), width, 0.5F, {0, 40}, y.data(), 3, 40);
    EXPECT_EQ(y, x);
}

TEST(TokenTile, SumsEachChannelOverItsTokens)
{
    for (const int width : tileWidths()) {
        const std::vector<float> a = wholeNumbers(6 * width);
        std::vector<float> b = a;
        std::reverse(b.begin(), b.end());
        std::vector<float> sums(6);
        std::vector<float> products(6);
        sumTile(a.data(), nullptr, width, {0, 6}, sums.data());
        sumTile(a.data(), b.data(), width, {0, 6}, products.data());

        for (std::size_t i = 0; i < 6; ++i) {
            const auto first = static_cast<std::ptrdiff_t>(i) * width;
            EXPECT_EQ(sums[i], std::accumulate(a.begin() + first, a.begin() + first + width, 0.0F));
            EXPECT_EQ(products[i],
                      std::inner_product(
                          a.begin() + first, a.begin() + first + width, b.begin() + first, 0.0F));
        }
    }
}

} // namespace
} // namespace flopsmith::cpu
