// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_product.h"

#include "core/kernels/check.h"
#include "core/kernels/cpu/gemm/bf16/bf16_emulation.h"
#include "core/kernels/cpu/gemm/bf16/bf16_packing.h"
#include "core/kernels/cpu/gemm/bf16/bf16_weight.h"
#include "core/kernels/cpu/peaks.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/weights.h"
#include "tests/core/kernels/cpu/bfloat16_cases.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace flopsmith::cpu {
namespace {

TEST(Bfloat16, KeepsEveryValueThatItHas)
{
    for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
        const float value = valueOf(static_cast<Bfloat16>(bits));
        if (!std::isnan(value)) {
            ASSERT_EQ(roundedToBfloat16(value), bits);
        }
    }
}

TEST(Bfloat16, RoundsToTheNearestAndHalfWayToTheEvenOne)
{
    const float step = std::ldexp(1.0F, -7); // between 1 and 2
    for (int i = 0; i < 128; ++i) {
        const float below = 1.0F + static_cast<float>(i) * step;
        const float above = below + step;
        const float middle = below + 0.5F * step;

        EXPECT_EQ(valueOf(roundedToBfloat16(std::nextafter(middle, 0.0F))), below);
        EXPECT_EQ(valueOf(roundedToBfloat16(std::nextafter(middle, 4.0F))), above);
        EXPECT_EQ(valueOf(roundedToBfloat16(middle)), i % 2 == 0 ? below : above);
        EXPECT_EQ(valueOf(roundedToBfloat16(-middle)), i % 2 == 0 ? -below : -above);
    }
}

TEST(Bfloat16, KeepsWhatIsNoNumberAndWhatIsInfinite)
{
    EXPECT_TRUE(std::isnan(valueOf(roundedToBfloat16(std::nanf("")))));
    EXPECT_TRUE(std::isnan(valueOf(roundedToBfloat16(std::bit_cast<float>(0x7f800001U)))));
    EXPECT_TRUE(std::isnan(valueOf(roundedToBfloat16(std::bit_cast<float>(0xffffffffU)))));
    EXPECT_EQ(valueOf(roundedToBfloat16(INFINITY)), INFINITY);
    EXPECT_EQ(valueOf(roundedToBfloat16(-std::numeric_limits<float>::max())), -INFINITY);
}

// A product with both operands in larger matrices, and its result too.
struct ProductCase
{
    ProductSize size;
    Stored storedA;
    Stored storedB;
    Into into;
};

constexpr std::int64_t kBeside = 3; // columns of the larger matrices that are not meant

struct Operand
{
    std::vector<float> values;
    std::int64_t stride;
    Stored stored;

    Operand(std::int64_t rows, std::int64_t columns, Stored how, std::uint64_t seed)
        : stride((how == Stored::notTransposed ? columns : rows) + kBeside)
        , stored(how)
    {
        const std::int64_t lines = how == Stored::notTransposed ? rows : columns;
        values = randomActivations<float>(static_cast<std::size_t>(lines * stride), seed);
    }

    MatrixAt<const float> at() const { return {values.data(), stride}; }

    double rounded(std::int64_t row, std::int64_t column) const
    {
        const std::int64_t place =
            stored == Stored::notTransposed ? row * stride + column : column * stride + row;
        return valueOf(roundedToBfloat16(values[static_cast<std::size_t>(place)]));
    }
};

// The very products that are meant: of rounded operands, with sums in single precision.
void expectProductOfRoundedOperands(const ProductCase& c)
{
    const auto [rows, inner, columns] = c.size;
    SCOPED_TRACE(std::to_string(rows) + "·" + std::to_string(inner) + "·"
                 + std::to_string(columns));
    const Operand a(rows, inner, c.storedA, 1);
    const Operand b(inner, columns, c.storedB, 2);
    const std::int64_t stride = columns + kBeside;
    std::vector<float> found(static_cast<std::size_t>(rows * stride), 0.5F);
    const MatrixAt<float> to{found.data(), stride};
    if (c.storedA == Stored::notTransposed) {
        multiplyIn(Precision::bfloat16, c.size, a.at(), b.at(), c.storedB, to, c.into);
    } else {
        multiplyTransposedIn(Precision::bfloat16, c.size, a.at(), b.at(), to, c.into);
    }
    std::vector<double> right;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < stride; ++j) {
            double sum = j < columns && c.into == Into::overwrite ? 0.0 : 0.5;
            for (std::int64_t k = 0; j < columns && k < inner; ++k) {
                sum += a.rounded(i, k) * b.rounded(k, j);
            }
            right.push_back(sum);
        }
    }
    const Agreement agreement = compare(found, right, static_cast<double>(inner));
    EXPECT_TRUE(agreement.agrees) << agreement.largestError << " of " << agreement.magnitude;
}

