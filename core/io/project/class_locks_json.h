// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/unknown_keys.h"
#include "core/parameter/class_lock.h"

#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// [{"key": "ffn.d_ff", "kind": "bounded", "min": 128, "max": 4096, "sentence": "…"}], without
/// empty members; a fixed parameter has "values".
Json toJson(std::span<const ClassLock> locks);

/// The reverse. The Error names the entry and what is wrong with it. Unknown keys are collected.
Result<std::vector<ClassLock>> classLocksFromJson(const Json& json,
                                                  const std::string& place,
                                                  UnknownKeys& unknown);

} // namespace flopsmith
