// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/count/lens.h"

#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

constexpr OpCount<Count> kOfEach{.mac = 1,
                                 .dot = 1'000'000'000,
                                 .mul = 10,
                                 .add = 100,
                                 .div = 1000,
                                 .sqrt = 10'000,
                                 .exp = 100'000,
                                 .cmp = 1'000'000,
                                 .fft = 10'000'000,
                                 .move = 100'000'000};

TEST(Lens, ExactChargesEverythingButMoves)
{
    EXPECT_EQ(digits(priced(LensId::exact, kOfEach)), "11111112");
}

TEST(Lens, MatmulAndMacSeeOnlyContractions)
{
    EXPECT_TRUE(priced(LensId::matmul, kOfEach) == 2);
    EXPECT_TRUE(priced(LensId::mac, kOfEach) == 1);
}

TEST(Lens, AddUpOverParts)
{
    const OpCount<Count> other{.mac = 7, .add = 3, .fft = 11};
    for (const Lens& lens : lenses()) {
        EXPECT_TRUE(priced(lens.id, kOfEach + other)
                    == priced(lens.id, kOfEach) + priced(lens.id, other))
            << lens.name;
    }
}

TEST(Lens, NamesAreDifferentAndFindTheirLens)
{
    std::set<std::string_view> names;
    for (const Lens& each : lenses()) {
        names.insert(each.name);
        EXPECT_EQ(lensNamed(each.name), each.id);
        EXPECT_EQ(lens(each.id).name, each.name);
    }
    EXPECT_EQ(names.size(), lenses().size());
    EXPECT_EQ(lensNamed("nothing"), std::nullopt);
}

TEST(Lens, ExactIsTheDefaultAndAloneLooksThroughTheMask)
{
    EXPECT_EQ(lenses().front().id, LensId::exact);
    EXPECT_EQ(lens(LensId::exact).pairs, PairsRule::exact);
    EXPECT_EQ(lens(LensId::matmul).pairs, PairsRule::full);
}

TEST(Lens, IsBlindToWhatItPricesAtNothing)
{
    EXPECT_TRUE(isBlindTo(LensId::matmul, {.fft = 1}));
    EXPECT_TRUE(isBlindTo(LensId::mac, {.add = 1}));
    EXPECT_FALSE(isBlindTo(LensId::exact, {.add = 1}));
    EXPECT_FALSE(isBlindTo(LensId::matmul, {.mac = 1, .add = 5}));
    EXPECT_FALSE(isBlindTo(LensId::matmul, {.move = 9})) << "moves are no operations for any lens";
    EXPECT_FALSE(isBlindTo(LensId::matmul, {}));
}

TEST(OpCount, ScalesAndAddsClassByClass)
{
    const OpCount<Count> twice = Count{2} * kOfEach;

    EXPECT_TRUE(twice == kOfEach + kOfEach);
    EXPECT_TRUE(twice.move == 2 * kOfEach.move);
    EXPECT_TRUE(twice.dot == 2 * kOfEach.dot);
}

TEST(NominalRealFft, IsTwoAndAHalfNLogNRounded)
{
    EXPECT_TRUE(nominalRealFft(1) == 0);
    EXPECT_TRUE(nominalRealFft(8) == 60);
    EXPECT_TRUE(nominalRealFft(768) == 18403); // 18403.13
    EXPECT_TRUE(nominalRealFft(3) == 12); // 11.89
}

} // namespace
} // namespace flopsmith
