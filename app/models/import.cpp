// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/model_commands.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/export/imported_folder.h"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace flopsmith::app {
namespace {

constexpr std::size_t kMaxShown = 20; // tensors that do not fit

struct ImportOptions
{
    std::string from;
    std::string folder;
    FolderImportOptions files;
};

// "models/gpt2" becomes "gpt2-design" in the current folder.
std::string folderFor(const std::string& from)
{
    std::filesystem::path path = std::filesystem::path(from).lexically_normal();
    if (path.filename() == "config.json") {
        path = path.parent_path();
    }
    if (path.filename().empty()) {
        path = path.parent_path();
    }
    const std::string name = path.filename().string();
    const bool isName = !name.empty() && name != "." && name != "..";
    return (isName ? name : std::string("imported")) + "-design";
}

// A line for each, and one for the failure; a single one is the failure.
Outcome doesNotFit(const std::string& from, const std::vector<std::string>& problems)
{
    if (problems.size() == 1) {
        return Outcome::badInput(Error{from + ": " + problems.front() + "; nothing was written"});
    }
    const std::size_t shown = std::min(problems.size(), kMaxShown);
    for (std::size_t i = 0; i < shown; ++i) {
        noteNow(problems[i]);
    }
    if (shown < problems.size()) {
        noteNow("and " + std::to_string(problems.size() - shown) + " more");
    }
    return Outcome::badInput(Error{from + ": " + std::to_string(problems.size())
                                   + " tensors do not fit the model; nothing was written"});
}

std::string importedText(const std::string& folder,
                         const ImportedFolder& imported,
                         const FolderImportOptions& options)
{
    const std::string design = folder + "/design.flopsmith";
    if (!options.weights) {
        return design + ": " + imported.name + ", without weights\n";
    }
    return folder + ": " + imported.name + " with its weights, "
        + std::to_string(imported.parameters) + " numbers; run it by: flopsmith logits " + design
        + " --weights " + folder + " --tokens 1,2,3\n";
}

Outcome importNative(const ImportOptions& options)
{
    const std::string folder = options.folder.empty() ? folderFor(options.from) : options.folder;
    const auto imported = importFolder(options.from, folder, options.files);
    if (!imported) {
        return Outcome::badInput(imported.error());
    }
    if (!imported->problems.empty()) {
        return doesNotFit(options.from, imported->problems);
    }
    Outcome outcome =
        Outcome::success(printableLines(importedText(folder, *imported, options.files)));
    outcome.notes = imported->notes;
    return outcome;
}

} // namespace

void addImport(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<ImportOptions>();
    const ArgumentParser command = program.addCommand(
        "import", "A Hugging Face folder as a design, with its weights if they are wanted");
    command.addOption("DIR", options->from, "The folder, or the config.json in it").required();
    command.addFlag(
        "--weights",
        options->files.weights,
        "Its safetensors too: of GPT-2, Llama, Mistral, Qwen2, Qwen3, Gemma, BERT, OLMo "
        "and MPT");
    command.addOption(
        "-o,--output", options->folder, "The folder to make; NAME-design for a DIR of that NAME");
    command.addFlag("--force", options->files.overwrite, "Write into a folder that exists");
    addAssumeOption(command, options->files.doubtful);
    command.callback([options, &chosen] { chosen = [options] { return importNative(*options); }; });
    command.footer("Example: flopsmith import gpt2 --weights -o x && flopsmith logits "
                   "x/design.flopsmith --weights x --tokens 464,3290");
}

} // namespace flopsmith::app
