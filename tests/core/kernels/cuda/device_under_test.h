// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/check.h"
#include "core/kernels/cuda/device/device.h"
#include "core/kernels/cuda/device/timing.h"
#include "core/kernels/kernel.h"

#ifdef FLOPSMITH_CUDA_ON_HOST
#include "tests/support/cuda_on_host/block.h"
#endif

#include <gtest/gtest.h>

#include <string>
#include <vector>

// What the tests of the CUDA back end share. They run on a GPU or on the emulation of one.
namespace flopsmith::cuda {

/// Products of float32 in full, of tf32 and of bfloat16.
inline constexpr ProductPrecision kPrecisions[]{ProductPrecision::float32,
                                                ProductPrecision::tf32,
                                                ProductPrecision::bfloat16};

/// The unit roundoff of operands; see compare().
inline double operandRounding(ProductPrecision precision)
{
    switch (precision) {
    case ProductPrecision::float32: return 0.0;
    case ProductPrecision::tf32: return 1.0 / 2048.0;
    case ProductPrecision::bfloat16: return 1.0 / 512.0;
    }
    return 0.0;
}

inline std::string nameOf(ProductPrecision precision)
{
    switch (precision) {
    case ProductPrecision::float32: return "float32";
    case ProductPrecision::tf32: return "tf32";
    case ProductPrecision::bfloat16: return "bfloat16";
    }
    return {};
}

/// Skips every test of its suite, with the reason, where there is no device.
class OnDevice : public testing::Test
{
protected:
    void SetUp() override
    {
        if (const Result<DeviceFacts> facts = deviceFacts(); !facts) {
            GTEST_SKIP() << facts.error().message;
        }
    }
};

/// The same with a parameter.
template <class Parameter>
class OnDeviceWith
    : public OnDevice
    , public testing::WithParamInterface<Parameter>
{};

inline std::unique_ptr<Device> openDevice(ProductPrecision precision = ProductPrecision::float32)
{
    return std::move(Device::open(precision)).value();
}

inline std::vector<float> outputOf(Kernel& kernel)
{
    kernel.run();
    const auto y = kernel.output();
    return {y.begin(), y.end()};
}

/// Fails unless a second run, and a graph of a third, give the same bits; on the emulation also one
/// whose threads go on in the opposite order.
inline void expectRepeats(Kernel& kernel, const Device& device, const std::vector<float>& first)
{
    EXPECT_EQ(outputOf(kernel), first) << "the second run differs";
    const Graph graph(device, [&] { kernel.run(); });
    graph.launch();
    const auto y = kernel.output();
    EXPECT_EQ(std::vector<float>(y.begin(), y.end()), first) << "the graph's run differs";
#ifdef FLOPSMITH_CUDA_ON_HOST
    cuda_on_host::runThreadsIn(cuda_on_host::Order::descending);
    EXPECT_EQ(outputOf(kernel), first) << "the order of the threads shows";
    cuda_on_host::runThreadsIn(cuda_on_host::Order::ascending);
#endif
}

} // namespace flopsmith::cuda