void expectInEveryOrder(const ProductSize& size)
{
    for (const Into into : {Into::overwrite, Into::accumulate}) {
        for (const Stored storedB : {Stored::notTransposed, Stored::transposed}) {
            expectProductOfRoundedOperands({size, Stored::notTransposed, storedB, into});
        }
        expectProductOfRoundedOperands({size, Stored::transposed, Stored::notTransposed, into});
    }
}

TEST(Bf16Product, HasSinglePrecisionSumsOfRoundedOperandsAtAwkwardSizes)
{
    const test::Bfloat16Anywhere bfloat16;
    for (const std::int64_t rows : {1, 2, 3, 7, 16, 17, 33}) {
        for (const std::int64_t inner : {1, 2, 17, 32, 33, 65}) {
            for (const std::int64_t columns : {1, 15, 64, 65, 130}) {
                expectInEveryOrder({rows, inner, columns});
            }
        }
    }
}

TEST(Bf16Product, IsPutTogetherFromBlocks)
{
    const test::Bfloat16Anywhere bfloat16;
    expectInEveryOrder({BlockSize::kMaxRows + 1, 5, 3});
    expectInEveryOrder({3, BlockSize::kMaxInner + 1, 5});
    expectInEveryOrder({3, 2 * BlockSize::kMaxInner + 33, 70});
    expectInEveryOrder({5, 3, BlockSize::kMaxColumns + 1});
    expectInEveryOrder({2 * BlockSize::kMaxRows + 17, 40, 2 * BlockSize::kMaxColumns + 65});
    expectInEveryOrder({BlockSize::kMaxRows + 5, BlockSize::kMaxInner + 6, 70});
    expectInEveryOrder({5, 13 * BlockSize::kMaxInner + 7, 3}); // more than are rounded at once
    expectInEveryOrder({2 * BlockSize::kMaxRows + 5, 3 * BlockSize::kMaxInner, 70});
    expectInEveryOrder({3 * BlockSize::kMaxRows + 5, 11, BlockSize::kMaxColumns + 9});
    expectInEveryOrder({8, 20000, 2}); // rows longer than are rounded at once
}

// Also where the processor multiplies by its own instructions.
TEST(Bf16Product, HasTheSameSumsWhenItIsEmulated)
{
    const EmulatedBfloat16 emulated;
    for (const std::int64_t rows : {1, 3, 17, 33}) {
        for (const std::int64_t columns : {1, 15, 64, 130}) {
            expectInEveryOrder({rows, 65, columns});
        }
    }
    expectInEveryOrder({BlockSize::kMaxRows + 5, BlockSize::kMaxInner + 6, 70});
    expectInEveryOrder({17, 40, BlockSize::kMaxColumns + 65});
}

// More rows than are rounded at once for several blocks of columns. A few of the sums are looked
// at.
TEST(Bf16Product, RoundsManyRowsInGroups)
{
    const test::Bfloat16Anywhere bfloat16;
    constexpr ProductSize kSize{2 * BlockSize::kMaxRows + 300,
                                InnerBlocks::kMaxAtOnce * BlockSize::kMaxInner,
                                BlockSize::kMaxColumns + 40};
    for (const Stored storedA : {Stored::notTransposed, Stored::transposed}) {
        const Operand a(kSize.rows, kSize.inner, storedA, 1);
        const Operand b(kSize.inner, kSize.columns, Stored::notTransposed, 2);
        std::vector<float> found(static_cast<std::size_t>(kSize.rows * kSize.columns), NAN);
        const MatrixAt<float> to{found.data(), kSize.columns};
        if (storedA == Stored::notTransposed) {
            multiplyIn(Precision::bfloat16, kSize, a.at(), b.at(), Stored::notTransposed, to);
        } else {
            multiplyTransposedIn(Precision::bfloat16, kSize, a.at(), b.at(), to);
        }
        std::vector<float> some;
        std::vector<double> right;
        for (std::int64_t i = 3; i < kSize.rows; i += 149) {
            for (std::int64_t j = 1; j < kSize.columns; j += 37) {
                double sum = 0.0;
                for (std::int64_t k = 0; k < kSize.inner; ++k) {
                    sum += a.rounded(i, k) * b.rounded(k, j);
                }
                right.push_back(sum);
                some.push_back(found[static_cast<std::size_t>(i * kSize.columns + j)]);
            }
        }
        EXPECT_TRUE(compare(some, right, static_cast<double>(kSize.inner)).agrees);
    }
}

