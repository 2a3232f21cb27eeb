// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/compared_models.h"

#include <filesystem>

namespace flopsmith::app {
namespace {

// A preset's id, or a file's name without its folder.
std::string nameOfDesign(const std::string& model)
{
    const std::string file = std::filesystem::path(model).filename().string();
    return file.empty() ? model : file;
}

} // namespace

Status canCompare(std::size_t models)
{
    if (models >= kFewestDesigns && models <= kMaxDesigns) {
        return Done{};
    }
    return Error{"a comparison takes " + std::to_string(kFewestDesigns) + " to "
                 + std::to_string(kMaxDesigns) + " models, and here "
                 + (models == 1 ? "is 1" : "are " + std::to_string(models))};
}

Result<ComparedModels> comparedModels(const ModelOptions& options,
                                      const std::vector<std::string>& models)
{
    ComparedModels compared;
    for (const std::string& model : models) {
        FLOPSMITH_TRY(Asked asked, options.asked(model));
        if (compared.designs.empty()) {
            compared.lens = asked.lens;
            compared.pairs = asked.pairs;
        } else if (asked.lens != compared.lens) {
            asked.notes.push_back("counted under the lens " + std::string(lens(compared.lens).name)
                                  + " of " + models.front() + ", not under "
                                  + std::string(lens(asked.lens).name));
        }
        for (const std::string& note : asked.notes) {
            compared.notes.push_back(model + ": " + note);
        }
        compared.designs.push_back({nameOfDesign(model), std::move(asked.scenario)});
    }
    return compared;
}

} // namespace flopsmith::app
