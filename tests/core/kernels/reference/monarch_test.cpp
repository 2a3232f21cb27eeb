// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/factored/monarch.h"

#include "core/ffn/dense.h"
#include "tests/core/kernels/reference/ffn_counts.h"
#include "tests/core/kernels/reference/gradient_check.h"
#include "tests/core/kernels/reference/reference_run.h"
#include "tests/support/ffn_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

// Monarch FFNs against the dense FFN that they stand for.
namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

// Every number of blocks, with and without biases.
std::vector<MonarchFfn> allBlockings(int dModel, int dFf)
{
    std::vector<MonarchFfn> all;
    for (int blocks = 1; blocks <= std::min(dModel, dFf); ++blocks) {
        if (dModel % blocks == 0 && dFf % blocks == 0) {
            all.push_back({.dFf = dFf, .blocks = blocks});
            all.push_back({.dFf = dFf, .blocks = blocks, .bias = false});
        }
    }
    return all;
}

std::size_t at(int row, int column, int columns)
{
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns)
        + static_cast<std::size_t>(column);
}

// A whole matrix [in, out] from the blocks of a factor.
Values formed(const BlockFactor& factor, const Values& weight)
{
    Values whole(at(factor.in, 0, factor.out));
    const bool strided = factor.order == BlockOrder::strided;
    for (int input = 0; input < factor.in; ++input) {
        for (int output = 0; output < factor.out; ++output) {
            const int ofInput = strided ? input % factor.blocks : input / factor.blockIn();
            const int ofOutput = strided ? output % factor.blocks : output / factor.blockOut();
            const int row = strided ? input / factor.blocks : input % factor.blockIn();
            const int column = strided ? output / factor.blocks : output % factor.blockOut();
            if (ofInput == ofOutput) {
                whole[at(input, output, factor.out)] =
                    weight[at(row, ofInput * factor.blockOut() + column, factor.out)];
            }
        }
    }
    return whole;
}

Values product(const Values& a, const Values& b, int rows, int inner, int columns)
{
    Values c(at(rows, 0, columns));
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < inner; ++k) {
            for (int j = 0; j < columns; ++j) {
                c[at(i, j, columns)] += a[at(i, k, inner)] * b[at(k, j, columns)];
            }
        }
    }
    return c;
}

Values formed(const MonarchMatrix& matrix, const Values& first, const Values& second)
{
    return product(formed(matrix.first, first),
                   formed(matrix.second, second),
                   matrix.in(),
                   matrix.width(),
                   matrix.out());
}

// By elimination with pivoting of rows.
int rankOf(Values matrix, int rows, int columns)
{
    int rank = 0;
    for (int column = 0; column < columns && rank < rows; ++column) {
        int pivot = rank;
        for (int row = rank; row < rows; ++row) {
            if (std::abs(matrix[at(row, column, columns)])
                > std::abs(matrix[at(pivot, column, columns)])) {
                pivot = row;
            }
        }
        if (std::abs(matrix[at(pivot, column, columns)]) < 1e-9) {
            continue;
        }
        for (int j = 0; j < columns; ++j) {
            std::swap(matrix[at(rank, j, columns)], matrix[at(pivot, j, columns)]);
        }
        for (int row = rank + 1; row < rows; ++row) {
            const double factor =
                matrix[at(row, column, columns)] / matrix[at(rank, column, columns)];
            for (int j = column; j < columns; ++j) {
                matrix[at(row, j, columns)] -= factor * matrix[at(rank, j, columns)];
            }
        }
        ++rank;
    }
    return rank;
}

TEST(MonarchReference, GivesWhatTheFormedMatricesGive)
{
    for (const auto& [d, f] :
         {std::pair{12, 18}, std::pair{16, 64}, std::pair{24, 12}, std::pair{7, 14}}) {
        const Shape shape{1, 2, 2, d};
        const auto x = randomActivations<double>(shape.activations(), 2);
        for (const MonarchFfn& ffn : allBlockings(d, f)) {
            const auto w = randomWeights<double>(flopsmith::weights(ffn, d), 1);
            Weights<double> whole;
            if (ffn.bias) {
                whole = {
                    formed(ffn.up(d), w[0], w[1]), w[2], formed(ffn.down(d), w[3], w[4]), w[5]};
            } else {
                whole = {formed(ffn.up(d), w[0], w[1]), formed(ffn.down(d), w[2], w[3])};
            }
            const DenseFfn dense{.dFf = f, .bias = ffn.bias};

            ASSERT_THAT(outputOf(ffn, shape, w, x),
                        Pointwise(DoubleNear(kTiny), outputOf(dense, shape, whole, x)))
                << test::describe(FfnSpec(ffn));
        }
    }
}

// With b blocks in each factor an output sees every input as long as b is at most the root of d.
TEST(MonarchReference, HasFullRankAndIsDenseUpToTheRootOfTheWidth)
{
    const int d = 36;
    const int f = 72;
    for (const MonarchFfn& ffn : allBlockings(d, f)) {
        if (ffn.bias) {
            continue;
        }
        const auto w = randomWeights<double>(flopsmith::weights(ffn, d), 1);
        for (const auto& [matrix, first] : {std::pair{ffn.up(d), 0U}, std::pair{ffn.down(d), 2U}}) {
            const Values whole = formed(matrix, w[first], w[first + 1]);
            const auto zeroEntries = std::count(whole.begin(), whole.end(), 0.0);

            EXPECT_EQ(rankOf(whole, matrix.in(), matrix.out()), d) << ffn.blocks;
            EXPECT_EQ(zeroEntries == 0, ffn.blocks <= 6) << ffn.blocks;
        }
    }
}

TEST(MonarchReference, ExecutesItsFormulasForEveryNumberOfBlocks)
{
    for (const MonarchFfn& ffn : allBlockings(12, 18)) {
        ASSERT_NO_FATAL_FAILURE(expectFormulas(ffn, Shape{1, 3, 3, 12}))
            << test::describe(FfnSpec(ffn));
    }
}

TEST(MonarchReference, HasTheGradientsOfCentralDifferencesForEveryNumberOfBlocks)
{
    for (const MonarchFfn& ffn : allBlockings(6, 12)) {
        ASSERT_NO_FATAL_FAILURE(expectGradients(ffn, Shape{1, 2, 2, 6}))
            << test::describe(FfnSpec(ffn));
    }
}

} // namespace
} // namespace flopsmith::reference
