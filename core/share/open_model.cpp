// SPDX-License-Identifier: MIT
#include "core/share/open_model.h"

#include "core/share/envelope.h"
#include "core/share/share_code.h"

namespace flopsmith {

Result<Loaded> openedModel(const std::string& nameOrPath, Illegal illegal, DoubtfulSize doubtful)
{
    if (!isShareCode(nameOrPath)) {
        return loadModel(nameOrPath, illegal, doubtful);
    }
    const Result<SharedDesign> design = parsedShareCode(nameOrPath, illegal);
    if (!design) {
        return design.error();
    }
    return Loaded{
        .project = design->project, .from = LoadedFrom::shareCode, .notes = design->notes};
}

std::string modelText(const std::string& nameOrPath)
{
    return isShareCode(nameOrPath) ? shortCode(nameOrPath) : nameOrPath;
}

} // namespace flopsmith
