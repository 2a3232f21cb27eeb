// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui::test {

/// Milliseconds, for what is done soon, unless the machine is busy.
inline constexpr int kLong = 60'000;

} // namespace flopsmith::ui::test
