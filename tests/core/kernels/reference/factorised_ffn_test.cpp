// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/ffn/factored/kronecker.h"
#include "core/ffn/factored/low_rank.h"
#include "tests/core/kernels/reference/ffn_counts.h"
#include "tests/core/kernels/reference/gradient_check.h"
#include "tests/core/kernels/reference/reference_run.h"
#include "tests/support/ffn_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Kronecker and low-rank FFNs against the dense FFN that they stand for.
namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

// All divisors and some terms and ratios: both orders, empty columns, factors of one row or column.
std::vector<KroneckerFfn> allFactorings(int dModel, int dFf)
{
    std::vector<KroneckerFfn> all;
    for (int d1 = 1; d1 <= dModel; ++d1) {
        for (int f1 = 1; f1 <= dFf; ++f1) {
            for (const int rank : {1, 2, 3}) {
                for (const double ratio : {0.1, 0.4, 1.0}) {
                    if (dModel % d1 == 0 && dFf % f1 == 0) {
                        all.push_back({.dFf = dFf,
                                       .d1 = d1,
                                       .f1 = f1,
                                       .rank = rank,
                                       .keepRatio = ratio,
                                       .seed = d1 + f1});
                    }
                }
            }
        }
    }
    return all;
}

// Σ_r A_r ⊗ B_r, formed.
std::vector<double> formed(const KroneckerMatrix& w,
                           const std::vector<double>& a,
                           const std::vector<int>& columnsOfA,
                           const std::vector<double>& b,
                           const std::vector<int>& columnsOfB)
{
    std::vector<double> dense(static_cast<std::size_t>(w.in() * w.out()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::int64_t rowOfA = static_cast<std::int64_t>(i) / w.a.kept;
            const std::int64_t rowOfB = static_cast<std::int64_t>(j) / w.b.kept;
            if (rowOfA / w.a.in == rowOfB / w.b.in) { // of the same term
                const std::int64_t row = rowOfA % w.a.in * w.b.in + rowOfB % w.b.in;
                const std::int64_t column = std::int64_t{columnsOfA[i]} * w.b.out + columnsOfB[j];
                dense[static_cast<std::size_t>(row * w.out() + column)] += a[i] * b[j];
            }
        }
    }
    return dense;
}

Weights<double> formed(const KroneckerFfn& ffn, int d, const Weights<double>& weights)
{
    using Factor = KroneckerFfn::Factor;
    return {formed(ffn.up(d),
                   weights[0],
                   ffn.keptColumns(Factor::upA, d),
                   weights[1],
                   ffn.keptColumns(Factor::upB, d)),
            weights[2],
            formed(ffn.down(d),
                   weights[3],
                   ffn.keptColumns(Factor::downA, d),
                   weights[4],
                   ffn.keptColumns(Factor::downB, d)),
            weights[5]};
}

TEST(KroneckerReference, GivesWhatTheFormedMatricesGive)
{
    for (const auto& [d, f] : {std::pair{12, 18}, std::pair{7, 6}, std::pair{1, 4}}) {
        const Shape shape{1, 2, 2, d};
        const auto x = randomActivations<double>(shape.activations(), 2);
        for (const KroneckerFfn& ffn : allFactorings(d, f)) {
            const auto weights = randomWeights<double>(flopsmith::weights(ffn, d), 1);
            const Values dense = outputOf(DenseFfn{.dFf = f}, shape, formed(ffn, d, weights), x);

            ASSERT_THAT(outputOf(ffn, shape, weights, x), Pointwise(DoubleNear(kTiny), dense))
                << test::describe(FfnSpec(ffn));
        }
    }
}

TEST(KroneckerReference, OfOneTermAroundTheNumberOneIsTheDenseFfn)
{
    const Shape shape{1, 3, 3, 10};
    const auto weights = randomWeights<double>(flopsmith::weights(DenseFfn{.dFf = 14}, 10), 1);
    const auto x = randomActivations<double>(shape.activations(), 2);
    const Values dense = outputOf(DenseFfn{.dFf = 14}, shape, weights, x);
    const Values one{1.0};

    const KroneckerFfn left{.dFf = 14, .d1 = 1, .f1 = 1};
    const KroneckerFfn right{.dFf = 14, .d1 = 10, .f1 = 14};
    const Weights<double> ofLeft{one, weights[0], weights[1], one, weights[2], weights[3]};
    const Weights<double> ofRight{weights[0], one, weights[1], weights[2], one, weights[3]};

    EXPECT_THAT(outputOf(left, shape, ofLeft, x), Pointwise(DoubleNear(kTiny), dense));
    EXPECT_THAT(outputOf(right, shape, ofRight, x), Pointwise(DoubleNear(kTiny), dense));
}

TEST(KroneckerReference, WithAllEntriesKeptIsThatOfDenseFactors)
{
    const Shape shape{1, 3, 3, 12};
    const KroneckerFfn dense{.dFf = 18, .d1 = 3, .f1 = 6, .rank = 2};
    KroneckerFfn nearly = dense;
    nearly.keepRatio = 0.95;
    const auto weights = randomWeights<double>(flopsmith::weights(dense, 12), 1);
    const auto x = randomActivations<double>(shape.activations(), 2);

    EXPECT_EQ(outputOf(nearly, shape, weights, x), outputOf(dense, shape, weights, x));
}

TEST(KroneckerReference, ExecutesItsFormulasForEveryFactoring)
{
    for (const KroneckerFfn& ffn : allFactorings(12, 18)) {
        ASSERT_NO_FATAL_FAILURE(expectFormulas(ffn, Shape{1, 3, 3, 12}))
            << test::describe(FfnSpec(ffn));
    }
}

TEST(KroneckerReference, HasTheGradientsOfCentralDifferencesForEveryFactoring)
{
    for (const KroneckerFfn& ffn : allFactorings(6, 4)) {
        ASSERT_NO_FATAL_FAILURE(expectGradients(ffn, Shape{1, 2, 2, 6}))
            << test::describe(FfnSpec(ffn));
    }
}

Values identity(std::size_t n)
{
    Values values(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i * n + i] = 1.0;
    }
    return values;
}

TEST(LowRankReference, WithAnIdentityBesideEachMatrixIsTheDenseFfn)
{
    const Shape shape{2, 2, 2, 6};
    const auto weights = randomWeights<double>(flopsmith::weights(DenseFfn{.dFf = 15}, 6), 1);
    const auto x = randomActivations<double>(shape.activations(), 2);
    const LowRankFfn ffn{.dFf = 15, .rank = 6};
    const Weights<double> factors{
        identity(6), weights[0], weights[1], weights[2], identity(6), weights[3]};

    EXPECT_THAT(outputOf(ffn, shape, factors, x),
                Pointwise(DoubleNear(kTiny), outputOf(DenseFfn{.dFf = 15}, shape, weights, x)));
}

} // namespace
} // namespace flopsmith::reference
