// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/select/selection.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

#include <bit>
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

// So many values that a sample says where to look, and distributions that mislead it.
TEST(MaskLargest, ChoosesAsSortingDoesFromManyValues)
{
    Random random(2);
    for (const int n : {511, 512, 1000, 2048, 4097}) {
        std::vector<std::vector<float>> rows(6);
        for (int i = 0; i < n; ++i) {
            const auto normal = static_cast<float>(random.normal());
            const auto whole = static_cast<float>(random.integer(-3, 3));
            rows[0].push_back(normal);
            rows[1].push_back(whole); // ties
            rows[2].push_back(5.0F);
            rows[3].push_back(static_cast<float>(i)); // the sample sees every part
            rows[4].push_back(i % 64 < 16 ? 0.0F : normal); // it sees zeros more often
            rows[5].push_back(i % 3 == 0 ? INFINITY : std::ldexp(normal, -140)); // subnormal
        }
        for (const std::vector<float>& row : rows) {
            for (const int k : {1, 2, n / 100, n / 10, n / 3, n / 2, n - n / 10, n - 1, n}) {
                ASSERT_EQ(mask(row, k), sortedMask(row, k)) << "k " << k << " of " << n;
            }
        }
    }
}

// A search that has seen other rows, like this one and unlike it, finds the same.
TEST(LargestSearch, FindsTheSameWhateverItFoundBefore)
{
    Random random(3);
    LargestSearch search;
    for (int row = 0; row < 60; ++row) {
        const int n = row % 5 == 0 ? 33 : row % 2 == 0 ? 192 + row / 8 : 1500 - row;
        const double size = row % 7 == 0 ? 1000.0 : 1.0;
        std::vector<float> values;
        for (int i = 0; i < n; ++i) {
            values.push_back(row % 3 == 0 ? static_cast<float>(random.integer(-9, 9))
                                          : static_cast<float>(size * random.normal()));
        }
        std::vector<std::int32_t> scratch(values.size());
        for (const int k : {1, 7, n / 2, n - 1, n}) {
            const Largest chosen = search(values.data(), n, k, scratch.data());
            std::vector<std::int32_t> found(values.size());
            for (int i = 0; i < n; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const auto bits = std::bit_cast<std::int32_t>(std::abs(values[at]));
                const bool isTie = bits == chosen.minBits - 1 && i < chosen.tiesEnd;
                found[at] = bits >= chosen.minBits || isTie ? -1 : 0;
            }
            ASSERT_EQ(found, sortedMask(values, k)) << "k " << k << " of " << n;
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
