// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/packed_weight.h"

#include "core/kernels/weights.h"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace flopsmith::cpu {
namespace {

struct Product
{
    std::int64_t rows;
    std::int64_t in;
    std::int64_t out;
};

std::vector<float> plainProduct(const Product& p,
                                const std::vector<float>& x,
                                const std::vector<float>& w)
{
    std::vector<float> y;
    for (std::int64_t i = 0; i < p.rows; ++i) {
        for (std::int64_t j = 0; j < p.out; ++j) {
            double sum = 0.0;
            for (std::int64_t k = 0; k < p.in; ++k) {
                sum += static_cast<double>(x[i * p.in + k]) * static_cast<double>(w[k * p.out + j]);
            }
            y.push_back(static_cast<float>(sum));
        }
    }
    return y;
}

// Each step of a sum of `in` products of unit size may round by an epsilon of what it has so far.
float tolerance(const Product& p)
{
    return 1.2e-7F * (16.0F + static_cast<float>(p.in));
}

void expectSameAsPlain(const Product& p)
{
    SCOPED_TRACE(std::to_string(p.rows) + "·" + std::to_string(p.in) + "·" + std::to_string(p.out));
    const auto x = randomActivations<float>(static_cast<std::size_t>(p.rows * p.in), 1);
    const auto w = randomActivations<float>(static_cast<std::size_t>(p.in * p.out), 2);
    std::vector<float> y(static_cast<std::size_t>(p.rows * p.out), NAN);
    const PackedWeight packed(p.in, p.out, w.data(), {1});
    packed.multiply(x.data(), y.data(), {0, p.rows}, {0, p.out}, [](Range, Range) {});
    EXPECT_THAT(y, testing::Pointwise(testing::FloatNear(tolerance(p)), plainProduct(p, x, w)));
}

TEST(PackedWeight, MultipliesAnyNumberOfRows)
{
    for (std::int64_t rows = 1; rows <= 30; ++rows) {
        expectSameAsPlain({rows, 19, 70});
    }
    expectSameAsPlain({431, 3, 5});
}

TEST(PackedWeight, MultipliesAnyNumberOfColumns)
{
    for (const std::int64_t out : {1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 300, 513}) {
        expectSameAsPlain({1, 11, out});
        expectSameAsPlain({5, 11, out});
        expectSameAsPlain({13, 11, out});
    }
}

TEST(PackedWeight, SumsOverSeveralBlocksOfRows)
{
    for (const std::int64_t in : {1, 1023, 1024, 1025, 2049}) {
        expectSameAsPlain({1, in, 33});
        expectSameAsPlain({3, in, 40});
        expectSameAsPlain({17, in, 33});
    }
}

TEST(PackedWeight, IsTheSameFromATransposedWeight)
{
    const Product p{.rows = 13, .in = 1050, .out = 77};
    const auto x = randomActivations<float>(static_cast<std::size_t>(p.rows * p.in), 1);
    const auto w = randomActivations<float>(static_cast<std::size_t>(p.in * p.out), 2);
    std::vector<float> transposed(w.size());
    for (std::int64_t k = 0; k < p.in; ++k) {
        for (std::int64_t j = 0; j < p.out; ++j) {
            transposed[static_cast<std::size_t>(j * p.in + k)] =
                w[static_cast<std::size_t>(k * p.out + j)];
        }
    }
    const auto product = [&](const PackedWeight& packed) {
        std::vector<float> y(static_cast<std::size_t>(p.rows * p.out), NAN);
        packed.multiply(x.data(), y.data(), {0, p.rows}, {0, p.out}, [](Range, Range) {});
        return y;
    };
    PackedWeight again(p.in, p.out);
    again.pack(transposed.data(), Stored::notTransposed, {1}); // to be overwritten
    again.pack(transposed.data(), Stored::transposed, {2});
    EXPECT_EQ(product(again), product(PackedWeight(p.in, p.out, w.data(), {1})));
}

TEST(PackedWeight, LeavesOtherRowsAndColumnsAlone)
{
    const Product p{9, 21, 192};
    const auto x = randomActivations<float>(static_cast<std::size_t>(p.rows * p.in), 1);
    const auto w = randomActivations<float>(static_cast<std::size_t>(p.in * p.out), 2);
    const auto whole = plainProduct(p, x, w);
    const PackedWeight packed(p.in, p.out, w.data(), {2});
    std::vector<float> y(whole.size(), -77.0F);
    ASSERT_TRUE(packed.covers({64, 128}));
    packed.multiply(x.data(), y.data(), {2, 7}, {64, 128}, [](Range, Range) {});
    for (std::int64_t i = 0; i < p.rows; ++i) {
        for (std::int64_t j = 0; j < p.out; ++j) {
            const bool inside = i >= 2 && i < 7 && j >= 64 && j < 128;
            const auto at = static_cast<std::size_t>(i * p.out + j);
            EXPECT_NEAR(y[at], inside ? whole[at] : -77.0F, tolerance(p));
        }
    }
}

TEST(PackedWeight, SaysOnceOfEachElementThatItIsFinished)
{
    const Product p{40, 1100, 700};
    const std::vector<float> x(static_cast<std::size_t>(p.rows * p.in), 1.0F);
    const std::vector<float> w(static_cast<std::size_t>(p.in * p.out), 1.0F);
    std::vector<float> y(static_cast<std::size_t>(p.rows * p.out));
    std::vector<int> times(y.size());
    const PackedWeight packed(p.in, p.out, w.data(), {1});
    packed.multiply(x.data(), y.data(), {0, p.rows}, {0, p.out}, [&](Range rows, Range columns) {
        for (std::int64_t i = rows.first; i < rows.last; ++i) {
            for (std::int64_t j = columns.first; j < columns.last; ++j) {
                EXPECT_EQ(y[i * p.out + j], static_cast<float>(p.in));
                ++times[static_cast<std::size_t>(i * p.out + j)];
            }
        }
    });
    EXPECT_THAT(times, testing::Each(1));
}

TEST(PackedWeight, CoversWholePanelsOnly)
{
    const std::vector<float> w(100, 1.0F);
    const PackedWeight packed(1, 100, w.data(), {1});
    EXPECT_TRUE(packed.covers({0, 100}));
    EXPECT_TRUE(packed.covers({64, 100}));
    EXPECT_FALSE(packed.covers({1, 100}));
    EXPECT_FALSE(packed.covers({0, 99}));
}

} // namespace
} // namespace flopsmith::cpu
