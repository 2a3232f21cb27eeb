// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QTest>

/// Fails the test, and leaves it, if the condition does not become true although events are
/// processed for a while. If one of Qt's own macros fails, GoogleTest does not notice.
#define ASSERT_SOON(...)                                                                           \
    ASSERT_TRUE(QTest::qWaitFor([&] { return static_cast<bool>(__VA_ARGS__); },                    \
                                ::flopsmith::ui::test::kLong))                                     \
        << #__VA_ARGS__

namespace flopsmith::ui::test {

/// Milliseconds, for what is done soon, unless the machine is busy.
inline constexpr int kLong = 60'000;

} // namespace flopsmith::ui::test
