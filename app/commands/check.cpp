// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/parameter/validation.h"
#include "core/share/open_model.h"

#include <memory>

namespace flopsmith::app {
namespace {

const char* sourceText(LoadedFrom from)
{
    switch (from) {
    case LoadedFrom::preset: return "preset";
    case LoadedFrom::project: return "Flopsmith file";
    case LoadedFrom::config: return "Hugging Face config";
    case LoadedFrom::shareCode: return "share code";
    }
    return "";
}

struct CheckOptions
{
    std::string file;
    DoubtfulSize doubtful = DoubtfulSize::refuse;
};

Outcome check(const std::string& file, DoubtfulSize doubtful)
{
    const Result<Loaded> loaded = openedModel(file, Illegal::refuse, doubtful);
    if (!loaded) {
        return Outcome::badInput(loaded.error());
    }
    const Scenario& scenario = loaded->project.scenario;
    std::string text = printable(file) + ": ok, " + sourceText(loaded->from) + " \""
        + printable(scenario.model.name) + "\", " + std::to_string(scenario.model.layers())
        + " blocks of width " + std::to_string(scenario.model.dModel) + "\n";
    for (const std::string& note : loaded->notes) {
        text += "  note: " + printable(note) + "\n";
    }
    for (const Problem& problem : problems(scenario)) {
        text += "  note: " + problem.key + ": " + problem.message + "\n";
    }
    return Outcome::success(text);
}

} // namespace

void addCheck(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<CheckOptions>();
    const ArgumentParser command =
        program.addCommand("check", "Whether a model file can be opened, and what to know");
    command.addOption("FILE", options->file, "A .flopsmith file or a Hugging Face config.json")
        .required();
    addAssumeOption(command, options->doubtful);
    command.callback([options, &chosen] {
        chosen = [options] { return check(options->file, options->doubtful); };
    });
}

} // namespace flopsmith::app
