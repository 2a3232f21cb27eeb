// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/explanation_reading.h"
#include "core/parameter/parameter_table.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// Those of FFNs, mixers, layers and models, as resources/explanations has them.
const std::vector<Explanation>& explanations();

/// The explanation with that key, or null.
const Explanation* explanationOf(std::string_view key);

/// That of a parameter: its component's own one, or the one that all components share.
const Explanation* explanationOf(const Parameter& parameter);

} // namespace flopsmith
