// SPDX-License-Identifier: MIT
#include "core/layer/activation.h"

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<Activation>()
{
    return {"none", "relu", "relu2", "gelu", "gelu_tanh", "silu"};
}

} // namespace flopsmith
