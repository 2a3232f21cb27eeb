// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/commands/devices_edit.h"
#include "app/options.h"
#include "core/protocol/command_text.h"
#include "core/protocol/device.h"
#include "core/protocol/device_session.h"

#include <future>
#include <string>
#include <vector>

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

Answered askedOnce(const Device& device)
{
    DeviceSession session(device);
    return std::visit(AnsweredOf{}, session.ask(DescribeRequest{}, kPatience, {}));
}

// All at once: one that hangs makes nobody wait for the others.
std::vector<Answered> answersOf(const std::vector<Device>& all)
{
    std::vector<std::future<Answered>> asked;
    asked.reserve(all.size());
    for (const Device& device : all) {
        asked.push_back(std::async(std::launch::async, askedOnce, device));
    }
    std::vector<Answered> answers;
    answers.reserve(all.size());
    for (std::future<Answered>& one : asked) {
        answers.push_back(one.get());
    }
    return answers;
}

Outcome devices(const OutputOptions& output)
{
    const Result<std::vector<Device>> all = allDevices();
    if (!all) {
        return Outcome::badInput(all.error());
    }
    Table table{.columns = {{"name", "name", Align::left},
                            {"device", "device", Align::left},
                            {"state", "state", Align::left},
                            {"command", "command", Align::left}}};
    const std::vector<Answered> answers = answersOf(*all);
    for (std::size_t i = 0; i < all->size(); ++i) {
        table.rows.push_back({Cell::text((*all)[i].name),
                              Cell::text(answers[i].device),
                              Cell::text(answers[i].state),
                              Cell::text(commandText((*all)[i].command))});
    }
    return output.of(table);
}

} // namespace

void addDevices(CLI::App& program, Command& chosen)
{
    auto output = std::make_shared<OutputOptions>();
    CLI::App& command =
        *program.add_subcommand("devices", "Where --device can measure, and whether it answers");
    output->addTo(command);
    addDeviceEditing(command, chosen);
    command.require_subcommand(0, 1);
    command.callback([output, &command, &chosen] {
        if (command.get_subcommands().empty()) {
            chosen = [output] { return devices(*output); };
        }
    });
    command.footer("The list is kept in " + deviceFile().string()
                   + "\n\n  flopsmith devices add \"GPU box\" -- ssh gpu-box flopsmith-bench-cuda");
}

} // namespace flopsmith::app