// A large gradient is stored with streaming stores if it lies so that this is possible.
TEST(Bf16Product, IsTheSameHoweverItIsWritten)
{
    const test::Bfloat16Anywhere bfloat16;
    constexpr ProductSize kSize{700, 24, 1024};
    constexpr std::int64_t kApart = kSize.columns + kBeside;
    const Operand a(kSize.rows, kSize.inner, Stored::transposed, 1);
    const Operand b(kSize.inner, kSize.columns, Stored::notTransposed, 2);
    Buffer past(bufferSize(kSize.rows, kSize.columns));
    std::vector<float> through(static_cast<std::size_t>(kSize.rows * kApart));
    const auto multiplyTo = [&](const MatrixAt<float>& c) {
        multiplyTransposedIn(Precision::bfloat16, kSize, a.at(), b.at(), c, Into::overwrite);
    };
    multiplyTo({past.data(), kSize.columns});
    multiplyTo({through.data(), kApart});
    for (std::int64_t i = 0; i < kSize.rows; ++i) {
        for (std::int64_t j = 0; j < kSize.columns; ++j) {
            ASSERT_EQ(past.data()[i * kSize.columns + j],
                      through[static_cast<std::size_t>(i * kApart + j)])
                << i << ", " << j;
        }
    }
}

// Whole registers and what is left of a row, in both operands.
TEST(Bf16Product, RoundsEveryValueOfARowLikeOne)
{
    std::vector<float> row{0.0F,
                           -0.0F,
                           INFINITY,
                           -INFINITY,
                           std::nanf(""),
                           std::bit_cast<float>(0x7f800001U), // no number in its lower half alone
                           std::bit_cast<float>(0x00000001U),
                           std::bit_cast<float>(0x3f808000U), // half-way, from an even one
                           std::bit_cast<float>(0x3f818000U), // half-way, from an odd one
                           std::numeric_limits<float>::max()};
    const std::vector<float> more = randomActivations<float>(29, 3);
    row.insert(row.end(), more.begin(), more.end());
    const auto count = static_cast<std::int64_t>(row.size());
    const std::int64_t width = roundedUp(count, BlockSize::kInnerGrain);

    std::vector<Bfloat16> left(static_cast<std::size_t>(BlockSize::kRowGrain * width), 7);
    packRows({row.data(), count}, Stored::notTransposed, {0, 1}, {0, count}, left.data());
    std::vector<Bfloat16> right(
        static_cast<std::size_t>(BlockSize::kInnerGrain * roundedUp(count, BlockSize::kPanel)), 7);
    packPanels({row.data(), count}, Stored::notTransposed, {0, 1}, {0, count}, right.data());
    for (std::int64_t i = 0; i < width; ++i) {
        const Bfloat16 expected = i < count ? roundedToBfloat16(row[i]) : Bfloat16{0};
        const std::int64_t inPanel =
            i / BlockSize::kPanel * BlockSize::kInnerGrain * BlockSize::kPanel
            + 2 * (i % BlockSize::kPanel);
        EXPECT_EQ(left[placeInTiles(0, i, width)], expected) << i;
        EXPECT_EQ(right[inPanel], expected) << i; // beside the row that is not there
        EXPECT_EQ(right[inPanel + 1], 0) << i;
    }
}

TEST(Bf16Product, WithoutTermsIsZeroOrAddsNothing)
{
    const test::Bfloat16Anywhere bfloat16;
    expectInEveryOrder({4, 0, 3});
}

TEST(Bf16Product, PassesOnWhatIsNoNumber)
{
    const test::Bfloat16Anywhere bfloat16;
    const std::vector<float> a{1.0F, std::nanf(""), 2.0F, 3.0F};
    const std::vector<float> b(2 * 5, 1.0F);
    std::vector<float> c(2 * 5);
    multiplyIn(Precision::bfloat16,
               {2, 2, 5},
               {a.data(), 2},
               {b.data(), 5},
               Stored::notTransposed,
               {c.data(), 5});

    for (std::size_t j = 0; j < 5; ++j) {
        EXPECT_TRUE(std::isnan(c[j]));
        EXPECT_EQ(c[5 + j], 5.0F);
    }
}

