// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::cpu {

/// How many threads a kernel uses. One is the calling thread itself.
struct Threads
{
    int count = 1;

    bool operator==(const Threads&) const = default;
};

} // namespace flopsmith::cpu
