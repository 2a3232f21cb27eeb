// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/wire/message.h"

#include <string>

namespace flopsmith::bench {

/// "flopsmith-bench 0.1.0".
std::string programVersion();

/// Threads that a job uses which asks for `wanted`: as many as it says (0: all), at most as many as
/// the program may use cores.
int threadsFor(int wanted);

/// This machine, this program and the libraries that compute in it.
Described described(const DescribeRequest& request);

} // namespace flopsmith::bench
