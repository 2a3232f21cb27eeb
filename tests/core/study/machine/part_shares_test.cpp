// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/machine/part_shares.h"

#include "core/base/field.h"
#include "core/count/lens.h"
#include "core/ffn/moe.h"
#include "core/ffn/spectral.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

constexpr double kPeak = 1e11;
constexpr double kMemory = 1e10;

MachineRoofs roofsWith(double launchSeconds)
{
    MachineRoofs roofs{.device = "this CPU", .launchSeconds = launchSeconds};
    roofs.products = {{NumberFormat::fp32, kPeak, ""}};
    roofs.levels = {{"L2", 1e6, 1e11, 1, true}, {"memory", 1e9, kMemory, 1, false}};
    return roofs;
}

MeasuredPart partOf(Operation operation, std::string title)
{
    static const Component kComponent =
        *measuredParts({.model = *presetNamed("tiny")}).front().component;
    return {.path = title,
            .title = std::move(title),
            .component = &kComponent,
            .operation = std::move(operation)};
}

Operation dense(int rows)
{
    return {
        .what = FfnSpec(DenseFfn{.dFf = 3072}), .dModel = 768, .sequence = rows, .context = rows};
}

Operation residual(int rows)
{
    return {.what = ResidualOperation{}, .dModel = 768, .sequence = rows, .context = rows};
}

double flopsOf(const Operation& operation)
{
    return toDouble(priced(LensId::exact, costTree(operation).total().count));
}

double bytesOf(const Operation& operation)
{
    return toDouble(bytes(costTree(operation).total().traffic, Precision{}).total());
}

// The reason of `operation`, that takes `seconds`, beside a long product at the peak.
PartShare shareOf(const Operation& operation, double seconds, const MachineRoofs& roofs)
{
    const Operation other = dense(2048);
    const std::vector<MeasuredPart> parts{partOf(other, "other"), partOf(operation, "asked")};
    const double times[]{flopsOf(other) / kPeak, seconds};
    for (const PartShare& share : partShares(parts, times, roofs)) {
        if (share.title == "asked") {
            return share;
        }
    }
    ADD_FAILURE() << "the part is missing";
    return {};
}

TEST(PartShares, OfFlopsAndOfTimeSumToOneAndTheLargestDifferenceComesFirst)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario{.model = preset.make(), .workload = {.sequence = 16}};
        const std::vector<MeasuredPart> parts = measuredParts(scenario);
        std::vector<double> seconds;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            seconds.push_back(1e-3 * static_cast<double>(i % 5 + 1));
        }
        double flops = 0.0;
        double time = 0.0;
        double before = 2.0;
        for (const PartShare& share : partShares(parts, seconds, roofsWith(1e-6))) {
            flops += share.flopShare;
            time += share.timeShare;
            EXPECT_LE(std::abs(share.difference()), before) << preset.id;
            before = std::abs(share.difference());
            EXPECT_NE(share.reason, ShareReason::unmeasured) << preset.id;
            EXPECT_EQ(share.sentence.empty(), share.reason == ShareReason::asCounted) << preset.id;
        }
        EXPECT_NEAR(flops, 1.0, 1e-9) << preset.id;
        EXPECT_NEAR(time, 1.0, 1e-9) << preset.id;
    }
}

TEST(PartShares, APartWithoutATimeComesLastAndTakesNoShare)
{
    const std::vector<MeasuredPart> parts{partOf(dense(2048), "failed"),
                                          partOf(dense(64), "timed")};
    const double seconds[]{0.0, 1.0};
    const std::vector<PartShare> shares = partShares(parts, seconds, roofsWith(0.0));

    ASSERT_EQ(shares.size(), 2U);
    EXPECT_EQ(shares[0].flopShare, 1.0);
    EXPECT_EQ(shares[0].reason, ShareReason::asCounted);
    EXPECT_EQ(shares[1].title, "failed");
    EXPECT_EQ(shares[1].reason, ShareReason::unmeasured);
    EXPECT_EQ(shares[1].timeShare, 0.0);
}

TEST(PartShares, BytesAtTheBandwidthOfTheirLevelAreTheReasonFromHalfOfTheTimeOn)
{
    const Operation large = residual(8192); // beyond the L2
    const double moving = bytesOf(large) / kMemory;

    const PartShare bound = shareOf(large, moving / 0.51, roofsWith(0.0));
    EXPECT_EQ(bound.reason, ShareReason::bandwidth);
    EXPECT_NE(bound.sentence.find("takes 51.0 % of its time, at the "), std::string::npos)
        << bound.sentence;
    EXPECT_NE(bound.sentence.find("of the memory"), std::string::npos) << bound.sentence;
    EXPECT_EQ(shareOf(large, moving / 0.49, roofsWith(0.0)).reason, ShareReason::elementwise);
}

