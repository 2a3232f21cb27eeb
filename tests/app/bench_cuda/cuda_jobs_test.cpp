// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench_cuda/jobs/jobs.h"
#include "app/bench_cuda/jobs/timers.h"
#include "core/ffn/dense.h"
#include "core/kernels/cuda/device/timing.h"
#include "core/model/operation.h"
#include "tests/support/cuda_on_host/runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// The jobs of flopsmith-bench-cuda on the emulation of a GPU, whose clock moves by a millisecond
// with every kernel.
namespace flopsmith::bench {
namespace {

using testing::HasSubstr;

class CudaJobs : public testing::Test
{
protected:
    ~CudaJobs() override
    {
        cuda_on_host::setDeviceMemory(cuda_on_host::kUsualMemory);
        cuda_on_host::setDeviceState(cudaSuccess);
    }

    static MeasureRequest request(const FfnSpec& ffn)
    {
        return {.id = 7,
                .operation = {.what = ffn, .dModel = 16, .sequence = 5, .context = 5},
                .budgetSeconds = 0.01};
    }

    static Answer measured(const MeasureRequest& request)
    {
        return cudaMeasured(request, {}, {}, [] { return std::nullopt; });
    }
};

TEST_F(CudaJobs, DescribeTheDeviceOrWhyThereIsNone)
{
    const Answer answer = cudaDescribed({.id = 3});
    const auto* described = std::get_if<Described>(&answer);
    ASSERT_NE(described, nullptr);
    EXPECT_EQ(described->id, 3);
    EXPECT_EQ(described->kind, "cuda");
    EXPECT_THAT(described->device, HasSubstr("multiprocessors"));
    EXPECT_EQ(described->libraries.size(), 4U);

    cuda_on_host::setDeviceState(cudaErrorInsufficientDriver);
    for (const Answer& without : {cudaDescribed({.id = 4}),
                                  measured(request(DenseFfn{.dFf = 24})),
                                  cudaPeaks({.id = 5}, {})}) {
        const auto* failure = std::get_if<Failure>(&without);
        ASSERT_NE(failure, nullptr);
        EXPECT_EQ(failure->code, FailureCode::failed);
        EXPECT_THAT(failure->sentence, HasSubstr("driver"));
    }
}

TEST_F(CudaJobs, CheckAndTimeInEveryPrecisionAndCacheState)
{
    for (const ComputePrecision precision :
         {ComputePrecision::float32, ComputePrecision::tf32, ComputePrecision::bfloat16}) {
        for (const CacheState cache : {CacheState::hot, CacheState::cold}) {
            for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
                MeasureRequest asked = request(DenseFfn{.dFf = 24});
                asked.precision = precision;
                asked.cache = cache;
                asked.operation.pass = pass;
                const Answer answer = measured(asked);
                if (const auto* failure = std::get_if<Failure>(&answer)) {
                    FAIL() << failure->sentence;
                }
                const Measured& found = std::get<Measured>(answer);
                EXPECT_EQ(found.precision, precision);
                EXPECT_EQ(found.cache, cache);
                EXPECT_GT(found.medianSeconds, 0.0);
                EXPECT_GT(found.check.compared, 0);
                EXPECT_LE(found.check.relativeError, found.check.tolerance);
                EXPECT_EQ(found.runsPerSample == 1 || cache == CacheState::hot, true);
            }
        }
    }
}

TEST_F(CudaJobs, SayThatTheDeviceHasTooLittleMemory)
{
    cuda_on_host::setDeviceMemory(std::size_t{110} << 20);
    MeasureRequest large = request(DenseFfn{.dFf = 4096});
    large.operation.dModel = 1024;
    const Answer answer = measured(large);
    const auto* failure = std::get_if<Failure>(&answer);
    ASSERT_NE(failure, nullptr);
    EXPECT_EQ(failure->code, FailureCode::memory);
    EXPECT_THAT(failure->sentence, HasSubstr("more are needed"));
}

TEST_F(CudaJobs, TimeRunsByTheDevicesClock)
{
    const auto device = std::move(cuda::Device::open(cuda::ProductPrecision::float32)).value();
    const cuda::DeviceBuffer<float> values(device->memory(), 8);
    const auto run = [&] { // three pieces of work
        for (int i = 0; i < 3; ++i) {
            cuda::check(cudaMemsetAsync(values.data(), 0, values.bytes(), device->stream()),
                        "test");
        }
    };
    for (const auto& timer : {hotTimer(*device), coldTimer(*device), launchTimer(*device)}) {
        for (const int runs : {1, 5, 32, 71}) {
            EXPECT_NEAR(timer(run, runs), 3e-3 * runs, 1e-6) << runs;
        }
    }
}

} // namespace
} // namespace flopsmith::bench
