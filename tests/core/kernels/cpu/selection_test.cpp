// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/selection.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace flopsmith::cpu {
namespace {

// By sorting: the k largest, the lower index first among equals.
std::vector<std::int32_t> sortedMask(const std::vector<float>& values, int k)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(values[a]) > std::abs(values[b]);
    });
    std::vector<std::int32_t> mask(values.size());
    for (int i = 0; i < k; ++i) {
        mask[order[static_cast<std::size_t>(i)]] = -1;
    }
    return mask;
}

std::vector<std::int32_t> mask(const std::vector<float>& values, int k)
{
    std::vector<std::int32_t> chosen(values.size(), 7);
    maskLargest(values.data(), static_cast<int>(values.size()), k, chosen.data());
    return chosen;
}

TEST(MaskLargest, ChoosesAsSortingDoes)
{
    Random random(1);
    for (const int n : {1, 2, 15, 16, 17, 100}) {
        for (int k = 1; k <= n; ++k) {
            std::vector<float> different;
            std::vector<float> equal;
            for (int i = 0; i < n; ++i) {
                different.push_back(static_cast<float>(random.normal()));
                equal.push_back(static_cast<float>(random.integer(-2, 2)));
            }
            EXPECT_EQ(mask(different, k), sortedMask(different, k));
            EXPECT_EQ(mask(equal, k), sortedMask(equal, k));
        }
    }
}

TEST(MaskLargest, TakesZerosInOrder)
{
    EXPECT_EQ(mask({0.0F, -0.0F, 0.0F}, 2), (std::vector<std::int32_t>{-1, -1, 0}));
}

TEST(MaskLargest, OrdersInfinityAndTheSmallestNumbers)
{
    const float least = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(mask({least, -INFINITY, 0.0F, 1.0F}, 2), (std::vector<std::int32_t>{0, -1, 0, -1}));
    EXPECT_EQ(mask({0.0F, least, 0.0F}, 1), (std::vector<std::int32_t>{0, -1, 0}));
}

} // namespace
} // namespace flopsmith::cpu
