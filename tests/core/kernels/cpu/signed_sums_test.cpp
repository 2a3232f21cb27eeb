// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/signed_sums.h"

#include "core/base/random.h"
#include "core/kernels/cpu/token_tile.h"

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
    const bool straight = stored == Stored::straight;
    std::vector<float> sums(static_cast<std::size_t>(straight ? matrix.rows : matrix.columns)
                            * static_cast<std::size_t>(width));
    for (int i = 0; i < matrix.rows; ++i) {
        for (const std::int32_t entry : matrix.row(i)) {
            const int j = SignMatrix::column(entry);
            for (int t = 0; t < width; ++t) {
                const float value = from[static_cast<std::size_t>((straight ? j : i) * width + t)];
                sums[static_cast<std::size_t>((straight ? i : j) * width + t)] +=
                    SignMatrix::isMinus(entry) ? -value : value;
            }
        }
    }
    return sums;
}

void expectSums(const SignMatrix& matrix, Threads threads)
{
    for (const Stored stored : {Stored::straight, Stored::transposed}) {
        const bool straight = stored == Stored::straight;
        const int rows = straight ? matrix.rows : matrix.columns;
        const int columns = straight ? matrix.columns : matrix.rows;
        const SignedSums fast(matrix, stored, threads);
        for (const int width : tileWidths()) {
            const auto from = wholeNumbers(std::int64_t{columns} * width);
            std::vector<float> sums(static_cast<std::size_t>(rows * width), -1.0F);
            for (int panel = 0; panel < fast.panels(); ++panel) {
                fast.run(from.data(), sums.data(), width, panel);
            }

            EXPECT_EQ(sums, expectedSums(matrix, stored, from, width))
                << rows << " by " << columns << ", " << matrix.perRow << " per row, width "
                << width;
        }
        EXPECT_LE(static_cast<Count>(fast.bytes()),
                  SignedSums::mostBytes(
                      rows, columns, static_cast<Count>(matrix.entries.size()), threads));
    }
}

// Both kinds of blocks, several panels, rows and columns without a non-zero.
TEST(SignedSums, AreThoseOfTheMatrixAndOfItsTranspose)
{
    for (const Threads threads : {Threads{1}, Threads{3}}) {
        expectSums(SignMatrix::drawn(1, 1, 1, 1), threads);
        expectSums(SignMatrix::drawn(7, 3, 2, 1), threads);
        expectSums(SignMatrix::drawn(31, 257, 257, 1), threads);
        expectSums(SignMatrix::drawn(50, 600, 90, 1), threads);
        expectSums(SignMatrix::drawn(40, 1500, 3, 1), threads);
        expectSums(SignMatrix::drawn(2100, 300, 20, 1), threads);
    }
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
