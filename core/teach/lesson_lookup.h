// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/lesson.h"

#include <string>

namespace flopsmith {

/// An installed lesson by its id ("where-flops-go") or its file's name, or the lesson in a file.
/// Error: one sentence that says what is wrong with the file.
Result<Lesson> lessonNamed(const std::string& nameOrPath);

} // namespace flopsmith