// What people are told of the processor and of the build is not changed by an emulation that ended.
TEST(EmulatedBfloat16, IsComputedAsLongAsItExists)
{
    const bool before = computesProductsIn(Precision::bfloat16).ok();
    {
        const EmulatedBfloat16 emulated;
        EXPECT_TRUE(computesProductsIn(Precision::bfloat16).ok());
    }

    EXPECT_EQ(computesProductsIn(Precision::bfloat16).ok(), before);
    EXPECT_EQ(prepareProductPeaks(8, {1}, Precision::bfloat16).ok(), before);
}

struct Layer
{
    std::int64_t tokens;
    std::int64_t in;
    std::int64_t out;
};

// Rounded beforehand or in each call, by columns or at once: the same product.
void expectSameAsRoundedInEachCall(const Layer& l, Stored stored)
{
    SCOPED_TRACE(std::to_string(l.tokens) + "·" + std::to_string(l.in) + "·"
                 + std::to_string(l.out));
    const auto x = randomActivations<float>(static_cast<std::size_t>(l.tokens * l.in), 1);
    const auto w = randomActivations<float>(static_cast<std::size_t>(l.in * l.out), 2);
    std::vector<float> right(static_cast<std::size_t>(l.tokens * l.out));
    multiplyIn(Precision::bfloat16,
               {l.tokens, l.in, l.out},
               {x.data(), l.in},
               {w.data(), stored == Stored::notTransposed ? l.out : l.in},
               stored,
               {right.data(), l.out});
    for (const int threads : {1, 3}) {
        const RoundedWeight weight(l.in, l.out, w.data(), stored, {threads});
        std::vector<float> y(right.size(), NAN);
        std::vector<int> finished(right.size());
        for (int part = 0; part < threads; ++part) {
            const Range columns = partOf(l.out, threads, part, BlockSize::kPanel);
            ASSERT_TRUE(weight.covers(columns));
            weight.multiply(
                x.data(), y.data(), {0, l.tokens}, columns, [&](Range rows, Range some) {
                    for (std::int64_t i = rows.first; i < rows.last; ++i) {
                        for (std::int64_t j = some.first; j < some.last; ++j) {
                            ++finished[static_cast<std::size_t>(i * l.out + j)];
                        }
                    }
                });
        }
        const std::vector<double> asDouble(right.begin(), right.end());
        EXPECT_TRUE(compare(y, asDouble, static_cast<double>(l.in)).agrees);
        EXPECT_EQ(finished, std::vector<int>(right.size(), 1));
    }
}

TEST(RoundedWeight, GivesWhatRoundingInEachCallGives)
{
    const test::Bfloat16Anywhere bfloat16;
    for (const Stored stored : {Stored::notTransposed, Stored::transposed}) {
        expectSameAsRoundedInEachCall({1, 1, 1}, stored);
        for (std::int64_t tokens = 1; tokens <= kFewRoundedRows + 1; ++tokens) {
            expectSameAsRoundedInEachCall({tokens, 33, 5 * BlockSize::kPanel + 7}, stored);
        }
        expectSameAsRoundedInEachCall({5, 33, 70}, stored);
        expectSameAsRoundedInEachCall({1, BlockSize::kMaxInner + 7, 200}, stored);
        expectSameAsRoundedInEachCall({BlockSize::kMaxRows + 1, 64, 130}, stored);
        expectSameAsRoundedInEachCall({19, 13 * BlockSize::kMaxInner + 7, 40}, stored);
    }
}

TEST(RoundedWeight, CoversWholePanelsOnly)
{
    const test::Bfloat16Anywhere bfloat16;
    const std::vector<float> w(3 * 130, 1.0F);
    const RoundedWeight weight(3, 130, w.data(), Stored::notTransposed, {1});

    EXPECT_TRUE(weight.covers({0, 64}));
    EXPECT_TRUE(weight.covers({32, 130}));
    EXPECT_FALSE(weight.covers({0, 65}));
    EXPECT_FALSE(weight.covers({16, 130}));
}

} // namespace
} // namespace flopsmith::cpu
