// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"

namespace flopsmith {

enum class Activation { none, relu, reluSquared, gelu, geluTanh, silu };

template <>
std::vector<std::string_view> enumNames<Activation>();

} // namespace flopsmith
