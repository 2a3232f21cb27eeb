// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

namespace flopsmith {

/// How many EXPECT_… and ASSERT_… have been executed. GoogleTest itself reports only those that fail,
/// so a loop that stops early and checks nothing would go unnoticed.
inline std::atomic<std::uint64_t> executedAssertions = 0;

} // namespace flopsmith

// Every assertion begins with this macro, which keeps an `else` behind it from being ambiguous.
#undef GTEST_AMBIGUOUS_ELSE_BLOCKER_
#define GTEST_AMBIGUOUS_ELSE_BLOCKER_                                                              \
    switch (flopsmith::executedAssertions.fetch_add(1, std::memory_order_relaxed), 0)              \
    case 0:                                                                                        \
    default: // NOLINT
