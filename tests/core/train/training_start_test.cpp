// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training_start.h"

#include "core/ffn/ffn_variants.h"
#include "tests/core/train/tiny_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string_view>

namespace flopsmith {
namespace {

using test::nameOfFfn;
using test::tinyModel;

TrainingStart startOf(const Scenario& scenario, std::uint64_t seed = 1)
{
    return trainingStart(planOf(scenario).value(), seed);
}

const TensorRecipe& recipeOf(const TrainingStart& start, std::string_view path)
{
    for (std::size_t i = 0; i < start.tensors.size(); ++i) {
        if (start.tensors[i].path == path) {
            return start.recipes[i];
        }
    }
    ADD_FAILURE() << path;
    return start.recipes.front();
}

class StartOfVariant : public testing::TestWithParam<std::size_t>
{};

TEST_P(StartOfVariant, HasARowForEachTensorAndTheWantedSize)
{
    const Scenario scenario = tinyModel(ffnPrototypes()[GetParam()]);
    const TrainingStart start = startOf(scenario);

    EXPECT_TRUE(start.notes.empty());
    ASSERT_EQ(start.recipes.size(), start.tensors.size());
    for (std::size_t i = 0; i < start.tensors.size(); ++i) {
        EXPECT_EQ(start.weights[i].size(), static_cast<std::size_t>(start.tensors[i].shape.size()));
        const std::vector<ColumnRecipe>& columns = start.recipes[i].columns;
        EXPECT_TRUE(columns.empty()
                    || columns.size() == static_cast<std::size_t>(start.tensors[i].shape.columns));
        EXPECT_GT(start.recipes[i].rate, 0.0);
    }
    for (const Calibration& calibration : start.calibrations) {
        EXPECT_TRUE(calibration.reached) << calibration.path << " " << calibration.rms;
    }
}

TEST_P(StartOfVariant, BeginsAsLoudAsADenseOne)
{
    const FfnSpec ffn = tinyModel(ffnPrototypes()[GetParam()]).model.runs.front().block.ffn;
    const int d = tinyModel(ffn).model.dModel;
    const TrainingStart start = trainingStart(ffn, d, 3);
    if (holds_alternative<ComposedFfn>(ffn) || start.weights.empty()) {
        return; // the stages of a composed one are, each after its gate
    }

    EXPECT_NEAR(outputRms(ffn, d, start.weights), 0.5 / std::sqrt(2.0), 0.002);
}

INSTANTIATE_TEST_SUITE_P(AllVariants,
                         StartOfVariant,
                         testing::Range(std::size_t{0}, ffnPrototypes().size()),
                         [](const auto& tested) { return nameOfFfn(tested.param); });

TEST(TrainingStart, DiffersBetweenDesignsInTheirFfnsAlone)
{
    const TrainingStart dense = startOf(tinyModel(DenseFfn{}));
    const TrainingStart spectral = startOf(tinyModel(SpectralFfn{}));
    std::map<std::string, std::vector<double>> byPath;
    for (std::size_t i = 0; i < dense.tensors.size(); ++i) {
        byPath[dense.tensors[i].path] = dense.weights[i];
    }

    int shared = 0;
    for (std::size_t i = 0; i < spectral.tensors.size(); ++i) {
        const auto same = byPath.find(spectral.tensors[i].path);
        if (same != byPath.end()) {
            EXPECT_EQ(same->second, spectral.weights[i]) << same->first;
            ++shared;
        }
    }
    EXPECT_GT(shared, 8);
}

TEST(TrainingStart, FollowsTheSeed)
{
    const Scenario scenario = tinyModel(GatedFfn{});

    EXPECT_EQ(startOf(scenario, 4).weights, startOf(scenario, 4).weights);
    EXPECT_NE(startOf(scenario, 4).weights, startOf(scenario, 5).weights);
}

TEST(TrainingStart, DecaysMatricesAlone)
{
    const TrainingStart start = startOf(tinyModel(DenseFfn{}));

    EXPECT_TRUE(recipeOf(start, "blocks[0]/ffn/c_fc.weight").decays);
    EXPECT_TRUE(recipeOf(start, "embedding/tokens").decays);
    EXPECT_FALSE(recipeOf(start, "blocks[0]/ffn/c_fc.bias").decays);
    EXPECT_FALSE(recipeOf(start, "final_norm/gamma").decays);
    EXPECT_FALSE(recipeOf(startOf(tinyModel(SpectralFfn{})), "blocks[1]/ffn/filter").decays);
    EXPECT_FALSE(recipeOf(startOf(tinyModel(PolynomialFfn{})), "blocks[1]/ffn/alpha").decays);
}

TEST(TrainingStart, GivesFactorsRatesByTheirInputs)
{
    const std::vector<TensorRecipe> lowRank = ffnRecipes(LowRankFfn{.dFf = 256, .rank = 8}, 64);
    const std::vector<TensorRecipe> monarch = ffnRecipes(MonarchFfn{.dFf = 256, .blocks = 8}, 64);
    const std::vector<TensorRecipe> powers = ffnRecipes(PolynomialFfn{.degree = 3}, 64);

    EXPECT_DOUBLE_EQ(lowRank[0].rate, 0.5);
    EXPECT_DOUBLE_EQ(lowRank[1].rate, 4.0);
    EXPECT_DOUBLE_EQ(lowRank[4].rate, 16.0);
    EXPECT_TRUE(lowRank[4].last);
    EXPECT_DOUBLE_EQ(monarch[0].rate, 4.0);
    EXPECT_DOUBLE_EQ(monarch[1].rate, 4.0);
    EXPECT_DOUBLE_EQ(monarch[4].rate, 16.0);
    EXPECT_DOUBLE_EQ(monarch[3].deviation, 1.0 / std::sqrt(32.0));
    EXPECT_TRUE(monarch[4].last);
    ASSERT_EQ(powers[0].columns.size(), 4U);
    EXPECT_EQ(powers[0].columns[1].mean, 1.0);
    EXPECT_NEAR(powers[0].columns[2].rate, 0.57735, 1e-5);
    EXPECT_NEAR(powers[0].columns[3].rate, 0.25820, 1e-5);
}

} // namespace
} // namespace flopsmith
