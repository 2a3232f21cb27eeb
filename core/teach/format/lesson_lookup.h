// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <string>

namespace flopsmith {

/// The lesson in a file, or if there is no such file an installed lesson by its id
/// ("where-flops-go") or its file's name. The Error says in one sentence what is wrong with the
/// file.
Result<Lesson> lessonNamed(const std::string& nameOrPath);

} // namespace flopsmith
