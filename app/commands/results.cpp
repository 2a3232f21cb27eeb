// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/options.h"
#include "app/options/store_options.h"
#include "app/results/results_selection.h"
#include "app/results/results_table.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/io/project/version.h"
#include "core/io/table/table_text.h"
#include "core/json/json_text.h"
#include "core/store/results_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

namespace flopsmith::app {
namespace {

struct ResultsOptions
{
    StoreOptions store;
    ResultsSelection selection;
    OutputOptions output;
    std::string sort = "taken";
    std::string format = "json";
    std::string target;
    std::string name;
    std::string file;
    bool all = false;
};

const std::map<std::string, ResultOrder> kOrders{{"taken", ResultOrder::taken},
                                                 {"median", ResultOrder::median},
                                                 {"rate", ResultOrder::rate},
                                                 {"operation", ResultOrder::operation},
                                                 {"device", ResultOrder::device}};

// The selected results; empty without a store.
Result<std::vector<MachineResults>> selected(const ResultsOptions& options)
{
    FLOPSMITH_TRY(const ResultSelection selection, options.selection.selection());
    FLOPSMITH_TRY(std::optional<MeasurementStore> store,
                  MeasurementStore::openExisting(options.store.file()));
    if (!store) {
        return std::vector<MachineResults>{};
    }
    FLOPSMITH_TRY(std::vector<MachineResults> listed, store->list(selection));
    FLOPSMITH_RETURN_IF_ERROR(options.selection.keepModel(listed));
    return listed;
}

std::size_t count(const std::vector<MachineResults>& machines)
{
    std::size_t results = 0;
    for (const MachineResults& machine : machines) {
        results += machine.results.size();
    }
    return results;
}

std::string resultsText(std::int64_t number)
{
    return std::to_string(number) + (number == 1 ? " result" : " results");
}

// The machine of all results; null if there are several.
const StoredMachine* onlyMachine(const std::vector<MachineResults>& machines)
{
    const StoredMachine* only = nullptr;
    for (const MachineResults& each : machines) {
        if (!each.results.empty() && only != nullptr) {
            return nullptr;
        }
        only = each.results.empty() ? only : &each.machine;
    }
    return only;
}

// A caption, and below it only columns whose rows differ.
Table tableForPeople(const std::vector<MachineResults>& machines, const ResultsOptions& options)
{
    Table table = resultsTableForPeople(machines, kOrders.at(options.sort), unixNow());
    table.caption = resultsText(static_cast<std::int64_t>(count(machines))) + " in "
        + options.store.file().string();
    if (const StoredMachine* only = onlyMachine(machines)) {
        table.caption += ", on " + machineText(*only);
        table.columns.pop_back();
        for (std::vector<Cell>& row : table.rows) {
            row.pop_back();
        }
    }
    return table;
}

Outcome listed(const ResultsOptions& options)
{
    const Result<std::vector<MachineResults>> machines = selected(options);
    if (!machines) {
        return Outcome::badInput(machines.error());
    }
    if (!options.output.isForPeople()) {
        return options.output.of(resultsTable(*machines, kOrders.at(options.sort)));
    }
    const Table table = tableForPeople(*machines, options);
    return table.rows.empty() ? options.output.of(table.caption + "\n") : options.output.of(table);
}

std::string hostName()
{
    std::array<char, 256> name{};
    const bool known = gethostname(name.data(), name.size() - 1) == 0;
    const std::string text = known ? name.data() : "";
    return checkedOrigin(text, "") ? text : "another computer";
}

Outcome exported(const ResultsOptions& options)
{
    const std::string name = options.name.empty() ? hostName() : options.name;
    if (const Status fine = checkedOrigin(name, "--name " + name); !fine) {
        return Outcome::badInput(fine.error());
    }
    Result<std::vector<MachineResults>> machines = selected(options);
    if (!machines) {
        return Outcome::badInput(machines.error());
    }
    if (!options.all) {
        std::erase_if(*machines,
                      [](const MachineResults& each) { return each.machine.isImported(); });
    }
    Outcome outcome{.target = options.target};
    outcome.text = options.format == "csv"
        ? csvText(resultsTable(*machines, ResultOrder::taken))
        : jsonText(resultsJson({name, *machines}, "flopsmith " + std::string(programVersion())), 1)
            + "\n";
    if (options.name.empty() && options.format == "json") {
        outcome.notes.push_back("the export says that the results are of \"" + name
                                + "\", the name of this computer; --name gives another");
    }
    if (outcome.text.size() > kLargestTextFile && options.format == "json") {
        outcome.notes.push_back("the export is larger than an import may be (16 MiB); export parts "
                                "with --device, --model or --since");
    }
    return outcome;
}

Outcome imported(const ResultsOptions& options)
{
    const Result<std::string> text = textOfFile(options.file);
    if (!text) {
        return Outcome::badInput(text.error());
    }
    const Result<ResultsFile> file = resultsOfText(*text, options.file);
    if (!file) {
        return Outcome::badInput(file.error());
    }
    const std::string origin = options.name.empty() ? file->name : options.name;
    if (const Status fine = checkedOrigin(origin, "--as " + origin); !fine) {
        return Outcome::badInput(fine.error());
    }
    Result<MeasurementStore> store = MeasurementStore::open(options.store.file());
    if (!store) {
        return Outcome::badInput(store.error());
    }
    const Result<ImportCounts> counts = store->import(file->machines, origin);
    if (!counts) {
        return Outcome::badInput(counts.error());
    }
    std::string sentence = "imported " + resultsText(counts->added) + " of " + origin;
    sentence += counts->renewed > 0 ? ", " + std::to_string(counts->renewed) + " renewed" : "";
    sentence += counts->known > 0 ? ", " + std::to_string(counts->known) + " known already" : "";
    return Outcome::success(sentence + "\n");
}

Outcome forgotten(const ResultsOptions& options)
{
    if (options.all == options.selection.isAnySet()) {
        return Outcome::failure(ExitCode::wrongUsage,
                                "results forget needs either --all or which results (--device, "
                                "--since, --outdated, --current)");
    }
    const Result<ResultSelection> selection = options.selection.selection();
    if (!selection) {
        return Outcome::badInput(selection.error());
    }
    Result<std::optional<MeasurementStore>> store =
        MeasurementStore::openExisting(options.store.file());
    if (!store) {
        return Outcome::badInput(store.error());
    }
    const Result<std::int64_t> number =
        *store ? (*store)->forget(*selection) : Result<std::int64_t>(0);
    return number ? Outcome::success("forgot " + resultsText(*number) + "\n")
                  : Outcome::badInput(number.error());
}

void addExport(ArgumentParser results, Command& chosen)
{
    auto options = std::make_shared<ResultsOptions>();
    const ArgumentParser command =
        results.addCommand("export", "Writes results for another store, or a spreadsheet");
    options->store.addFileTo(command);
    options->selection.addTo(command);
    options->selection.addModelTo(command);
    command.addOption("--format", options->format, "json, for results import, or csv")
        .oneOf({"json", "csv"})
        .typeName("NAME")
        .showDefault();
    command.addOption("FILE,-o,--output", options->target, "Write to this file").typeName("FILE");
    command
        .addOption("--name",
                   options->name,
                   "What the importer sees them under; without it, the name of this computer")
        .typeName("NAME");
    command.addFlag("--all", options->all, "Those that were imported here, too");
    command.callback([options, &chosen] { chosen = [options] { return exported(*options); }; });
}

void addResultsImport(ArgumentParser results, Command& chosen)
{
    auto options = std::make_shared<ResultsOptions>();
    const ArgumentParser command =
        results.addCommand("import", "Takes over results that were measured elsewhere");
    options->store.addFileTo(command);
    command.addOption("FILE", options->file, "Written by flopsmith results export").required();
    command
        .addOption("--as",
                   options->name,
                   "Whose they are; without it, the name in the file. They appear as a device, "
                   "say \"GPU of NAME (imported)\"")
        .typeName("NAME");
    command.callback([options, &chosen] { chosen = [options] { return imported(*options); }; });
}

void addForget(ArgumentParser results, Command& chosen)
{
    auto options = std::make_shared<ResultsOptions>();
    const ArgumentParser command = results.addCommand("forget", "Removes results for good");
    options->store.addFileTo(command);
    options->selection.addTo(command);
    command.addFlag("--all", options->all, "Everything");
    command.callback([options, &chosen] { chosen = [options] { return forgotten(*options); }; });
}

std::vector<std::string> orderNames()
{
    std::vector<std::string> names;
    for (const auto& [name, order] : kOrders) {
        names.push_back(name);
    }
    return names;
}

} // namespace

void addResults(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<ResultsOptions>();
    const ArgumentParser command =
        program.addCommand("results", "What was measured so far; results export, import, forget");
    options->store.addFileTo(command);
    options->selection.addTo(command);
    options->selection.addModelTo(command);
    command.addOption("--sort", options->sort, "taken, median, rate, operation or device")
        .oneOf(orderNames())
        .typeName("NAME")
        .showDefault();
    options->output.addTo(command);
    command.allowOneCommand();
    addExport(command, chosen);
    addResultsImport(command, chosen);
    addForget(command, chosen);
    command.callback([options, command, &chosen] {
        if (!command.isCommandBelowChosen()) {
            chosen = [options] { return listed(*options); };
        }
    });
    command.footer("Example: flopsmith results --device h100 --since 7d --sort median\n"
                   "         flopsmith results export -o mine.json, and elsewhere\n"
                   "         flopsmith results import mine.json --as lab-gpu");
}

} // namespace flopsmith::app
