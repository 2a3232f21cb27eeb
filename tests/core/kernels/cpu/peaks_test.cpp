// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/peaks.h"

#include "core/kernels/cpu/cache_flush.h"
#include "core/kernels/cpu/fft/fft_plan.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/libraries.h"
#include "tests/core/kernels/cpu/bfloat16_cases.h"
#include "tests/core/kernels/cpu/cases.h"

#include <gtest/gtest.h>

namespace flopsmith::cpu {
namespace {

TEST(ProductPeaks, AreTheSameProductByWhateverMultiplies)
{
    for (const int n : {1, 33, 100}) {
        const auto one = std::move(prepareProductPeaks(n, {1})).value();
        const auto two = std::move(prepareProductPeaks(n, {2})).value();
        ASSERT_EQ(one.size(), 2U);
        for (const auto* peaks : {&one, &two}) {
            for (const PeakKernel& peak : *peaks) {
                peak.kernel->run();
                EXPECT_EQ(peak.amount, Count{2} * n * n * n);
                for (std::size_t i = 0; i < peak.kernel->output().size(); ++i) {
                    EXPECT_NEAR(peak.kernel->output()[i], one[0].kernel->output()[i], 1e-4);
                }
            }
        }
    }
}

TEST(ProductPeak, MultipliesTheSameWhereverOperandsAreRounded)
{
    const test::Bfloat16Anywhere bfloat16;
    for (const int n : {1, 70, 600}) {
        for (const int threads : {1, 2}) {
            const auto peaks =
                std::move(prepareProductPeaks(n, {threads}, Precision::bfloat16)).value();
            ASSERT_EQ(peaks.size(), 2U);
            peaks[0].kernel->run();
            peaks[1].kernel->run();
            for (std::size_t i = 0; i < peaks[0].kernel->output().size(); ++i) {
                ASSERT_NEAR(peaks[1].kernel->output()[i], peaks[0].kernel->output()[i], 1e-3);
            }
        }
    }
}

TEST(CopyPeak, CountsWhatIsReadAndWhatIsWritten)
{
    const auto peak = std::move(prepareCopyPeak(1 << 20, {2})).value();
    peak.kernel->run();

    EXPECT_EQ(peak.amount, Count{2} << 20);
    EXPECT_EQ(peak.kernel->output().size(), std::size_t{1} << 18);
}

TEST(CopyPeak, SaysSoWhenMemoryIsShort)
{
    if (kSanitized) {
        GTEST_SKIP() << "sanitizers stop the program instead";
    }
    const auto peak = prepareCopyPeak(std::size_t{1} << 60, {1});

    ASSERT_FALSE(peak);
    EXPECT_NE(peak.error().message.find("memory"), std::string::npos);
}

TEST(CopyPeaks, OfSeveralThreadCountsShareOneMemory)
{
    const auto peaks = std::move(prepareCopyPeaks(1 << 16, {Threads{1}, Threads{2}})).value();

    ASSERT_EQ(peaks.size(), 2U);
    EXPECT_EQ(peaks[0].kernel->output().data(), peaks[1].kernel->output().data());
    EXPECT_EQ(peaks[0].amount, peaks[1].amount);
}

TEST(CachePeak, CountsWhatEveryThreadReadsAndWrites)
{
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{5000}, std::size_t{1} << 16}) {
        const auto one = std::move(prepareCachePeak(bytes, {1})).value();
        const auto three = std::move(prepareCachePeak(bytes, {3})).value();
        three.kernel->run();

        EXPECT_EQ(three.amount, 3 * one.amount);
        EXPECT_GE(one.amount, Count{15} << 20);
        EXPECT_EQ(three.kernel->output().size(), 3 * one.kernel->output().size());
        for (const float value : three.kernel->output()) {
            ASSERT_EQ(value, 1.0F);
        }
    }
}

TEST(CachePeak, KeepsWithinItsWorkingSet)
{
    const auto peak = std::move(prepareCachePeak(24 << 10, {1})).value();

    EXPECT_EQ(peak.kernel->output().size_bytes(), std::size_t{24} << 10);
}

