// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "core/io/reports/hardware_report.h"

namespace flopsmith::app {
namespace {

struct HardwareCommandOptions
{
    HardwareOptions hardware;
    OutputOptions output;
    bool sources = false;
};

Outcome hardwareOf(const HardwareCommandOptions& options)
{
    if (!options.hardware.isNamed()) {
        return options.output.of(options.sources ? hardwareFigures(hardwareTable())
                                                 : hardwareList(hardwareTable()));
    }
    std::vector<std::string> notes;
    const std::variant<Hardware, Outcome> found = options.hardware.hardware(notes);
    if (const auto* failed = std::get_if<Outcome>(&found)) {
        return *failed;
    }
    const std::vector<Hardware> one{std::get<Hardware>(found)};
    Outcome outcome = options.output.of(hardwareFigures(one));
    outcome.notes = std::move(notes);
    return outcome;
}

} // namespace

void addHardware(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<HardwareCommandOptions>();
    const ArgumentParser command = program.addCommand(
        "hardware", "The devices that --hardware knows, and the source of each figure");
    options->hardware.addPlaceTo(command);
    command.addFlag("--sources", options->sources, "A line per figure, with its source");
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return hardwareOf(*options); }; });
    command.footer("Examples:\n"
                   "  flopsmith hardware h100-sxm\n"
                   "  flopsmith hardware this\n\n"
                   "A hardware file looks like this:\n"
                   "  {\"flopsmith_hardware\": 1, \"devices\": [{\"id\": \"mine\", \"name\": \"My "
                   "GPU\", \"kind\": \"gpu\",\n"
                   "   \"memory\": {\"gb\": 24, \"source\": \"…\"}, \"bandwidth\": {\"gb_per_s\": "
                   "1008, \"source\": \"…\"},\n"
                   "   \"power\": {\"watts\": 450, \"source\": \"…\"},\n"
                   "   \"peaks\": [{\"format\": \"bf16\", \"tflops\": 165.2, \"dense\": true, "
                   "\"source\": \"…\"}]}]}");
}

} // namespace flopsmith::app
