// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_commands.h"
#include "core/base/printable.h"
#include "core/export/torch/design_folder.h"
#include "core/lab/kept_model.h"

#include <memory>
#include <utility>

namespace flopsmith::app {
namespace {

struct LabExportOptions
{
    std::string model;
    std::string folder;
    bool force = false;
};

Outcome exportKept(const LabExportOptions& options)
{
    Result<KeptModel> kept = keptModel(options.model);
    if (!kept) {
        return Outcome::badInput(kept.error());
    }
    Project project{.scenario = kept->scenario};
    project.scenario.model.name = kept->run;
    torch::DesignFolderOptions files{.symbols = kept->symbols, .overwrite = options.force};
    files.source.trained = std::make_shared<const Weights<double>>(std::move(kept->weights));
    const auto made = torch::writeDesignFolder(options.folder, project, files);
    if (!made) {
        return Outcome::badInput(made.error());
    }
    return Outcome::success(printableLines(
        options.folder + ": " + kept->run + ", " + std::to_string(made->parameters)
        + " parameters; check it by: python " + options.folder
        + "/check.py, and let it write by: flopsmith generate " + options.folder + "\n"));
}

} // namespace

void addLabExport(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabExportOptions>();
    const ArgumentParser command =
        lab.addCommand("export", "A trained model of text as a program for PyTorch");
    command.addOption("MODEL", options->model, "A file of the folder LOG.models that lab run made")
        .required();
    command.addOption("-o,--output", options->folder, "The folder to make").required();
    command.addFlag("--force", options->force, "Write into a folder that exists");
    command.callback([options, &chosen] { chosen = [options] { return exportKept(*options); }; });
    command.footer("Example: flopsmith lab export text.jsonl.models/dense-1.safetensors -o dense");
}

} // namespace flopsmith::app
