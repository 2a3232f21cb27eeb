// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_commands.h"
#include "core/base/printable.h"
#include "core/export/torch/design_folder.h"
#include "core/lab/task/saved_model.h"
#include "core/torch/lab_training.h"

#include <memory>
#include <optional>
#include <utility>

namespace flopsmith::app {
namespace {

struct LabExportOptions
{
    std::string model;
    std::string folder;
    bool force = false;
    bool train = false;
    std::optional<int> steps;
};

std::string sentence(const LabExportOptions& options,
                     const std::string& run,
                     std::int64_t parameters)
{
    return options.folder + ": " + run + ", " + std::to_string(parameters) + " parameters";
}

// A state of a run of any task, with all that PyTorch needs to continue it.
Outcome exportTraining(const LabExportOptions& options)
{
    Result<torch::LabTraining> lab = torch::savedLabTraining(options.model);
    if (!lab) {
        return Outcome::badInput(lab.error());
    }
    torch::Training& training = lab->training;
    if (options.steps) {
        training.until = *options.steps;
        training.settings.schedule.steps = *options.steps;
    }
    if (training.until <= training.state.step) {
        return Outcome::badInput({printable(options.model) + " has done "
                                  + std::to_string(training.state.step) + " steps; --steps "
                                  + std::to_string(2 * training.state.step)
                                  + " trains on to that one"});
    }
    fillBatches(*lab);
    Project project{.scenario = training.scenario};
    project.scenario.model.name = keyText(lab->key);
    torch::DesignFolderOptions files{.symbols = lab->task->symbols(), .overwrite = options.force};
    files.source.trained = std::make_shared<const Weights<double>>(training.state.weights);
    files.more = [&](const std::string& folder) { return writeTraining(folder, training); };
    files.moreText = trainingFilesText(training);
    const auto made = torch::writeDesignFolder(options.folder, project, files);
    if (!made) {
        return Outcome::badInput(made.error());
    }
    return Outcome::success(printableLines(
        sentence(options, keyText(lab->key), made->parameters) + "; train it from step "
        + std::to_string(training.state.step + 1) + " to " + std::to_string(training.until)
        + " by: python " + options.folder + "/train.py\n"));
}

Outcome exportKept(const LabExportOptions& options)
{
    if (options.train) {
        return exportTraining(options);
    }
    Result<SavedModel> saved = savedModel(options.model);
    if (!saved) {
        return Outcome::badInput(saved.error());
    }
    Project project{.scenario = saved->scenario};
    project.scenario.model.name = saved->run;
    torch::DesignFolderOptions files{.symbols = saved->symbols, .overwrite = options.force};
    files.source.trained = std::make_shared<const Weights<double>>(std::move(saved->weights));
    const auto made = torch::writeDesignFolder(options.folder, project, files);
    if (!made) {
        return Outcome::badInput(made.error());
    }
    return Outcome::success(printableLines(
        sentence(options, saved->run, made->parameters) + "; check it by: python " + options.folder
        + "/check.py, and let it write by: flopsmith generate " + options.folder + "\n"));
}

} // namespace

void addLabExport(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabExportOptions>();
    const ArgumentParser command =
        lab.addCommand("export", "A trained model of text as a program for PyTorch");
    command
        .addOption(
            "MODEL",
            options->model,
            "A file of the folder LOG.models that lab run made; with --train also LOG.N.state")
        .required();
    command.addOption("-o,--output", options->folder, "The folder to make").required();
    command.addFlag("--force", options->force, "Write into a folder that exists");
    const Option train = command.addFlag(
        "--train", options->train, "With train.py and its batches, to continue the run there");
    command.addOption("--steps", options->steps, "The last step of --train; that of the run")
        .needs(train);
    command.callback([options, &chosen] { chosen = [options] { return exportKept(*options); }; });
    command.footer("Example: flopsmith lab export text.jsonl.models/dense-1.safetensors -o dense");
}

} // namespace flopsmith::app
