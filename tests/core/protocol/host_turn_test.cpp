// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/process/host_turn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace flopsmith {
namespace {

TEST(HostTurn, OneThreadAtATimeHasTheTurnOfAHost)
{
    std::atomic<int> inside = 0;
    std::atomic<int> most = 0;
    int unguarded = 0; // a race that a second thread inside would be
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] {
                for (int round = 0; round < 100; ++round) {
                    const auto turn = HostTurn::take("a host", {});
                    ASSERT_TRUE(turn.has_value());
                    most = std::max(most.load(), ++inside);
                    ++unguarded;
                    --inside;
                }
            });
        }
    }
    EXPECT_EQ(most, 1);
    EXPECT_EQ(unguarded, 800);
}

TEST(HostTurn, OtherHostsAndUnknownOnesDoNotWait)
{
    const auto one = HostTurn::take("a host", {});
    const auto other = HostTurn::take("another", {});
    const auto unknown = HostTurn::take("", {});
    const auto alsoUnknown = HostTurn::take("", {});

    EXPECT_TRUE(one && other && unknown && alsoUnknown);
}

TEST(HostTurn, AStopEndsTheWait)
{
    const auto held = HostTurn::take("a host", {});
    std::stop_source stop;
    const std::jthread hand([&stop] { stop.request_stop(); });

    EXPECT_FALSE(HostTurn::take("a host", stop.get_token()).has_value());
    EXPECT_FALSE(HostTurn::take("free", stop.get_token()).has_value());
}

TEST(HostTurn, MovesWithItsHolder)
{
    auto first = HostTurn::take("a host", {});
    {
        const HostTurn second = std::move(*first);
    }
    EXPECT_TRUE(HostTurn::take("a host", {}).has_value());
}

} // namespace
} // namespace flopsmith
