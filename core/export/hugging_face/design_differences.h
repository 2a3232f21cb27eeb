// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Whether two models compute the same. Their names and their patterns of equal blocks do not count.
bool isSameDesign(const Model& model, const Model& other);

/// The changes that would turn `theirs`, a model of a family called `title`, into `model`: one
/// sentence for each place. If a part is of another kind, only the kind is named.
std::vector<std::string> designDifferences(const Model& model,
                                           const Model& theirs,
                                           std::string_view title);

} // namespace flopsmith
