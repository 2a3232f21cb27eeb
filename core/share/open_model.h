// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/reading.h"

#include <string>

namespace flopsmith {

/// Whether it is meant as a share code: it looks like one, and there is no file of that name.
bool namesShareCode(const std::string& nameOrPath);

/// A model that a person names: anything that loadModel() accepts, or a share code or its link.
Result<Loaded> openedModel(const std::string& nameOrPath,
                           Illegal illegal = Illegal::refuse,
                           DoubtfulSize doubtful = DoubtfulSize::refuse);

/// The name in a message: the text itself, but only the two ends of a share code.
std::string modelText(const std::string& nameOrPath);

} // namespace flopsmith
