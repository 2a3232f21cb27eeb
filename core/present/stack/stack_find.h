// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/present/stack/stack.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// The rows of the stack that contain a query, by their index: words of a row's or a part's texts
/// ("gated", "attention"), or a parameter's name and value ("heads 12", "3072"). One text or one
/// parameter has all words of the query, a number as a whole. Empty for an empty query.
std::vector<int> rowsContaining(const Scenario& scenario,
                                const StackPicture& picture,
                                std::string_view query);

} // namespace flopsmith
