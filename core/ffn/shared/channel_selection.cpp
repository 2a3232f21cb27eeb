// SPDX-License-Identifier: MIT
#include "core/ffn/shared/channel_selection.h"

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<ChannelSelection>()
{
    return {"static", "top_k"};
}

} // namespace flopsmith
