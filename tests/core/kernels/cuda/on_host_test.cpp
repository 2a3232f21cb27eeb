// SPDX-License-Identifier: GPL-3.0-or-later
// The emulation itself: it must show what it is there to show.
#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/device/fft_plan.h"
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
    const auto value = static_cast<float>(threadIdx.x);
    to[threadIdx.x] = sumOverBlock(value) + 1000.0F * maxOverBlock(value, -1.0F);
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

struct CountVisits
{
    std::int64_t columns;
    int* visits;

    template <int N>
    void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            ++visits[row * columns + column + i];
        }
    }
};

// As a matrix of more than 2³¹ elements, or a row of them, is.
TEST_F(CudaOnHost, ElementsBeyondOneLaunchAreVisitedOnce)
{
    const auto device = openDevice();
    constexpr std::int64_t kRows = 3;
    for (const std::int64_t columns : {1, 5, 8, 28}) {
        for (const std::int64_t most : {1, 2, 5, 11, 1000}) {
            const std::vector<int> none(static_cast<std::size_t>(kRows * columns));
            const DeviceBuffer<int> visits(device->memory(), none);
            forEachElement(*device, kRows, columns, CountVisits{columns, visits.data()}, most);
            EXPECT_THAT(std::vector<int>(visits.data(), visits.data() + visits.size()), Each(1))
                << columns << " columns, at most " << most;
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

TEST_F(CudaOnHost, TransformsOutliveAPlanThatFindsNoRoom)
{
    cuda_on_host::setDeviceMemory(std::size_t{512} << 20);
    const auto device = openDevice();
    FftPlans plans(*device);
    const FftPlan& small = plans.plan(realRows(3, 8));
    EXPECT_ANY_THROW(plans.plan(realRows(std::int64_t{1} << 24, 8)));

    DeviceBuffer<float> x(device->memory(), std::vector<float>(24, 1.0F));
    DeviceBuffer<cufftComplex> spectrum(device->memory(), 15);
    small.toComplex(x.data(), spectrum.data());
    std::vector<float> bins(30); // pairs of a real and an imaginary part
    copyToHost(*device, {reinterpret_cast<const float*>(spectrum.data()), 30}, bins.data());
    EXPECT_FLOAT_EQ(bins[10], 8.0F); // of the second row
}

} // namespace
} // namespace flopsmith::cuda
