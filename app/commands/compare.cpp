// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/measuring/stored_times.h"
#include "app/options/compared_models.h"
#include "app/options/device_options.h"
#include "app/options/options.h"
#include "core/io/reports/comparison_report.h"
#include "core/json/json_text.h"

#include <algorithm>

namespace flopsmith::app {
namespace {

struct CompareOptions
{
    std::vector<std::string> models;
    ModelOptions model;
    std::string device; ///< the device of compared times
    StoreOptions store;
    OutputOptions output;
};

// The figures, the parameters that differ, and the stacks of the other designs aligned with the
// first.
std::vector<Table> tablesForPeople(const Comparison& all, bool withStacks)
{
    std::vector<Table> tables{comparedFiguresTable(all)};
    if (!all.parameters.empty()) {
        tables.push_back(comparedParametersTable(all));
    }
    for (std::size_t design = 1; withStacks && design < all.designs.size(); ++design) {
        tables.push_back(alignedStackTable(all, design));
    }
    return tables;
}

Outcome comparisonOutcome(const OutputOptions& output, const Comparison& all)
{
    if (output.isJson()) {
        return output.of(jsonText(comparisonJson(all), 2) + "\n");
    }
    if (output.isCsv()) {
        return output.of(comparisonTable(all));
    }
    std::string text;
    for (const Table& table : tablesForPeople(all, !output.isLatex())) {
        text += (text.empty() ? "" : "\n") + output.of(table).text;
    }
    return output.of(std::move(text));
}

Outcome compareModels(const CompareOptions& options)
{
    if (const Status fits = canCompare(options.models.size()); !fits) {
        return Outcome::failure(ExitCode::wrongUsage,
                                fits.error().message + "; as in flopsmith compare gpt2 llama-3-8b");
    }
    if (std::count(options.models.begin(), options.models.end(), "") > 0) {
        return Outcome::failure(ExitCode::wrongUsage, "MODEL: a value must not be empty");
    }
    Result<ComparedModels> models = comparedModels(options.model, options.models);
    if (!models) {
        return Outcome::badInput(models.error());
    }
    const Result<Device> device = namedDevice(options.device, options.store.choice());
    if (!device) {
        return noDevice(device.error());
    }
    const Status timed = addStoredTimes(models->designs, *device, options.store.choice());
    if (!timed) {
        models->notes.push_back(timed.error().message + "; compared without measured times");
    }
    Outcome outcome = comparisonOutcome(
        options.output, comparison(std::move(models->designs), models->lens, models->pairs));
    outcome.notes = std::move(models->notes);
    return outcome;
}

} // namespace

void addCompare(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<CompareOptions>();
    const ArgumentParser command = program.addCommand(
        "compare", "Two to four models beside each other: every figure, what differs, the blocks");
    command
        .addOption("MODEL",
                   options->models,
                   "Presets (see flopsmith presets), .flopsmith files, or Hugging Face "
                   "config.json; the first is what the others are compared with")
        .typeName("");
    options->model.addWorkloadTo(command);
    options->model.addLensTo(command);
    command
        .addOption("--device",
                   options->device,
                   "Whose stored times are compared (see flopsmith results); without it, this CPU")
        .typeName("NAME");
    options->store.addWindowTo(command);
    options->output.addTo(command);
    command.callback(
        [options, &chosen] { chosen = [options] { return compareModels(*options); }; });
    command.footer(
        "Options apply to all models. Nothing is measured: times are those that flopsmith\n"
        "measure has kept, and are compared where one device has measured all models.\n"
        "Example: flopsmith compare gpt2 llama-3-8b --seq 1024");
}

} // namespace flopsmith::app
