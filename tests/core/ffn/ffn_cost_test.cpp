// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_cost.h"

#include "core/count/lens.h"
#include "core/ffn/ffn_variants.h"
#include "tests/support/ffn_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace flopsmith {
namespace {

using testing::ElementsAre;

const Shape kOneToken{1, 1, 1, 768};

Cost<Count> costOf(const FfnSpec& ffn, const Shape& shape)
{
    return test::costTree(ffn, shape).total();
}

Count exactFlops(const FfnSpec& ffn, const Shape& shape = kOneToken)
{
    return priced(LensId::exact, costOf(ffn, shape).count);
}

Cost<Count> backwardCostOf(const FfnSpec& ffn, const Shape& shape)
{
    return test::treeOf(shape,
                        [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                            addBackwardCost(ffn, pass, tree);
                        })
        .total();
}

class FfnCost : public testing::TestWithParam<int>
{};

TEST_P(FfnCost, WeightsAreItsParametersForEveryVariantAndOption)
{
    const int d = GetParam();
    for (const FfnSpec& ffn : test::ffnCases(d)) {
        Count elements = 0;
        for (const WeightShape& shape : weights(ffn, d)) {
            elements += shape.trainable ? shape.size() : 0;
        }
        const ParameterCount<Count> parameters = costOf(ffn, {2, 3, 3, d}).parameters;

        ASSERT_EQ(digits(parameters.trainable), digits(elements)) << test::describeFfn(ffn);
        ASSERT_TRUE(parameters.active <= parameters.trainable) << test::describeFfn(ffn);
    }
}

// Gates open once per pass: all else is proportional to the number of tokens.
TEST_P(FfnCost, OperationsAreProportionalToTokensAndParametersAreNot)
{
    const int d = GetParam();
    for (const FfnSpec& ffn : test::ffnCases(d, 3)) {
        if (holds_alternative<ComposedFfn>(ffn)) {
            continue;
        }
        const Cost<Count> one = costOf(ffn, {1, 1, 1, d});
        const Cost<Count> six = costOf(ffn, {2, 3, 9, d});

        ASSERT_TRUE(six.count == Count{6} * one.count) << test::describeFfn(ffn);
        ASSERT_TRUE(six.parameters == one.parameters) << test::describeFfn(ffn);
        ASSERT_TRUE(six.traffic.weights == one.traffic.weights
                    || holds_alternative<MoeFfn>(ffn)) // more tokens touch more experts
            << test::describeFfn(ffn);
        ASSERT_TRUE(six.traffic.written == 6 * one.traffic.written) << test::describeFfn(ffn);
    }
}

// Seeds choose which channels are kept, never how many.
TEST_P(FfnCost, DoesNotDependOnSeeds)
{
    const int d = GetParam();
    for (const FfnSpec& ffn : test::ffnCases(d, 3)) {
        FfnSpec other = ffn;
        for (const auto& field : fields(other)) {
            if (field.text.key.find("seed") != std::string_view::npos) {
                field.assign(other, std::int64_t{12345});
            }
        }
        const Shape shape{1, 2, 2, d};
        ASSERT_TRUE(costOf(other, shape) == costOf(ffn, shape)) << test::describeFfn(ffn);
    }
}

INSTANTIATE_TEST_SUITE_P(AwkwardWidths,
                         FfnCost,
                         testing::ValuesIn(test::awkwardWidths()),
                         testing::PrintToStringParamName());

TEST(DenseCost, IsTwoMatrices)
{
    const Cost<Count> cost =
        costOf(DenseFfn{.dFf = 5, .activation = Activation::relu}, {1, 2, 2, 3});

    EXPECT_TRUE((cost.count == OpCount<Count>{.mac = 60, .dot = 16, .add = 16, .cmp = 10}));
    EXPECT_TRUE(cost.parameters.trainable == 2 * 15 + 5 + 3);
}

TEST(GatedCost, IsHalfAsMuchAgainAsDenseOfTheSameWidth)
{
    const Cost<Count> dense = costOf(DenseFfn{.dFf = 2048}, kOneToken);
    const Cost<Count> gated = costOf(GatedFfn{.dFf = 2048}, kOneToken);

    EXPECT_TRUE(2 * gated.count.mac == 3 * dense.count.mac);
}

TEST(SpectralCost, TransformsCostTheSameHoweverFewBinsAreKept)
{
    SpectralFfn few{.kFreq = 1, .algorithm = SpectralAlgorithm::fft};
    SpectralFfn all{.kFreq = SpectralFfn::bins(768), .algorithm = SpectralAlgorithm::fft};

    EXPECT_TRUE(costOf(few, kOneToken).count.fft == 2 * nominalRealFft(768));
    EXPECT_TRUE(costOf(all, kOneToken).count.fft == 2 * nominalRealFft(768));
    EXPECT_TRUE(exactFlops(all) - exactFlops(few) == 6 * 384);
}

TEST(SpectralCost, AutoTakesTheCheaperAlgorithm)
{
    for (int d = 1; d <= 64; ++d) {
        for (int k = 1; k <= SpectralFfn::bins(d); ++k) {
            const Shape shape{1, 1, 1, d};
            const Count automatic = exactFlops(SpectralFfn{.kFreq = k}, shape);
            const Count fft =
                exactFlops(SpectralFfn{.kFreq = k, .algorithm = SpectralAlgorithm::fft}, shape);
            const Count direct =
                exactFlops(SpectralFfn{.kFreq = k, .algorithm = SpectralAlgorithm::direct}, shape);

            ASSERT_TRUE(automatic == std::min(fft, direct)) << "d " << d << ", k " << k;
        }
    }
}

TEST(SpectralCost, DirectBasisIsStoredButNotTrained)
{
    const SpectralFfn ffn{.kFreq = 2, .algorithm = SpectralAlgorithm::direct};
    const ParameterCount<Count> parameters = costOf(ffn, {1, 1, 1, 8}).parameters;

    EXPECT_TRUE(parameters.trainable == 4);
    EXPECT_TRUE(parameters.fixed == 8 * 4);
}

// One rule for whatever is stored as a list: an index is one fixed parameter, read once per pass.
TEST(IndexLists, AreFixedParametersOfEveryVariantThatStoresOne)
{
    const Shape shape{2, 3, 3, 48};
    const MicroRefineFfn groups{.keepRatio = 0.25, .selection = ChannelSelection::fixed};
    MicroRefineFfn iterative = groups;
    iterative.mode = MicroRefineMode::iterative;
    const SpectralFfn bins{
        .kFreq = 10, .selection = BinSelection::learned, .algorithm = SpectralAlgorithm::fft};
    const KroneckerFfn entries{.dFf = 64, .d1 = 6, .f1 = 8, .rank = 2, .keepRatio = 0.5};
    const auto lists = [&](const FfnSpec& ffn) { return costOf(ffn, shape).parameters.fixed; };

    EXPECT_EQ(lists(bins), 10);
    EXPECT_EQ(lists(PolynomialFfn{.keepRatio = 0.5}), 24);
    EXPECT_EQ(lists(groups), 12);
    EXPECT_EQ(lists(iterative), 12);
    EXPECT_EQ(lists(entries), 2 * (6 * 4 + 8 * 4) + 2 * (8 * 3 + 8 * 4));
    EXPECT_EQ(lists(RandomProjectionFfn{.features = 100, .density = 0.25}), 100 * 12 + 48 * 25);
}

TEST(IndexLists, DoNotExistWhereNothingIsStored)
{
    const Shape shape{2, 3, 3, 48};
    const auto lists = [&](const FfnSpec& ffn) { return costOf(ffn, shape).parameters.fixed; };

    EXPECT_EQ(lists(SpectralFfn{.kFreq = 10, .algorithm = SpectralAlgorithm::fft}), 0);
    EXPECT_EQ(lists(SpectralFfn{.kFreq = 10, .selection = BinSelection::topK}), 0);
    EXPECT_EQ(lists(PolynomialFfn{.selection = ChannelSelection::topK}), 0);
    EXPECT_EQ(lists(MicroRefineFfn{.selection = ChannelSelection::topK}), 0);
    EXPECT_EQ(lists(KroneckerFfn{.dFf = 64, .d1 = 6, .f1 = 8}), 0);
    EXPECT_EQ(lists(TokenFeedbackFfn{}), 0); // a window is a formula
}

TEST(IndexLists, AreReadOnceInEachDirection)
{
    const Shape shape{2, 3, 3, 48};
    PolynomialFfn ffn{.keepRatio = 0.5};
    const Count stored = costOf(ffn, shape).traffic.weights;
    const Count storedBackward = backwardCostOf(ffn, shape).traffic.weights;
    ffn.selection = ChannelSelection::topK;

    EXPECT_EQ(stored - costOf(ffn, shape).traffic.weights, 24);
    EXPECT_EQ(storedBackward - backwardCostOf(ffn, shape).traffic.weights, 24);
}

TEST(SpectralBins, LowPassIsThePrefixAndLearnedAFixedList)
{
    EXPECT_THAT((SpectralFfn{.kFreq = 3}.candidateBins(8)), ElementsAre(0, 1, 2));
    const SpectralFfn learned{.kFreq = 3, .selection = BinSelection::learned, .seed = 4};
    const std::vector<int> bins = learned.candidateBins(100);

    EXPECT_EQ(bins, learned.candidateBins(100));
    EXPECT_EQ(std::set<int>(bins.begin(), bins.end()).size(), 3U);
    EXPECT_TRUE(std::is_sorted(bins.begin(), bins.end()));
    EXPECT_LE(bins.back(), 50);
}

TEST(PolynomialCost, OddAndEvenTermsHalveTheWork)
{
    const auto multiplications = [](PolynomialTerms terms, int degree) {
        return costOf(PolynomialFfn{.degree = degree, .keepRatio = 1.0, .terms = terms},
                      {1, 1, 1, 1})
            .count.mul;
    };

    EXPECT_TRUE(multiplications(PolynomialTerms::all, 9) == 9);
    EXPECT_TRUE(multiplications(PolynomialTerms::odd, 9) == 6);
    EXPECT_TRUE(multiplications(PolynomialTerms::even, 9) == 5);
}

TEST(PolynomialCost, KeptChannelsRoundToAtLeastOne)
{
    EXPECT_EQ((PolynomialFfn{.keepRatio = 0.001}.keptChannels(10)), 1);
    EXPECT_EQ((PolynomialFfn{.keepRatio = 0.25}.keptChannels(10)), 3); // 2.5 rounds up
    EXPECT_EQ((PolynomialFfn{.keepRatio = 1.0}.keptChannels(10)), 10);
}

TEST(MicroRefine, GroupsCoverAllChannelsInNearlyEqualParts)
{
    for (int d = 1; d <= 40; ++d) {
        for (int steps = 1; steps <= d; ++steps) {
            const MicroRefineFfn ffn{.steps = steps};
            EXPECT_EQ(ffn.groupStart(0, d), 0);
            EXPECT_EQ(ffn.groupStart(steps, d), d);
            for (int group = 0; group < steps; ++group) {
                const int size = ffn.groupStart(group + 1, d) - ffn.groupStart(group, d);
                EXPECT_TRUE(size == d / steps || size == d / steps + 1) << d << ", " << steps;
            }
        }
    }
}

TEST(MicroRefine, FixedListHasTheKeptChannelsOfEachGroup)
{
    const MicroRefineFfn ffn{.steps = 3, .keepRatio = 0.5, .selection = ChannelSelection::fixed};
    const std::vector<int> list = ffn.fixedList(10); // groups 0–2, 3–5, 6–9: 2 of each

    ASSERT_EQ(static_cast<int>(list.size()), ffn.keptChannels(10));
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
    EXPECT_LT(list[1], 3);
    EXPECT_GE(list[2], 3);
    EXPECT_LT(list[3], 6);
    EXPECT_GE(list[4], 6);
}

TEST(ComposedCost, StagesStandAloneAndSumToTheWhole)
{
    const ComposedFfn ffn = ultraEfficientSparseFfn();
    const CostTree<Count> tree = test::costTree(ffn, kOneToken);
    Count stages = 0;
    for (const FfnStage& stage : ffn.stages) {
        stages += exactFlops(stage.spec);
    }
    const Count d = 768; // 3 gates of 3 operations, 3·d products, 2·d sums

    EXPECT_EQ(tree.path(1), "spectral");
    EXPECT_TRUE(priced(LensId::exact, tree.total().count) == stages + 9 + 5 * d);
}

TEST(ComposedCost, EqualStagesAreNumbered)
{
    const ComposedFfn ffn{.stages = {FfnStage{PolynomialFfn{}}, FfnStage{PolynomialFfn{}}}};
    const CostTree<Count> tree = test::costTree(ffn, kOneToken);
    std::set<std::string> paths;
    for (int i = 0; i < tree.size(); ++i) {
        EXPECT_TRUE(paths.insert(tree.path(i)).second) << tree.path(i);
    }

    EXPECT_EQ(paths.count("polynomial[1]/select"), 1U);
}

TEST(ComposedCost, UltraEfficientIsFarCheaperThanTheDenseOneItReplaces)
{
    const Count dense = exactFlops(DenseFfn{});
    const Count sparse = exactFlops(ultraEfficientSparseFfn());

    EXPECT_TRUE(dense > 20 * sparse) << digits(dense) << " and " << digits(sparse);
}

// Only the experts that a batch reaches write gradients.
bool hasExperts(const FfnSpec& ffn)
{
    const auto* composed = get_if<ComposedFfn>(&ffn);
    return holds_alternative<MoeFfn>(ffn)
        || (composed != nullptr
            && std::any_of(composed->stages.begin(),
                           composed->stages.end(),
                           [](const FfnStage& stage) { return hasExperts(stage.spec); }));
}

// The backward pass is a table of its own beside the forward pass: by name, and without parameters.
TEST_P(FfnCost, BackwardOperationsAreNamedAsInTheForwardPass)
{
    const Shape shape{
        .batch = 2, .sequence = 3, .context = 3, .dModel = GetParam(), .training = true};
    for (const FfnSpec& ffn : test::ffnCases(GetParam(), 3)) {
        std::set<std::string> forward;
        const CostTree<Count> there = test::costTree(ffn, shape);
        for (int i = 0; i < there.size(); ++i) {
            forward.insert(there.path(i));
        }
        const CostTree<Count> back =
            test::treeOf(shape, [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                addBackwardCost(ffn, pass, tree);
            });
        for (int i = 0; i < back.size(); ++i) {
            ASSERT_TRUE(forward.contains(back.path(i)))
                << back.path(i) << " of " << test::describeFfn(ffn);
        }
        const Cost<Count> total = back.total();
        ASSERT_TRUE(total.parameters == ParameterCount<Count>{}) << test::describeFfn(ffn);
        ASSERT_TRUE(total.saved == 0) << test::describeFfn(ffn);
        const Count weights = costOf(ffn, shape).parameters.trainable;
        ASSERT_TRUE(hasExperts(ffn) ? total.traffic.gradients <= weights
                                    : total.traffic.gradients == weights)
            << test::describeFfn(ffn);
    }
}

TEST(SavedActivations, OfSpectralAreTheKeptBins)
{
    const Shape shape{2, 3, 3, 48};
    SpectralFfn ffn{.kFreq = 10, .algorithm = SpectralAlgorithm::fft};
    EXPECT_EQ(digits(costOf(ffn, shape).saved), "120");
    ffn.algorithm = SpectralAlgorithm::direct;
    EXPECT_EQ(digits(costOf(ffn, shape).saved), "120");
    ffn.activation = Activation::gelu; // and its input
    EXPECT_EQ(digits(costOf(ffn, shape).saved), digits(120 + 6 * 48));
    ffn = {.kFreq = 10, .selection = BinSelection::topK}; // and their indices
    EXPECT_EQ(digits(costOf(ffn, shape).saved), "180");
}

TEST(SavedActivations, OfPolynomialsAreTanhAndIndices)
{
    const Shape shape{2, 3, 3, 48};
    PolynomialFfn ffn{.keepRatio = 0.5};
    EXPECT_EQ(digits(costOf(ffn, shape).saved), "0"); // x is the input
    ffn.basis = PolynomialBasis::chebyshev;
    EXPECT_EQ(digits(costOf(ffn, shape).saved), digits(6 * 24));
    ffn.selection = ChannelSelection::topK;
    EXPECT_EQ(digits(costOf(ffn, shape).saved), digits(2 * 6 * 24));
}

TEST(SavedActivations, OfMicroRefineAreTanhAndLaterInputs)
{
    const Shape shape{2, 3, 3, 48};
    MicroRefineFfn ffn{.steps = 4, .keepRatio = 0.25, .selection = ChannelSelection::fixed};
    EXPECT_EQ(digits(costOf(ffn, shape).saved), digits(6 * 12));
    ffn.mode = MicroRefineMode::iterative;
    EXPECT_EQ(digits(costOf(ffn, shape).saved), digits(6 * 12 * (4 + 3)));
}

TEST(SavedActivations, OfCompositionsAreStageOutputsOnlyIfGated)
{
    const Shape shape{2, 3, 3, 48};
    ComposedFfn ffn{.gate = GateKind::none, .stages = {{PolynomialFfn{}}, {PolynomialFfn{}}}};
    EXPECT_EQ(digits(costOf(ffn, shape).saved), "0");
    ffn.gate = GateKind::scalar;
    EXPECT_EQ(digits(costOf(ffn, shape).saved), digits(2 * 6 * 48 + 2));
    ffn.gate = GateKind::channel;
    EXPECT_EQ(digits(costOf(ffn, shape).saved), digits(2 * 6 * 48 + 2 * 48));
    ffn.gate = GateKind::none;
    ffn.mode = CompositionMode::sequential;
    EXPECT_EQ(digits(costOf(ffn, shape).saved), digits(6 * 48));
}

TEST(ComposedCost, DropoutIsPartOfTrainingAlone)
{
    const Count n = 6 * 48;
    Shape shape{2, 3, 3, 48};
    const ComposedFfn plain = ultraEfficientSparseFfn();
    ComposedFfn without = plain;
    without.dropout = 0.0;
    EXPECT_TRUE(costOf(plain, shape) == costOf(without, shape));

    Cost<Count> backward = backwardCostOf(without, shape);
    backward += dropoutBackwardCost(n);
    EXPECT_TRUE(backwardCostOf(plain, shape) == backward);

    const Cost<Count> inference = costOf(without, shape);
    shape.training = true;
    const Cost<Count> training = costOf(plain, shape);
    EXPECT_TRUE(costOf(without, shape) == inference);
    EXPECT_TRUE((training.count == inference.count + OpCount<Count>{.mul = n, .cmp = n}));
    EXPECT_EQ(training.saved, inference.saved + n); // the mask
}

TEST(ComposedCost, OneUngatedStageCostsThatStageBackwardToo)
{
    const Shape shape{2, 3, 3, 48};
    const PolynomialFfn stage;
    const ComposedFfn composed{.gate = GateKind::none, .stages = {{stage}}};
    EXPECT_TRUE(backwardCostOf(composed, shape).count == backwardCostOf(stage, shape).count);
}

TEST(FfnRegistry, IdsAreDifferentAndEveryVariantExplainsItself)
{
    std::set<std::string_view> ids;
    for (const FfnSpec& ffn : ffnPrototypes()) {
        ids.insert(info(ffn).id);
        EXPECT_FALSE(info(ffn).help.empty()) << info(ffn).id;
        ASSERT_NE(info(ffn).component, nullptr) << info(ffn).id;
    }
    EXPECT_EQ(ids.size(), FfnSpec::kKinds);
}

} // namespace
} // namespace flopsmith
