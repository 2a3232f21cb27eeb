// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace flopsmith {

/// Memory that a job leaves free for the window, the compositor and the file cache.
inline constexpr std::int64_t kMemoryReserveBytes = std::int64_t{256} << 20;

/// The installed memory that Linux uses. `root` is where /proc and /sys are, for the tests.
std::optional<std::int64_t> physicalMemoryBytes(const std::filesystem::path& root = "/");

/// What can be allocated now without swapping: the kernel's own estimate (MemAvailable of
/// /proc/meminfo) or the headroom of the tightest control group around this process (containers,
/// batch systems), whichever is less. Nothing where the system does not say.
std::optional<std::int64_t> availableMemoryBytes(const std::filesystem::path& root = "/");

/// Whether a job of `needed` bytes may start; otherwise an Error with the number of bytes. `job`
/// begins the sentence ("The feed-forward part at 8192 tokens"). Unknown availability refuses
/// nothing.
Status fitsInMemory(std::string_view job,
                    Count needed,
                    std::optional<std::int64_t> available,
                    std::int64_t reserve = kMemoryReserveBytes);

} // namespace flopsmith
