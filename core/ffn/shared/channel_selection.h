// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/random.h"

#include <cstdint>
#include <vector>

namespace flopsmith {

/// How a sparse stage chooses the channels it works on.
enum class ChannelSelection {
    fixed, ///< a list drawn once from a seed, as training would leave it; "static" in files
    topK, ///< per token, the channels of largest |x|
};

template <>
std::vector<std::string_view> enumNames<ChannelSelection>();

/// The fixed list: `count` of `channels` channels, ascending.
inline std::vector<int> fixedChannels(int seed, int count, int channels)
{
    return Random(static_cast<std::uint64_t>(seed)).distinct(count, channels);
}

} // namespace flopsmith
