// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/class_list.h"
#include "core/model/block.h"

#include <string>

namespace flopsmith::torch {

/// A block as the call of its constructor, which is given the block's norms, mixers and FFN. What is
/// muted is left out. `takesSource`: its forward() is given the encoder's output too, as that of
/// every decoder block after an encoder. `relativeBias` as in mixerModule().
PythonExpression blockModule(const Block& block,
                             int dModel,
                             bool takesSource,
                             const std::string& relativeBias,
                             ClassList& classes);

} // namespace flopsmith::torch
