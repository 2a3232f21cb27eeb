// SPDX-License-Identifier: GPL-3.0-or-later
// The emulation itself: it must show what it is there to show.
#include "core/kernels/cuda/device/failure.h"
#include "core/kernels/cuda/device/fft_plan.h"
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/weights.h"
#include "tests/core/kernels/cuda/device_under_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith::cuda {
namespace {

using testing::Each;
using testing::HasSubstr;

class CudaOnHost : public testing::Test
{
protected:
    ~CudaOnHost() override
    {
        cuda_on_host::setDeviceMemory(cuda_on_host::kUsualMemory);
        cuda_on_host::setDeviceState(cudaSuccess);
    }
};

void numberThreads(int* to)
{
    int* shared = sharedMemory<int>();
    const int mine = static_cast<int>(threadIdx.x);
    shared[mine] = mine;
    __syncthreads();
    const int other = static_cast<int>(blockDim.x) - 1 - mine; // written by another fiber
    to[blockIdx.x * blockDim.x + threadIdx.x] = shared[other];
}

TEST_F(CudaOnHost, ABarrierWaitsForAllThreadsOfTheBlock)
{
    const auto device = openDevice();
    for (const auto order : {cuda_on_host::Order::ascending, cuda_on_host::Order::descending}) {
        cuda_on_host::runThreadsIn(order);
        const DeviceBuffer<int> to(device->memory(), 3 * 96);
        launch(*device, 3, 96, 96 * sizeof(int), &numberThreads, to.data());
        for (int i = 0; i < 3 * 96; ++i) {
            EXPECT_EQ(to.data()[i], 95 - i % 96);
        }
    }
    cuda_on_host::runThreadsIn(cuda_on_host::Order::ascending);
}

void sumThreads(float* to)
{
    const auto value = [](Index i) { return static_cast<float>(i); };
    const Index end = blockDim.x;
    to[threadIdx.x] = sumOverBlock(0, end, value) + 1000.0F * maxOverBlock(0, end, value);
}

TEST_F(CudaOnHost, ShufflesAddUpOverTheBlock)
{
    const auto device = openDevice();
    for (const int threads : {32, 96, 256}) {
        const DeviceBuffer<float> to(device->memory(), static_cast<std::size_t>(threads));
        launch(*device, 1, static_cast<unsigned>(threads), 0, &sumThreads, to.data());
        const int sum = threads * (threads - 1) / 2 + 1000 * (threads - 1);
        EXPECT_THAT(std::vector<float>(to.data(), to.data() + threads),
                    Each(static_cast<float>(sum)));
    }
}

void vote(unsigned* to)
{
    const int even = threadIdx.x % 2 == 0 ? 1 : 0;
    to[threadIdx.x] =
        __ballot_sync(kAllLanes, even) + static_cast<unsigned>(__syncthreads_count(even));
}

TEST_F(CudaOnHost, VotesCountLanesAndThreads)
{
    const auto device = openDevice();
    const DeviceBuffer<unsigned> to(device->memory(), 64);
    launch(*device, 1, 64, 0, &vote, to.data());
    EXPECT_THAT(std::vector<unsigned>(to.data(), to.data() + 64), Each(0x55555555U + 32U));
}

void leaveEarly(int* to)
{
    if (threadIdx.x == 3) {
        return;
    }
    __syncthreads();
    to[0] = 1;
}

void writeBeyond(int* to)
{
    to[1024] = 1;
}

TEST_F(CudaOnHost, AddsUpColumnsOfManyRows)
{
    const auto device = openDevice();
    for (const std::int64_t rows : {1, 63, 64, 1000, 65535 * 64 + 1}) {
        for (const std::int64_t columns : {1, 5, 130}) {
            if (rows * columns > 5'000'000) {
                continue;
            }
            const auto values =
                randomActivations<float>(static_cast<std::size_t>(rows * columns), 4);
            std::vector<double> expected(static_cast<std::size_t>(columns), 1.0);
            for (std::size_t i = 0; i < values.size(); ++i) {
                expected[i % expected.size()] += values[i];
            }
            const DeviceBuffer<float> from(device->memory(), values);
            const DeviceBuffer<float> sums(device->memory(),
                                           std::vector<float>(expected.size(), 1));
            const DeviceBuffer<float> partial(
                device->memory(), static_cast<std::size_t>(sumParts(rows, columns) * columns));
            const auto value = [&](std::int64_t row, std::int64_t column) {
                return from.data()[row * columns + column];
            };
            sumColumns(
                *device, rows, columns, value, partial.data(), Into::accumulate, sums.data());
            const std::vector<float> found(sums.data(), sums.data() + sums.size());
            EXPECT_TRUE(compare(found, expected, static_cast<double>(rows)).agrees);
        }
    }
}

using CudaOnHostDeathTest = CudaOnHost;

TEST_F(CudaOnHostDeathTest, AThreadThatLeavesBeforeABarrierIsFound)
{
    const auto device = openDevice();
    const DeviceBuffer<int> to(device->memory(), 1024);
    EXPECT_DEATH(launch(*device, 1, 64, 0, &leaveEarly, to.data()), "never come");
}

TEST_F(CudaOnHostDeathTest, AGridThatNoDeviceTakesIsFound)
{
    const auto device = openDevice();
    const DeviceBuffer<int> to(device->memory(), 64);
    EXPECT_DEATH(launch(*device, dim3(1, 65536), 64, 64 * sizeof(int), &numberThreads, to.data()),
                 "more blocks");
}

TEST_F(CudaOnHostDeathTest, WritingBeyondAnAllocationIsFound)
{
    const auto device = openDevice();
    const DeviceBuffer<int> to(device->memory(), 1024);
    EXPECT_DEATH(launch(*device, 1, 1, 0, &writeBeyond, to.data()), "");
}

TEST_F(CudaOnHostDeathTest, APointerOfTheHostIsFound)
{
    const auto device = openDevice();
    int onHost = 0;
    EXPECT_DEATH(launch(*device, 1, 1, 0, &numberThreads, &onHost), "not the device's");
}

TEST_F(CudaOnHost, ADeviceThatIsNotThereHasAReason)
{
    for (const cudaError_t state : {cudaErrorInsufficientDriver, cudaErrorNoDevice}) {
        cuda_on_host::setDeviceState(state);
        const Result<DeviceFacts> facts = deviceFacts();
        ASSERT_FALSE(facts);
        EXPECT_THAT(facts.error().message,
                    HasSubstr(state == cudaErrorNoDevice ? "no GPU" : "driver"));
        EXPECT_FALSE(Device::open(ProductPrecision::float32));
    }
}

TEST_F(CudaOnHost, ADeviceWithoutRoomForItsLibrariesHasAReason)
{
    cuda_on_host::setDeviceMemory(std::size_t{70} << 20);
    const Result<std::unique_ptr<Device>> device = Device::open(ProductPrecision::float32);
    ASSERT_FALSE(device);
    EXPECT_THAT(device.error().message, HasSubstr("more are needed"));
}

TEST_F(CudaOnHost, ATransformThatFindsNoRoomHasAReason)
{
    cuda_on_host::setDeviceMemory(std::size_t{512} << 20);
    const auto device = openDevice();
    EXPECT_THROW(FftPlan(*device, FftKind::realRows, 8, std::int64_t{1} << 24), DeviceOutOfMemory);
}

} // namespace
} // namespace flopsmith::cuda
