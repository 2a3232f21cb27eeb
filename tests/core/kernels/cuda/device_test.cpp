// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/device/device.h"

#include "core/base/random.h"
#include "core/kernels/cuda/device/fft_plan.h"
#include "core/kernels/cuda/gemm/product.h"
#include "core/kernels/cuda/peaks.h"
#include "core/kernels/weights.h"
#include "tests/core/kernels/cuda/device_under_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace flopsmith::cuda {
namespace {

class CudaDevice : public OnDevice
{};

std::vector<float> onHost(const Device& device, const DeviceBuffer<float>& values)
{
    std::vector<float> copy(values.size());
    copyToHost(device, values.data(), copy);
    return copy;
}

TEST_F(CudaDevice, SaysWhatItIs)
{
    const auto device = openDevice();
    const DeviceFacts& facts = device->facts();
    EXPECT_FALSE(facts.name.empty());
    EXPECT_GE(facts.multiprocessors, 1);
    EXPECT_GE(facts.sharedBytesPerBlock, std::size_t{48} << 10);
    EXPECT_THAT(facts.runtime, testing::MatchesRegex("[0-9]+[.][0-9]+"));
}

TEST_F(CudaDevice, RefusesWhatDoesNotFitWithBothSizes)
{
    const auto device = openDevice();
    const std::size_t before = device->memory().bytes();
    try {
        const DeviceBuffer<std::byte> buffer(device->memory(), 2 * device->facts().memoryBytes);
        FAIL() << "twice the memory was allocated";
    } catch (const std::bad_alloc& shortage) {
        EXPECT_THAT(shortage.what(), testing::HasSubstr("more are needed"));
        EXPECT_THAT(shortage.what(), testing::HasSubstr("free"));
    }
    EXPECT_EQ(device->memory().bytes(), before);
}

TEST_F(CudaDevice, CountsWhatIsAllocated)
{
    const auto device = openDevice();
    const std::size_t before = device->memory().bytes();
    {
        DeviceBuffer<float> first(device->memory(), 100);
        DeviceBuffer<float> second(std::move(first));
        EXPECT_EQ(device->memory().bytes(), before + 400);
        second = DeviceBuffer<float>(device->memory(), 10);
        EXPECT_EQ(device->memory().bytes(), before + 40);
    }
    EXPECT_EQ(device->memory().bytes(), before);
    EXPECT_GE(device->memory().maxBytes(), before + 440);
}

// Each of [rows, inner]·[inner, columns], however the operands are stored, added to what is there.
TEST_F(CudaDevice, MultipliesHoweverOperandsAreStored)
{
    const auto device = openDevice();
    constexpr std::int64_t kBatch = 3;
    for (const auto& size : {ProductSize{1, 1, 1}, ProductSize{3, 5, 7}, ProductSize{17, 2, 33}}) {
        const auto count = [](std::int64_t a, std::int64_t b) {
            return static_cast<std::size_t>(kBatch * a * b);
        };
        const auto a = randomActivations<float>(count(size.rows, size.inner), 1);
        const auto b = randomActivations<float>(count(size.inner, size.columns), 2);
        const auto c = randomActivations<float>(count(size.rows, size.columns), 3);
        const DeviceBuffer<float> onA(device->memory(), a);
        const DeviceBuffer<float> onB(device->memory(), b);
        for (const Stored aStored : {Stored::straight, Stored::transposed}) {
            for (const Stored bStored : {Stored::straight, Stored::transposed}) {
                const std::int64_t aStride = aStored == Stored::straight ? size.inner : size.rows;
                const std::int64_t bStride =
                    bStored == Stored::straight ? size.columns : size.inner;
                const DeviceBuffer<float> onC(device->memory(), c);
                const Operand left{onA.data(), aStride, {}, aStored, size.rows * size.inner};
                const Operand right{onB.data(), bStride, {}, bStored, size.inner * size.columns};
                Operand to = operandAt(onC.data(), size.columns);
                to.step = size.rows * size.columns;
                multiply(*device, size, left, right, to, {kBatch, Into::accumulate, 0.5F});
                std::vector<double> expected;
                for (std::int64_t n = 0; n < kBatch; ++n) {
                    for (std::int64_t i = 0; i < size.rows; ++i) {
                        for (std::int64_t j = 0; j < size.columns; ++j) {
                            double sum = 0.0;
                            for (std::int64_t k = 0; k < size.inner; ++k) {
                                const std::int64_t atA =
                                    aStored == Stored::straight ? i * aStride + k : k * aStride + i;
                                const std::int64_t atB =
                                    bStored == Stored::straight ? k * bStride + j : j * bStride + k;
                                sum += 1.0
                                    * a[static_cast<std::size_t>(n * size.rows * size.inner + atA)]
                                    * b[static_cast<std::size_t>(n * size.inner * size.columns
                                                                 + atB)];
                            }
                            expected.push_back(0.5 * sum + c[expected.size()]);
                        }
                    }
                }
                const Agreement agreement =
                    compare(onHost(*device, onC), expected, static_cast<double>(size.inner) + 1.0);
                EXPECT_TRUE(agreement.agrees) << agreement.largestError;
            }
        }
    }
}

TEST_F(CudaDevice, AnEmptySumOverwritesWithZeros)
{
    const auto device = openDevice();
    const DeviceBuffer<float> c(device->memory(), std::vector<float>(12, 1.0F));
    multiply(
        *device, {2, 0, 3}, operandAt(nullptr, 0), operandAt(nullptr, 3), operandAt(c.data(), 4));
    EXPECT_THAT(onHost(*device, c), testing::ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1));
}

