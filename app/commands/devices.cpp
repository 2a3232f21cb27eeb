// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/commands/devices_edit.h"
#include "app/options/options.h"
#include "app/options/store_options.h"
#include "core/base/text.h"
#include "core/protocol/device/command_text.h"
#include "core/protocol/device/device.h"
#include "core/protocol/device/device_session.h"

#include <cmath>
#include <future>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace flopsmith::app {
namespace {

enum DeviceColumn : std::size_t { kName, kDevice, kCommand, kState };

struct Answered
{
    std::string device;
    std::string state;
    std::string warning; ///< an avoidable cause of slow kernels; empty: none known
};

Answered askedOnce(const Device& device, Milliseconds patience)
{
    DeviceSession session(device);
    const Result<Described> described = describedBy(session, patience);
    return described ? Answered{described->device,
                                "ready, " + described->program,
                                described->environment.warning}
                     : Answered{"", described.error().message, ""};
}

// Devices that cannot be asked, but whose results were imported.
Status addImported(Table& table, const std::filesystem::path& file)
{
    FLOPSMITH_TRY(std::optional<MeasurementStore> store, MeasurementStore::openExisting(file));
    if (!store) {
        return Done{};
    }
    FLOPSMITH_TRY(const std::vector<ImportedDevice> imported, store->importedDevices());
    for (const ImportedDevice& each : imported) {
        table.rows.push_back({Cell::text(each.device.name),
                              Cell::text(each.machine.described.device),
                              Cell::text(""),
                              Cell::text("imported, " + std::to_string(each.results)
                                         + " results, seen " + dateText(each.machine.seen))});
    }
    return Done{};
}

// Runs on a thread of its own, or deferred if the system cannot start one.
std::future<Answered> askedAside(const Device& device, Milliseconds patience)
{
    try {
        return std::async(std::launch::async, askedOnce, device, patience);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, askedOnce, device, patience);
    }
}

// In parallel, so that a device that hangs does not delay the others.
std::vector<Answered> answersOf(const std::vector<Device>& all, Milliseconds patience)
{
    std::vector<std::future<Answered>> asked;
    asked.reserve(all.size());
    for (const Device& device : all) {
        asked.push_back(askedAside(device, patience));
    }
    std::vector<Answered> answers;
    answers.reserve(all.size());
    for (std::future<Answered>& one : asked) {
        answers.push_back(one.get());
    }
    return answers;
}

// The window's layout: problem and command are below the device, where a terminal is wide enough.
Table forPeople(const Table& table)
{
    Table shown{.columns = {{"name", "name", Align::left},
                            {"state", "state", Align::left},
                            {"device", "device", Align::left}}};
    const auto below = [&shown](const std::string& text) {
        if (!text.empty()) {
            std::vector<Cell> row(shown.columns.size());
            row[0] = Cell::text(text);
            row[0].spans = true;
            row[0].indent = 1;
            shown.rows.push_back(std::move(row));
        }
    };
    for (const std::vector<Cell>& row : table.rows) {
        const std::string& device = row[kDevice].shown;
        const std::string& state = row[kState].shown;
        const std::size_t comma = device.empty() ? std::string::npos : state.find(", ");
        const std::string word = device.empty() ? "not available" : state.substr(0, comma);
        shown.rows.push_back({row[kName], Cell::text(word), row[kDevice]});
        below(device.empty() ? state : comma == std::string::npos ? "" : state.substr(comma + 2));
        below(row[kCommand].shown);
    }
    return shown;
}

Outcome devices(const OutputOptions& output,
                double patienceSeconds,
                const std::filesystem::path& storeFile)
{
    const Result<std::vector<Device>> all = allDevices();
    if (!all) {
        return Outcome::badInput(all.error());
    }
    Table table{.columns = {{"name", "name", Align::left},
                            {"device", "device", Align::left},
                            {"command", "command", Align::left},
                            {"state", "state", Align::left}}};
    const std::vector<Answered> answers =
        answersOf(*all, Milliseconds(std::llround(1000.0 * patienceSeconds)));
    for (std::size_t i = 0; i < all->size(); ++i) {
        table.rows.push_back({Cell::text((*all)[i].name),
                              Cell::text(answers[i].device),
                              Cell::text(commandText((*all)[i].command)),
                              Cell::text(answers[i].state)});
    }
    const Status imported = addImported(table, storeFile);
    Outcome outcome = output.of(output.isForPeople() ? forPeople(table) : table);
    if (!imported) {
        outcome.notes.push_back(imported.error().message);
    }
    for (std::size_t i = 0; i < all->size(); ++i) {
        if (!answers[i].warning.empty()) {
            outcome.notes.push_back((*all)[i].name + ": " + answers[i].warning);
        }
    }
    return outcome;
}

} // namespace

void addDevices(ArgumentParser program, Command& chosen)
{
    struct DevicesOptions
    {
        OutputOptions output;
        StoreOptions store;
    };
    auto options = std::make_shared<DevicesOptions>();
    const ArgumentParser command =
        program.addCommand("devices", "Where --device can measure, and whether it answers");
    options->output.addTo(command);
    options->store.addFileTo(command);
    auto patience = std::make_shared<double>(kDescribePatience.count() / 1000.0);
    command.addOption("--patience", *patience, "How long each may take to answer")
        .typeName("SECONDS")
        .check(between(0.1, 3600.0))
        .showDefault();
    addDeviceEditing(command, chosen);
    command.allowOneCommand();
    command.callback([options, patience, command, &chosen] {
        if (!command.isCommandBelowChosen()) {
            chosen = [options, patience] {
                return devices(options->output, *patience, options->store.file());
            };
        }
    });
    command.footer("The list is kept in " + deviceFile().string()
                   + "\n\n  flopsmith devices add \"GPU box\" -- ssh gpu-box flopsmith-bench-cuda");
}

} // namespace flopsmith::app
