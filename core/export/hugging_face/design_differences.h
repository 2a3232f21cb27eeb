// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Whether two models compute the same. Their names and their patterns of equal blocks do not count.
bool isSameDesign(const Model& model, const Model& other);

/// What would have to change in `theirs`, a model of a family called `title`, to get `model`: one
/// sentence for each place. Below a part of another kind all differs, and only the kind is named.
std::vector<std::string> designDifferences(const Model& model,
                                           const Model& theirs,
                                           std::string_view title);

} // namespace flopsmith
