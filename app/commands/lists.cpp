// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/io/hugging_face/family.h"
#include "core/io/hugging_face/weights/native_names.h"
#include "core/io/reports/lens_tables.h"
#include "core/lens/cost_summary.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"

#include <algorithm>

// Lists the possible choices: presets, families, lenses, parameters.
namespace flopsmith::app {
namespace {

Table presetTable()
{
    Table table{.columns = {{"id", "preset", Align::left},
                            {"title", "title", Align::left},
                            {"layers", "layers"},
                            {"d_model", "d_model"},
                            {"params", "parameters"},
                            {"note", "note", Align::left}}};
    for (const Preset& preset : presets()) {
        const Scenario scenario{preset.make(), {}};
        const CostReport report = costReport(scenario, LensId::exact);
        table.rows.push_back(
            {Cell::text(std::string(preset.id)),
             Cell::text(std::string(preset.title)),
             Cell::of(std::int64_t{scenario.model.layers()}),
             Cell::of(std::int64_t{scenario.model.dModel}),
             Cell::parameters(summary(report.tree, scenario, LensId::exact).parameters),
             Cell::text(std::string(preset.note))});
    }
    return table;
}

Table familyTable()
{
    Table table{.columns = {{"model_type", "model_type", Align::left},
                            {"title", "family", Align::left},
                            {"weights", "weights", Align::left},
                            {"classes", "classes", Align::left}}};
    for (const Family* family : families()) {
        std::string classes;
        for (const Architecture& architecture : family->architectures) {
            classes += (classes.empty() ? "" : " ") + std::string(architecture.name);
        }
        const bool hasWeights = nativeFamily(family->modelType) != nullptr;
        table.rows.push_back({Cell::text(std::string(family->modelType)),
                              Cell::text(std::string(family->title)),
                              Cell::text(hasWeights ? "read and written" : "counted only"),
                              Cell::text(classes)});
    }
    return table;
}

Table tableOfParameters(const Scenario& scenario)
{
    Table table{.columns = {{"key", "key", Align::left},
                            {"value", "value"},
                            {"unit", "unit", Align::left},
                            {"legal", "legal", Align::left},
                            {"help", "meaning", Align::left}}};
    for (const Parameter& parameter : allParameters(scenario)) {
        if (parameter.applies(scenario)) {
            table.rows.push_back({Cell::text(keyOfWholeRun(scenario, parameter)),
                                  Cell::of(parameter.value(scenario)),
                                  Cell::text(std::string(parameter.text.unit)),
                                  Cell::text(parameter.legal(scenario).text()),
                                  Cell::text(std::string(parameter.text.help))});
        }
    }
    return table;
}

void addList(ArgumentParser program,
             Command& chosen,
             const char* name,
             const char* help,
             Table (*table)())
{
    auto output = std::make_shared<OutputOptions>();
    const ArgumentParser command = program.addCommand(name, help);
    output->addTo(command);
    command.callback(
        [output, table, &chosen] { chosen = [output, table] { return output->of(table()); }; });
}

struct ParameterOptions
{
    ModelOptions model;
    OutputOptions output;
};

Outcome parameters(const ParameterOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    Table table = tableOfParameters(asked->scenario);
    if (options.output.isForPeople()) {
        table.caption = "--set and --axis take any of these keys. Without blocks[\xE2\x80\xA6] a "
                        "key means every block that has it, as in --set algorithm=materialised or "
                        "--set ffn.d_ff=1024; blocks[3] means block 3 alone.";
    }
    Outcome outcome = options.output.of(table);
    outcome.notes = asked->notes;
    return outcome;
}

} // namespace

void addPresets(ArgumentParser program, Command& chosen)
{
    addList(program, chosen, "presets", "The models to start from", presetTable);
}

void addFamilies(ArgumentParser program, Command& chosen)
{
    addList(program,
            chosen,
            "families",
            "The model types whose config.json opens, and their classes",
            familyTable);
}

void addLenses(ArgumentParser program, Command& chosen)
{
    addList(program, chosen, "lenses", "The conventions of counting operations", lensTable);
}

void addParameters(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<ParameterOptions>();
    const ArgumentParser command = program.addCommand(
        "parameters", "Every number of a model that --set and --axis can change");
    options->model.addTo(command);
    command.option("MODEL").required(false).description(
        "As for the other commands; without it, the preset gpt2-half-swapped");
    options->model.setDefaultModel("gpt2-half-swapped");
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return parameters(*options); }; });
}

} // namespace flopsmith::app