TEST(PartShares, WhatACacheHoldsIsHeldAgainstThatCache)
{
    const Operation small = residual(64);
    ASSERT_LT(bytesOf(small), 1e6);

    // Fifty times as long as the cache needs: at the memory's bandwidth it would be 5 times.
    const PartShare share = shareOf(small, 2e-2, roofsWith(0.0));
    EXPECT_EQ(share.reason, ShareReason::elementwise);
    MachineRoofs slow = roofsWith(0.0);
    slow.levels[0].bytesPerSecond = bytesOf(small) / 1.5e-2;
    EXPECT_EQ(shareOf(small, 2e-2, slow).reason, ShareReason::bandwidth);
}

TEST(PartShares, ColdCachesLeaveTheOperandsToTheMemory)
{
    const Operation small = residual(64);
    const std::vector<MeasuredPart> parts{partOf(small, "asked")};
    const double seconds[]{1.0};

    const double hot = partShares(parts, seconds, roofsWith(0.0)).front().lowerBoundSeconds;
    const double cold =
        partShares(parts, seconds, roofsWith(0.0), {.coldCaches = true}).front().lowerBoundSeconds;
    EXPECT_NEAR(cold, bytesOf(small) / kMemory, 1e-12);
    EXPECT_NEAR(hot, 0.1 * cold, 1e-12);
}

TEST(PartShares, LaunchesComeBeforeBandwidth)
{
    const Operation large = residual(8192);
    const double moving = bytesOf(large) / kMemory;

    EXPECT_EQ(shareOf(large, moving, roofsWith(moving)).reason, ShareReason::launch);
    EXPECT_EQ(shareOf(large, moving, roofsWith(0.1 * moving)).reason, ShareReason::bandwidth);
}

TEST(PartShares, SlowProductsAreSmallShapesBelowTheRowsAndElseBelowThePeak)
{
    const auto few = static_cast<int>(kShareThresholds.fewRows) - 1;
    for (const int rows : {few, few + 1}) {
        const Operation operation = dense(rows);
        const double seconds = 100.0 * flopsOf(operation) / kPeak;
        const PartShare share = shareOf(operation, seconds, roofsWith(0.0));

        EXPECT_EQ(share.reason, rows == few ? ShareReason::smallShapes : ShareReason::products);
        EXPECT_NE(share.sentence.find("1.0 % of the product peak"), std::string::npos)
            << share.sentence;
    }
}

TEST(PartShares, RowsOfExpertsAreTheTokensThatOneOfThemSees)
{
    Operation operation = dense(128);
    operation.what = FfnSpec(MoeFfn{.experts = 8, .perToken = 2});
    const PartShare share = shareOf(operation, 100.0 * flopsOf(operation) / kPeak, roofsWith(0.0));

    EXPECT_EQ(share.reason, ShareReason::smallShapes);
    EXPECT_NE(share.sentence.find("32 rows"), std::string::npos) << share.sentence;
}

TEST(PartShares, TransformsAreNamedWhereMostFlopsAreInsideThem)
{
    Operation operation = dense(256);
    operation.what = FfnSpec(SpectralFfn{.kFreq = 8, .algorithm = SpectralAlgorithm::fft});

    EXPECT_EQ(shareOf(operation, 1.0, roofsWith(0.0)).reason, ShareReason::transforms);
}

TEST(PartShares, WhatTakesLessTimeThanItsFlopsIsFast)
{
    const std::vector<MeasuredPart> parts{partOf(dense(512), "fast"),
                                          partOf(residual(512), "slow")};
    const double seconds[]{flopsOf(dense(512)) / kPeak, 1.0};
    for (const PartShare& share : partShares(parts, seconds, roofsWith(0.0))) {
        EXPECT_EQ(share.reason == ShareReason::fast, share.title == "fast");
        if (share.title == "fast") {
            EXPECT_NE(share.sentence.find("100.0 % of the product peak"), std::string::npos)
                << share.sentence;
        }
    }
}

TEST(PartShares, ADifferenceShowsWhichShareIsLarger)
{
    EXPECT_EQ(differenceText(0.123), "+12.3 %");
    EXPECT_EQ(differenceText(-0.5),
              "\xE2\x88\x92"
              "50.0 %");
    EXPECT_EQ(reasonText(ShareReason::smallShapes), "small shapes");
}

TEST(PartShares, EveryThresholdIsExplained)
{
    const std::string text = shareThresholdsText();

    EXPECT_NE(text.find("less than 1 %"), std::string::npos) << text;
    EXPECT_NE(text.find("at least 50 %"), std::string::npos) << text;
    EXPECT_NE(text.find("64 rows"), std::string::npos) << text;
}

} // namespace
} // namespace flopsmith