TEST(Launch, WakesEveryThreadOnce)
{
    const auto launch = std::move(prepareLaunch({3})).value();
    launch.kernel->run();
    launch.kernel->run();

    EXPECT_EQ(launch.amount, 1);
    const std::span<const float> woken = launch.kernel->output();
    for (std::size_t thread = 0; thread < 3; ++thread) {
        EXPECT_EQ(woken[thread * woken.size() / 3], 2.0F);
    }
}

TEST(CacheFlush, WritesEveryByteOnEachRun)
{
    for (const int threads : {1, 2, 3}) {
        const auto flush = std::move(prepareCacheFlush(100'000, {threads})).value();
        flush->run();
        flush->run();

        ASSERT_GE(flush->output().size_bytes(), 100'000U);
        for (const float value : flush->output()) {
            ASSERT_EQ(value, 3.0F); // 0 + 1 + 2
        }
    }
}

TEST(CacheFlush, CoversTwiceTheLargerOfSharedAndPrivateLevels)
{
    constexpr std::size_t kMiB = std::size_t{1} << 20;

    EXPECT_EQ(flushBytes(2 * kMiB, 105 * kMiB, {8}), 210 * kMiB);
    EXPECT_EQ(flushBytes(2 * kMiB, 105 * kMiB, {64}), 256 * kMiB);
    EXPECT_EQ(flushBytes(0, 0, {2}), 64 * kMiB);
}

TEST(LibraryVersions, NameWhatComputesAndNothingElse)
{
    const auto versions = libraryVersions();

    ASSERT_EQ(versions.size(), 3U);
    EXPECT_EQ(versions[0], productLibrary());
    EXPECT_TRUE(versions[0].name == "oneDNN" || versions[0].name == "Eigen") << versions[0].name;
    EXPECT_EQ(versions[1].name, "FFTW");
    EXPECT_EQ(versions[2].name, "vectors");
    for (const LibraryVersion& library : versions) {
        EXPECT_FALSE(library.version.empty()) << library.name;
    }
}

TEST(LibraryWarning, NamesTheRegistersThatASettingLeavesUnused)
{
    const std::vector<std::string> wide{"sse4_2", "avx2", "avx512f"};
    const std::vector<std::string> narrow{"sse4_2", "avx2"};

    EXPECT_NE(libraryWarning("AVX2", 256, wide).find("without AVX-512"), std::string::npos);
    EXPECT_NE(libraryWarning("SSE41", 128, narrow).find("without AVX2"), std::string::npos);
    EXPECT_EQ(libraryWarning("AVX2", 256, narrow), "");
    EXPECT_EQ(libraryWarning("ALL", 512, wide), "");
    EXPECT_EQ(libraryWarning("", 256, wide), ""); // an old library, not a setting
    EXPECT_EQ(libraryWarning("ALL", 512, {"asimd"}), "");
}

TEST(FftwPlanOperations, AreProportionalToTheBatchAndNearTheNominalFigure)
{
    const auto flops = [](int length, int batch) {
        const FftOperations o = fftwPlanOperations(length, batch).value();
        return o.adds + o.muls + 2 * o.fusedMultiplyAdds;
    };
    const double nominal = 2.5 * 256 * 8; // 2.5·n·log2(n)

    EXPECT_EQ(flops(256, 4), 4 * flops(256, 1));
    EXPECT_GT(flops(256, 1), 0.5 * nominal);
    EXPECT_LT(flops(256, 1), 1.5 * nominal);
}

TEST(AdditionPeak, AddsUpItsOnesOnEveryThread)
{
    const auto peak = std::move(prepareAdditionPeak(std::size_t{16} << 10, {2})).value();

    peak.kernel->run();

    ASSERT_EQ(peak.kernel->output().size(), 2U);
    float sum = 0.0F;
    for (const float each : peak.kernel->output()) {
        sum += each;
    }
    EXPECT_EQ(static_cast<double>(sum), toDouble(peak.amount));
}

} // namespace
} // namespace flopsmith::cpu
