// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/plan/task_spec.h"

namespace flopsmith {

/// Notes the hash of the text that a task reads, if it has none yet: a file is known by its content,
/// so that a continued lab does not read another text. Errors of a file that cannot be read, is not
/// UTF-8 or is too short for the task's sequences.
Status loadText(TextTask& task);

/// The text that a task trains on. Every run reads it, so that only a regular file can hold it.
Result<std::string> trainingText(const TextTask& task);

} // namespace flopsmith
