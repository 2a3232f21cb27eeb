// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/process/interrupt.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <condition_variable>
#include <mutex>

namespace flopsmith {
namespace {

bool isBlocked(int signal)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    return sigismember(&blocked, signal) == 1;
}

TEST(Interrupt, CtrlCStopsTheTokenAndNotTheProgram)
{
    const Interrupt interrupt;
    const std::stop_token token = interrupt.token();
    EXPECT_FALSE(token.stop_requested());

    kill(getpid(), SIGINT);

    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait(lock, token, [] { return false; });
    EXPECT_TRUE(token.stop_requested());
    EXPECT_EQ(interrupt.signal(), SIGINT);
}

TEST(Interrupt, AfterwardsTheSignalsAreAsBefore)
{
    {
        const Interrupt interrupt;
        EXPECT_TRUE(isBlocked(SIGINT));
    }
    EXPECT_FALSE(isBlocked(SIGINT));
    EXPECT_FALSE(isBlocked(SIGTERM));
}

TEST(Interrupt, WhatIsIgnoredStaysIgnored)
{
    const auto before = std::signal(SIGINT, SIG_IGN);
    {
        const Interrupt interrupt;
        EXPECT_FALSE(isBlocked(SIGINT));
        EXPECT_TRUE(isBlocked(SIGTERM));
    }
    std::signal(SIGINT, before);
}

TEST(Interrupt, AClosedTerminalStopsTheTokenToo)
{
    const Interrupt interrupt;
    const std::stop_token token = interrupt.token();

    kill(getpid(), SIGHUP);

    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait(lock, token, [] { return false; });
    EXPECT_EQ(interrupt.signal(), SIGHUP);
}

} // namespace
} // namespace flopsmith
