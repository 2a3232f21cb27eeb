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

TEST(FlushedDenormals, AreZeroAsLongAsItExists)
{
#if defined(__SSE2__)
    volatile float smallest = std::numeric_limits<float>::min();
    volatile float denormal = std::numeric_limits<float>::denorm_min();
    {
        const FlushedDenormals flushed;
        EXPECT_EQ(half(smallest), 0.0F);
        EXPECT_EQ(denormal * 1e20F, 0.0F); // as an operand too
        EXPECT_EQ(half(4.0F), 2.0F);
    }
    EXPECT_GT(half(smallest), 0.0F);
    EXPECT_GT(denormal * 1e20F, 0.0F);
#else
    GTEST_SKIP() << "this processor keeps denormal numbers";
#endif
}

} // namespace
} // namespace flopsmith
