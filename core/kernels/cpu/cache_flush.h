// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/kernel.h"

#include <cstddef>
#include <memory>

namespace flopsmith::cpu {

/// Overwrites `bytes`, each thread its own share, so that the caches hold nothing else afterwards:
/// the private caches of each core that a thread ran on, and the shared cache as far as `bytes`
/// cover it.
Result<std::unique_ptr<Kernel>> prepareCacheFlush(std::size_t bytes, Threads threads);

/// The bytes to flush caches of these sizes (0: unknown): twice the larger of the shared level and
/// of all private ones together, and never less than 64 MiB.
std::size_t flushBytes(std::size_t privateBytes, std::size_t sharedBytes, Threads threads);

} // namespace flopsmith::cpu
