// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/reading.h"

#include <string>

namespace flopsmith {

/// Whether it is meant as a share code: it looks like one, and there is no file of that name.
bool namesShareCode(const std::string& nameOrPath);

/// What a person names as a model: all that loadModel() takes, or a share code or its link.
Result<Loaded> openedModel(const std::string& nameOrPath,
                           Illegal illegal = Illegal::refuse,
                           DoubtfulSize doubtful = DoubtfulSize::refuse);

/// How a message calls what was named: itself, but of a share code only its ends.
std::string modelText(const std::string& nameOrPath);

} // namespace flopsmith
