// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace flopsmith::test {

/// For what is done at once, unless the machine is busy.
inline constexpr std::chrono::milliseconds kLong(20'000);

} // namespace flopsmith::test
