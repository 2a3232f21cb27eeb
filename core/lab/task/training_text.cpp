// SPDX-License-Identifier: MIT
#include "core/lab/task/training_text.h"

#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/base/text_file.h"
#include "core/lab/task/shipped_text.h"
#include "core/lab/task/task_sources.h"

#include <filesystem>
#include <system_error>

namespace flopsmith {

Result<std::string> trainingText(const TextTask& task)
{
    if (task.file.empty()) {
        return std::string(shippedText());
    }
    std::error_code failed;
    const auto status = std::filesystem::status(task.file, failed);
    if (std::filesystem::exists(status) && std::filesystem::is_other(status)) {
        return Error{printable(task.file)
                     + ": a task's text is read once per run, so that it has to be a file"};
    }
    return textOfFile(task.file);
}

Status loadText(TextTask& task)
{
    if (!task.sha256.empty()) {
        return Done{};
    }
    FLOPSMITH_TRY(const std::string text, trainingText(task));
    if (const MadeTask made = taskOf(task, 0, 0); !made) {
        return made.error();
    }
    task.sha256 = sha256(text);
    return Done{};
}

} // namespace flopsmith
