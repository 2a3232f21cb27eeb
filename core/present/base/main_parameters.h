// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_table.h"

#include <span>
#include <vector>

namespace flopsmith {

/// How much a parameter decides what a design costs and is, from 0 (a detail) to 100 (d_model).
int weightOf(const Parameter& parameter);

/// The parameters that matter most, at most `most` of them and none of weight 0, in their order.
std::vector<Parameter> mainParameters(std::span<const Parameter> parameters, std::size_t most = 8);

} // namespace flopsmith
