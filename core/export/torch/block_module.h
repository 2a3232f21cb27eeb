// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/class_list.h"
#include "core/model/block.h"

#include <string>

namespace flopsmith::torch {

/// A block as the call of its constructor, which takes the block's norms, mixers and FFN. Muted
/// parts are left out. `takesSource`: its forward() also takes the encoder's output, as every
/// decoder block after an encoder does. `relativeBias` as in mixerModule().
PythonExpression blockModule(const Block& block,
                             int dModel,
                             bool takesSource,
                             const std::string& relativeBias,
                             ClassList& classes);

} // namespace flopsmith::torch