TEST_F(CudaDevice, TransformsThereAndBack)
{
    const auto device = openDevice();
    for (const std::int64_t length : {1, 2, 7, 16, 97}) {
        constexpr std::int64_t kRows = 3;
        const auto x = randomActivations<float>(static_cast<std::size_t>(kRows * length), 5);
        const DeviceBuffer<float> from(device->memory(), x);
        const DeviceBuffer<float> back(device->memory(), x.size());
        const DeviceBuffer<cufftComplex> bins(device->memory(),
                                              static_cast<std::size_t>(kRows * (length / 2 + 1)));
        const FftPlan toBins(*device, FftKind::realRows, length, kRows);
        const FftPlan toRows(*device, FftKind::binsToRealRows, length, kRows);
        toBins.toBins(from.data(), bins.data());
        toRows.toRows(bins.data(), back.data());
        std::vector<double> expected;
        for (const float value : x) {
            expected.push_back(static_cast<double>(length) * value);
        }
        EXPECT_TRUE(compare(onHost(*device, back), expected, static_cast<double>(length)).agrees);
    }
}

TEST_F(CudaDevice, AGraphRepeatsWhatWasEnqueuedAndNothingBefore)
{
    const auto device = openDevice();
    const DeviceBuffer<float> values(device->memory(), std::vector<float>(4, 1.0F));
    const DeviceBuffer<float> more(device->memory(), std::vector<float>(4, 2.0F));
    const Graph graph(*device, [&] {
        multiply(*device,
                 {1, 1, 4},
                 operandAt(more.data(), 1),
                 operandAt(more.data(), 4),
                 operandAt(values.data(), 4),
                 {1, Into::accumulate});
    });
    EXPECT_THAT(onHost(*device, values), testing::Each(1.0F));
    graph.launch();
    graph.launch();
    EXPECT_THAT(onHost(*device, values), testing::Each(9.0F));
}

TEST_F(CudaDevice, PeaksCountWhatTheyDo)
{
    for (const ProductPrecision precision : kPrecisions) {
        const auto device = openDevice(precision);
        const Result<PeakKernel> product = prepareProductPeak(*device, 16);
        ASSERT_TRUE(product);
        EXPECT_EQ(product->amount, Count{2 * 16 * 16 * 16});
        product->kernel->run();
        device->wait();
    }
    const auto device = openDevice();
    const Result<PeakKernel> copy = prepareCopyPeak(*device, 4096);
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->amount, Count{8192});
    copy->kernel->run();
    const Result<PeakKernel> cache = prepareCachePeak(*device, 65536);
    ASSERT_TRUE(cache);
    EXPECT_EQ(cache->amount % 65536, Count{0});
    cache->kernel->run();
    const Result<PeakKernel> launch = prepareLaunch(*device);
    ASSERT_TRUE(launch);
    launch->kernel->run();
    device->wait();
}

} // namespace
} // namespace flopsmith::cuda
