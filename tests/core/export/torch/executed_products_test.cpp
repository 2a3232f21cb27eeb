// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/executed_products.h"

#include "core/ffn/ffn_variants.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith::torch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// GPT-2 of one block, 37 tokens.
Scenario oneBlockWith(const FfnSpec& ffn)
{
    Scenario scenario{presetNamed("gpt2").value(), {}};
    scenario.model.patterns.clear();
    scenario.model.runs.resize(1);
    scenario.model.runs.front().repeat = 1;
    scenario.model.runs.front().block.ffn = ffn;
    scenario.workload.sequence = 37;
    return scenario;
}

std::int64_t difference(const FfnSpec& ffn)
{
    const ExecutedProducts products = executedProducts(oneBlockWith(ffn));
    return static_cast<std::int64_t>(products.executed - products.counted);
}

TEST(ExecutedProducts, AreThoseOfTheDesignAsARule)
{
    for (const FfnSpec& ffn : {FfnSpec(DenseFfn{}), FfnSpec(LowRankFfn{}), FfnSpec(MonarchFfn{})}) {
        EXPECT_EQ(difference(ffn), 0) << info(ffn).id;
        EXPECT_THAT(productsText(oneBlockWith(ffn)), IsEmpty());
    }
}

TEST(ExecutedProducts, OfARandomProjectionAreThoseOfADenseMatrix)
{
    EXPECT_EQ(difference(RandomProjectionFfn{.features = 50}), 4 * 37 * 768 * 50);
}

// The factors with all their columns are those of a design that keeps all entries.
TEST(ExecutedProducts, OfSparseFactorsAreThoseOfFullOnes)
{
    KroneckerFfn sparse{.keepRatio = 0.25};
    const KroneckerFfn full{.keepRatio = 1.0};
    ASSERT_EQ(sparse.up(768).order(), full.up(768).order());
    ASSERT_EQ(sparse.down(768).order(), full.down(768).order());

    EXPECT_EQ(executedProducts(oneBlockWith(sparse)).executed,
              executedProducts(oneBlockWith(full)).counted);
    EXPECT_EQ(difference(full), 0);
}

TEST(ExecutedProducts, OfATransformAreNone)
{
    const SpectralFfn fft{.kFreq = 5, .algorithm = SpectralAlgorithm::fft};
    const SpectralFfn direct{.kFreq = 5, .algorithm = SpectralAlgorithm::direct};

    EXPECT_EQ(difference(fft), 0);
    EXPECT_EQ(difference(direct), -8 * 37 * 768 * 5);
    EXPECT_EQ(executedProducts(oneBlockWith(direct)).executed,
              executedProducts(oneBlockWith(fft)).counted);
}

TEST(ExecutedProducts, CountEachStageAndSayWhyOnce)
{
    ComposedFfn composed;
    composed.stages = {{RandomProjectionFfn{.features = 50}}, {RandomProjectionFfn{.features = 7}}};

    EXPECT_EQ(difference(composed), 4 * 37 * 768 * 57);
    EXPECT_THAT(executedProducts(oneBlockWith(composed)).reasons,
                ElementsAre("a random projection of few entries is multiplied as a dense matrix"));
    EXPECT_THAT(productsText(oneBlockWith(composed)),
                HasSubstr("Of one forward pass of 1 x 37 tokens a profiler finds "));
}

} // namespace
} // namespace flopsmith::torch
