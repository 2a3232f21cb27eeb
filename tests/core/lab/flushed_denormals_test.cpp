// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/run/flushed_denormals.h"

#include <gtest/gtest.h>

#include <limits>

namespace flopsmith {
namespace {

// Not folded by the compiler.
float half(float value)
{
    volatile float factor = 0.5F;
    return value * factor;
}

TEST(FlushedDenormals, AreZeroAsLongAsItExistsWhereTheProcessorCan)
{
#if defined(__SSE2__)
    constexpr bool kCan = true;
#else
    constexpr bool kCan = false;
#endif
    volatile float smallest = std::numeric_limits<float>::min();
    volatile float denormal = std::numeric_limits<float>::denorm_min();
    {
        const FlushedDenormals flushed;
        EXPECT_EQ(half(smallest) == 0.0F, kCan);
        EXPECT_EQ(denormal * 1e20F == 0.0F, kCan); // as an operand too
        EXPECT_EQ(half(4.0F), 2.0F);
    }
    EXPECT_GT(half(smallest), 0.0F);
    EXPECT_GT(denormal * 1e20F, 0.0F);
}

} // namespace
} // namespace flopsmith
