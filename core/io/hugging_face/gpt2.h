// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/family.h"

namespace flopsmith {

const Family& gpt2Family();

} // namespace flopsmith
