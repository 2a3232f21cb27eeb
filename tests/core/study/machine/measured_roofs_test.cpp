// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/machine/measured_roofs.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(MeasuredRoofs, OfAProgramThatMeasuresLittleAreAProductAndTheMemory)
{
    const PeaksMeasured answer{
        .threads = 4, .flopsPerSecond = 1e11, .bytesPerSecond = 1e10, .sentence = "a product"};
    const MachineRoofs roofs = machineRoofs(answer, "an old box");

    EXPECT_EQ(roofs.peaks(), (Peaks{1e11, 1e10}));
    EXPECT_TRUE(roofs.caches().empty());
    EXPECT_EQ(roofs.levelHolding(1.0)->name, "memory");
    EXPECT_EQ(roofs.launchSeconds, 0.0);
    EXPECT_EQ(roofs.how, "a product");
    EXPECT_EQ(roofs.device, "an old box");
}

TEST(MeasuredRoofs, KeepEveryPrecisionAndLevelOnce)
{
    PeaksMeasured answer{.threads = 2, .flopsPerSecond = 1e11, .bytesPerSecond = 1e10};
    answer.products = {{ComputePrecision::float32, 1e11},
                       {ComputePrecision::tf32, 2e11},
                       {ComputePrecision::bfloat16, 4e11}};
    answer.caches = {{"L1", 48 << 10, 5e11, 1},
                     {"L1", 48 << 10, 1e12, 2},
                     {"L3", 1 << 20, 1e11, 2},
                     {"memory", 1 << 28, 1e10, 2}};
    answer.launchSeconds = 3e-6;
    answer.measuredAt = 12;
    const MachineRoofs cpu = machineRoofs(answer, "this CPU");
    const MachineRoofs gpu = machineRoofs(answer, "a GPU", HardwareKind::gpu);

    ASSERT_EQ(cpu.products.size(), 3U);
    EXPECT_EQ(cpu.products[1].format, NumberFormat::tf32);
    EXPECT_EQ(cpu.products[2].format, NumberFormat::bf16);
    ASSERT_EQ(cpu.levels.size(), 4U);
    EXPECT_EQ(cpu.levels.back().name, "memory");
    EXPECT_EQ(cpu.levels.back().bytes, static_cast<double>(1 << 28));
    EXPECT_EQ(cpu.caches().size(), 2U);
    EXPECT_EQ(cpu.caches()[0].capacity(), 2.0 * (48 << 10)); // every core has its own
    EXPECT_EQ(cpu.caches()[1].capacity(), static_cast<double>(1 << 20));
    EXPECT_EQ(gpu.caches()[0].capacity(), static_cast<double>(48 << 10));
    EXPECT_EQ(cpu.launchSeconds, 3e-6);
    EXPECT_EQ(cpu.measuredAt, 12);
}

TEST(MeasuredRoofs, AnythingButACpuIsAGpu)
{
    EXPECT_EQ(hardwareKindOf({.kind = "cpu"}), HardwareKind::cpu);
    EXPECT_EQ(hardwareKindOf({.kind = "cuda"}), HardwareKind::gpu);
}

} // namespace
} // namespace flopsmith
