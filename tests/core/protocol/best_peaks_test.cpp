// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/measuring/best_peaks.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

PeaksMeasured peaksOf(double flopsPerSecond, double bytesPerSecond)
{
    PeaksMeasured peaks{
        .threads = 2, .flopsPerSecond = flopsPerSecond, .bytesPerSecond = bytesPerSecond};
    peaks.products = {{ComputePrecision::float32, flopsPerSecond}};
    peaks.caches = {{"L1", 4096, 3.0 * bytesPerSecond, 2}, {"memory", 65536, bytesPerSecond, 2}};
    return peaks;
}

TEST(BestPeaks, TakeTheHigherOfEachRate)
{
    PeaksMeasured earlier = peaksOf(200.0, 10.0);
    PeaksMeasured later = peaksOf(100.0, 20.0);
    later.products.push_back({ComputePrecision::bfloat16, 900.0});
    later.measuredAt = 7;

    const PeaksMeasured best = bestOf(earlier, later);

    EXPECT_EQ(best.flopsPerSecond, 200.0);
    EXPECT_EQ(best.bytesPerSecond, 20.0);
    ASSERT_EQ(best.products.size(), 2U);
    EXPECT_EQ(best.products[0].flopsPerSecond, 200.0);
    EXPECT_EQ(best.products[1].flopsPerSecond, 900.0);
    EXPECT_EQ(best.caches, later.caches);
    EXPECT_EQ(best.measuredAt, 7);
}

TEST(BestPeaks, TakeOverWhatOnlyOneHas)
{
    PeaksMeasured earlier = peaksOf(1.0, 1.0);
    earlier.products.push_back({ComputePrecision::tf32, 8.0});
    earlier.caches.push_back({"L1", 4096, 5.0, 1}); // of one thread

    const PeaksMeasured best = bestOf(earlier, peaksOf(1.0, 1.0));

    EXPECT_EQ(best.products.size(), 2U);
    EXPECT_EQ(best.caches.size(), 3U);
}

TEST(BestPeaks, TakeTheShorterLaunchThatIsKnown)
{
    PeaksMeasured unknown = peaksOf(1.0, 1.0);
    PeaksMeasured brief = unknown;
    brief.launchSeconds = 2e-6;
    PeaksMeasured longer = unknown;
    longer.launchSeconds = 3e-6;

    EXPECT_EQ(bestOf(unknown, longer).launchSeconds, 3e-6);
    EXPECT_EQ(bestOf(longer, unknown).launchSeconds, 3e-6);
    EXPECT_EQ(bestOf(brief, longer).launchSeconds, 2e-6);
    EXPECT_EQ(bestOf(longer, brief).launchSeconds, 2e-6);
}

TEST(BestPeaks, AreUndisturbedIfOneOfThemWas)
{
    PeaksMeasured disturbed = peaksOf(1.0, 1.0);
    disturbed.lostShare = 0.6;
    const PeaksMeasured quiet = peaksOf(1.0, 1.0);

    EXPECT_EQ(bestOf(disturbed, quiet).lostShare, 0.0);
    EXPECT_EQ(bestOf(quiet, disturbed).lostShare, 0.0);
    EXPECT_EQ(bestOf(disturbed, disturbed).lostShare, 0.6);
}

TEST(BestPeaks, OfOneMeasurementTwiceAreItself)
{
    const PeaksMeasured peaks = peaksOf(3.0, 4.0);

    EXPECT_EQ(bestOf(peaks, peaks), peaks);
}

} // namespace
} // namespace flopsmith
