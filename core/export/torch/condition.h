// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/torch/template.h"

#include <string_view>

namespace flopsmith::torch {

/// Whether a condition of a template holds. An error has no place; the caller names it.
Result<bool> holds(std::string_view condition, const TemplateContext& context);

} // namespace flopsmith::torch
