// SPDX-License-Identifier: MIT
#include "core/lab/task/known_text.h"

#include "core/base/sha256.h"
#include "core/base/text_file.h"
#include "core/lab/task/shipped_text.h"
#include "core/lab/task/task_sources.h"

namespace flopsmith {

Status knowText(TextTask& task)
{
    if (!task.sha256.empty()) {
        return Done{};
    }
    const Result<std::string> text =
        task.file.empty() ? std::string(shippedText()) : textOfFile(task.file);
    if (!text) {
        return text.error();
    }
    if (const MadeTask made = taskOf(task, 0, 0); !made) {
        return made.error();
    }
    task.sha256 = sha256(*text);
    return Done{};
}

} // namespace flopsmith
