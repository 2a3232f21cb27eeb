// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/counting_scalar.h"

#include "tests/core/kernels/reference/counting_run.h"

#include <gtest/gtest.h>

namespace flopsmith::reference {
namespace {

TEST(Counted, CountsEachKindOfOperation)
{
    const Counted a(2.0);
    const Counted b(3.0);

    EXPECT_EQ(executed([&] { a* b; }), (Executed{.mul = 1}));
    EXPECT_EQ(executed([&] { a + b - a; }), (Executed{.add = 2}));
    EXPECT_EQ(executed([&] { a / b; }), (Executed{.div = 1}));
    EXPECT_EQ(executed([&] { sqrt(a); }), (Executed{.sqrt = 1}));
    EXPECT_EQ(executed([&] { exp(a) + tanh(a) + erf(a); }), (Executed{.add = 2, .exp = 3}));
    EXPECT_EQ(executed([&] { (void)(a < b); }), (Executed{.cmp = 1}));
    EXPECT_EQ(executed([&] { -abs(a); }), Executed{});
}

TEST(Counted, ComputesWhatADoubleComputes)
{
    Counted a(2.0);
    a += Counted(1.0);
    a *= Counted(4.0);
    a -= Counted(3.0);

    EXPECT_EQ(a.value(), 9.0);
    EXPECT_EQ(sqrt(a).value(), 3.0);
    EXPECT_EQ((a / Counted(2.0)).value(), 4.5);
}

TEST(Counted, NotesNominalWork)
{
    EXPECT_EQ(executed([] { noteMoves<Counted>(3); }), (Executed{.move = 3}));
    EXPECT_EQ(executed([] { noteSelection<Counted>(5); }), (Executed{.cmp = 5}));
    EXPECT_EQ(executed([] { noteTransform<Counted>(8); }), (Executed{.fft = 60})); // 2.5·8·3
    EXPECT_EQ(executed([] { noteMoves<double>(3); }), Executed{});
}

TEST(CountingScope, InnermostCountsAndTheOuterResumes)
{
    const Counted a(1.0);
    Executed inner;

    const Executed outer = executed([&] {
        a + a;
        {
            const CountingScope scope(inner);
            a* a;
        }
        a + a;
    });

    EXPECT_EQ(outer, (Executed{.add = 2}));
    EXPECT_EQ(inner, (Executed{.mul = 1}));
}

TEST(CountingScope, NothingIsCountedOutside)
{
    const Executed before = executed([] {});

    EXPECT_EQ((Counted(1.0) + Counted(1.0)).value(), 2.0);
    EXPECT_EQ(before, Executed{});
}

TEST(ExecutionOf, SpreadsContractionsOverMultiplicationsAndAdditions)
{
    const Executed execution =
        executionOf({.mac = 12, .dot = 3, .mul = 100, .add = 1000, .cmp = 7, .move = 9});

    EXPECT_EQ(execution, (Executed{.mul = 112, .add = 1009, .cmp = 7, .move = 9}));
}

} // namespace
} // namespace flopsmith::reference
