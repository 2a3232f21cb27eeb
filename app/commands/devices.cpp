// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options.h"
#include "app/store_options.h"
#include "core/base/text.h"
#include "core/protocol/device.h"
#include "core/protocol/device_session.h"

namespace flopsmith::app {
namespace {

// A device behind a network may have to start first.
constexpr Milliseconds kPatience{20'000};

struct Answered
{
    std::string device;
    std::string state;
};

struct AnsweredOf
{
    Answered operator()(const DeviceSession::Trouble& trouble) const
    {
        return {"", trouble.sentence};
    }
    Answered operator()(const DeviceSession::Cancelled&) const { return {"", "cancelled"}; }
    Answered operator()(const Answer& answer) const
    {
        if (const auto* described = std::get_if<Described>(&answer)) {
            return {described->device, "ready, " + described->program};
        }
        const auto* failure = std::get_if<flopsmith::Failure>(&answer);
        return {"", failure != nullptr ? failure->sentence : "gave an unexpected answer"};
    }
};

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

// Devices that cannot be asked, but whose results were imported.
Status addImported(Table& table, const std::filesystem::path& file)
{
    Result<std::optional<MeasurementStore>> store = MeasurementStore::openExisting(file);
    if (!store) {
        return store.error();
    }
    if (!*store) {
        return Done{};
    }
    const Result<std::vector<ImportedDevice>> imported = (*store)->importedDevices();
    if (!imported) {
        return imported.error();
    }
    for (const ImportedDevice& each : *imported) {
        table.rows.push_back({Cell::text(each.device.name),
                              Cell::text(each.machine.described.device),
                              Cell::text("imported, " + std::to_string(each.results)
                                         + " results, seen " + dateText(each.machine.seen)),
                              Cell::text("")});
    }
    return Done{};
}

Outcome devices(const OutputOptions& output, const std::filesystem::path& storeFile)
{
    const Result<std::vector<Device>> all = allDevices();
    if (!all) {
        return Outcome::badInput(all.error());
    }
    Table table{.columns = {{"name", "name", Align::left},
                            {"device", "device", Align::left},
                            {"state", "state", Align::left},
                            {"command", "command", Align::left}}};
    for (const Device& device : *all) {
        DeviceSession session(device);
        const Answered answered =
            std::visit(AnsweredOf{}, session.ask(DescribeRequest{}, kPatience, {}));
        table.rows.push_back({Cell::text(device.name),
                              Cell::text(answered.device),
                              Cell::text(answered.state),
                              Cell::text(joined(device.command))});
    }
    const Status imported = addImported(table, storeFile);
    Outcome outcome = output.of(table);
    if (!imported) {
        outcome.notes.push_back(imported.error().message);
    }
    return outcome;
}

} // namespace

void addDevices(CLI::App& program, Command& chosen)
{
    struct DevicesOptions
    {
        OutputOptions output;
        StoreOptions store;
    };
    auto options = std::make_shared<DevicesOptions>();
    CLI::App& command =
        *program.add_subcommand("devices", "Where --device can measure, and whether it answers");
    options->output.addTo(command);
    options->store.addFileTo(command);
    command.callback([options, &chosen] {
        chosen = [options] { return devices(options->output, options->store.file()); };
    });
    command.footer("More devices, as [{\"name\": \"GPU box\", \"command\": [\"ssh\", \"gpu-box\", "
                   "\"flopsmith-bench-cuda\"]}], stand in\n"
                   + deviceFile().string());
}

} // namespace flopsmith::app
