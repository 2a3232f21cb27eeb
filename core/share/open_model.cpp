// SPDX-License-Identifier: MIT
#include "core/share/open_model.h"

#include "core/share/envelope.h"
#include "core/share/share_code.h"

#include <filesystem>
#include <system_error>

namespace flopsmith {

bool namesShareCode(const std::string& nameOrPath)
{
    std::error_code ignored;
    return isShareCode(nameOrPath) && !std::filesystem::is_regular_file(nameOrPath, ignored);
}

Result<Loaded> openedModel(const std::string& nameOrPath, Illegal illegal, DoubtfulSize doubtful)
{
    if (!namesShareCode(nameOrPath)) {
        return loadModel(nameOrPath, illegal, doubtful);
    }
    FLOPSMITH_TRY(const SharedDesign design, parsedShareCode(nameOrPath, illegal));
    return Loaded{.project = design.project, .from = LoadedFrom::shareCode, .notes = design.notes};
}

std::string modelText(const std::string& nameOrPath)
{
    return namesShareCode(nameOrPath) ? shortCode(nameOrPath) : nameOrPath;
}

} // namespace flopsmith
