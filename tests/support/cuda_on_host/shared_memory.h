// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace cuda_on_host {

/// What a block may ask for on devices that are opened from now on.
void setSharedMemory(std::size_t bytes);
inline constexpr std::size_t kUsualSharedMemory = std::size_t{99} << 10; ///< compute capability 8.6
inline constexpr std::size_t kLeastSharedMemory = std::size_t{64} << 10; ///< 7.5

} // namespace cuda_on_host
