// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/export_weights.h"
#include "app/models/model_commands.h"
#include "app/options/options.h"
#include "app/terminal/folder_check.h"
#include "core/base/printable.h"
#include "core/export/hugging_face/design_folder.h"
#include "core/export/torch/design_folder.h"
#include "core/torch/design_training.h"

namespace flopsmith::app {
namespace {

struct ExportOptions
{
    ModelOptions model;
    std::string folder;
    torch::DesignFolderOptions files;
    int seed = 7;
    bool noWeights = false;
    bool noCheck = false;
    std::string task; ///< for training; empty: none
    int steps = 500;
    double rate = 3e-3;
};

// Everything for train.py, and the weights with which labs begin. `training` is to outlive the files.
Status addTraining(const ExportOptions& options,
                   const Scenario& scenario,
                   torch::Training& training,
                   torch::DesignFolderOptions& files)
{
    const Result<TaskSpec> task = taskNamed(options.task);
    if (!task) {
        return Error{"--train: " + task.error().message};
    }
    if (options.steps < 1 || !(options.rate > 0.0)) {
        return Error{"--steps and --rate must be above 0"};
    }
    Result<torch::Training> made =
        torch::designTraining(scenario,
                              {.task = *task,
                               .rate = options.rate,
                               .steps = options.steps,
                               .seed = static_cast<std::uint64_t>(options.seed)});
    if (!made) {
        return Error{"--train: " + made.error().message};
    }
    training = std::move(*made);
    files.source.trained = std::make_shared<const Weights<double>>(training.state.weights);
    files.more = [&training](const std::string& folder) { return writeTraining(folder, training); };
    files.moreText = trainingFilesText(training);
    return Done{};
}

std::string sentence(const ExportOptions& options, const torch::DesignFolder& made)
{
    std::string text = options.folder + ": " + std::to_string(made.parameters) + " parameters";
    if (!made.expected) {
        return text + (options.noWeights ? ", no weights" : ", no outputs to compare with") + "\n";
    }
    text += made.gradients ? ", outputs and gradients" : ", outputs without gradients";
    return text + " to compare with"
        + (options.noCheck ? "; check them by: python " + options.folder + "/check.py\n" : "\n");
}

// Runs the check, and writes its result into the README.
Status addCheck(const ExportOptions& options, Outcome& outcome)
{
    const FolderVerdict verdict = checkedFolder(options.folder);
    outcome.text += printableLines(verdictSentence(verdict)) + "\n";
    if (verdict.kind == FolderVerdict::Kind::notRun) {
        outcome.text += "Where a Python has torch: python " + options.folder + "/check.py\n";
    }
    if (verdict.kind == FolderVerdict::Kind::different) {
        outcome.codeAfterwards = ExitCode::badInput;
    }
    return noteVerdict(options.folder, verdict);
}

Outcome exportTorch(const ExportOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    std::vector<std::string> notes = asked->notes;
    const Project project = asked->project(notes);
    torch::DesignFolderOptions files = options.files;
    files.weights = !options.noWeights;
    files.source.seed = static_cast<std::uint64_t>(options.seed);
    torch::Training training;
    if (!options.task.empty()) {
        if (const Status added = addTraining(options, project.scenario, training, files); !added) {
            return Outcome::badInput(added.error());
        }
    }
    const auto made = torch::writeDesignFolder(options.folder, project, files);
    if (!made) {
        return Outcome::badInput(made.error());
    }
    Outcome outcome = Outcome::success(sentence(options, *made));
    outcome.notes = std::move(notes);
    if (made->expected && !options.noCheck) {
        if (const Status noted = addCheck(options, outcome); !noted) {
            return Outcome::badInput(noted.error());
        }
    }
    return outcome;
}

struct HubOptions
{
    ModelOptions model;
    std::string folder;
    HuggingFaceOptions files;
    int seed = 7;
    bool noWeights = false;
};

constexpr std::size_t kMaxDifferences = 12;

std::string sentence(const HubOptions& options, const HuggingFaceFolder& made)
{
    std::string text = options.folder + ": " + std::to_string(made.parameters) + " parameters"
        + (options.noWeights ? ", no weights" : "");
    if (made.fit.fits()) {
        return text + "; " + made.fit.title + ", which needs no code of its own\n";
    }
    text += "; code of its own, because no family has this model. The nearest is " + made.fit.title
        + ":\n";
    const std::vector<std::string>& differences = made.fit.differences;
    for (std::size_t i = 0; i < differences.size() && i < kMaxDifferences; ++i) {
        text += "  " + differences[i] + "\n";
    }
    if (differences.size() > kMaxDifferences) {
        text += "  and " + std::to_string(differences.size() - kMaxDifferences)
            + " more, which are in README.md\n";
    }
    return text;
}

Outcome exportHuggingFace(const HubOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    std::vector<std::string> notes = asked->notes;
    const Project project = asked->project(notes);
    HuggingFaceOptions files = options.files;
    files.weights = !options.noWeights;
    files.seed = static_cast<std::uint64_t>(options.seed);
    const auto made = writeHuggingFaceFolder(options.folder, project, files);
    if (!made) {
        return Outcome::badInput(made.error());
    }
    Outcome outcome = Outcome::success(printableLines(sentence(options, *made)));
    outcome.notes = std::move(notes);
    return outcome;
}

void addHuggingFaceExport(const ArgumentParser& command, Command& chosen)
{
    auto options = std::make_shared<HubOptions>();
    const ArgumentParser hub = command.addCommand(
        "hf", "A folder of the Hugging Face library: a native family, or code of its own");
    options->model.addTo(hub);
    hub.addOption("-o,--output", options->folder, "The folder to make").required();
    hub.addFlag("--force", options->files.overwrite, "Write into a folder that exists");
    hub.addFlag("--no-weights", options->noWeights, "Write the description alone");
    hub.addOption("--seed", options->seed, "The seed of the weights").showDefault();
    hub.callback(
        [options, &chosen] { chosen = [options] { return exportHuggingFace(*options); }; });
    hub.footer("Example: flopsmith export hf llama-3-8b --no-weights -o llama");
}

} // namespace

void addDesignExport(ArgumentParser program, Command& chosen)
{
    const ArgumentParser command = program.addCommand("export", "A design as a program for others");
    command.allowOneCommand();
    command.callback([command, &chosen] {
        if (!command.isCommandBelowChosen()) {
            chosen = [] {
                return Outcome::failure(ExitCode::wrongUsage,
                                        "name what to export to: flopsmith export torch MODEL -o "
                                        "DIR, hf, or safetensors");
            };
        }
    });
    auto options = std::make_shared<ExportOptions>();
    const ArgumentParser torch = command.addCommand(
        "torch", "A folder that needs only PyTorch: the model, random weights, and a check");
    options->model.addTo(torch);
    torch.addOption("-o,--output", options->folder, "The folder to make").required();
    torch.addFlag("--force", options->files.overwrite, "Write into a folder that exists");
    const Option bare =
        torch.addFlag("--no-weights", options->noWeights, "Write the program alone");
    const Option train =
        torch
            .addOption("--train",
                       options->task,
                       "With train.py and the batches of this task, see flopsmith lab tasks")
            .typeName("TASK")
            .excludes(bare);
    torch.addOption("--steps", options->steps, "Of --train").needs(train).showDefault();
    torch.addOption("--rate", options->rate, "Learning rate of --train").needs(train).showDefault();
    torch.addFlag("--gradients",
                  options->files.gradients,
                  "Compute outputs and gradients to compare with of large models too");
    torch.addOption("--seed", options->seed, "The seed of the weights").showDefault();
    torch.addFlag("--no-check",
                  options->noCheck,
                  "Do not run check.py, which FLOPSMITH_PYTHON or python3 does if it has torch");
    torch.callback([options, &chosen] { chosen = [options] { return exportTorch(*options); }; });
    addHuggingFaceExport(command, chosen);
    addWeightsExport(command, chosen);
    torch.footer("Example: flopsmith export torch gpt2-ultra-efficient -o x && python x/check.py");
}

} // namespace flopsmith::app
