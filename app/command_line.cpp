// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "app/commands/commands.h"
#include "core/io/version.h"

#include <CLI/CLI.hpp>

namespace flopsmith::app {
namespace {

constexpr const char* kDescription =
    "Flopsmith: build a transformer, move its numbers, and see at once what it costs.\n"
    "Without a command the window opens, on FILE if one is named. The commands need no display.";

constexpr const char* kFooter =
    "MODEL is a preset, a .flopsmith file or a Hugging Face config.json.\n"
    "Exit codes: 0 success, 1 bad input, 2 wrong usage, 3 device unavailable.\n\n"
    "  flopsmith cost gpt2 --seq 1024 --lens matmul\n"
    "  flopsmith measure gpt2 --seq 128\n"
    "  flopsmith help cost";

// Columns of a terminal that the help texts are set for.
constexpr std::size_t kHelpColumn = 34;

// "flopsmith devices add"
std::string fullName(const CLI::App& command)
{
    const CLI::App* parent = command.get_parent();
    return (parent == nullptr ? std::string() : fullName(*parent) + " ") + command.get_name();
}

// App::help() would give that of the command that was parsed, even of the one that asks for help.
std::string helpOf(const CLI::App& command)
{
    return command.get_formatter()->make_help(
        &command, fullName(command), CLI::AppFormatMode::Normal);
}

// "devices add", word by word.
const CLI::App* commandNamed(CLI::App& program, const std::vector<std::string>& words)
{
    CLI::App* command = &program;
    for (const std::string& word : words) {
        const auto found =
            command->get_subcommands([&word](CLI::App* each) { return each->get_name() == word; });
        if (found.empty()) {
            return nullptr;
        }
        command = found.front();
    }
    return command;
}

Outcome helpAbout(CLI::App& program, const std::vector<std::string>& words)
{
    if (const CLI::App* shown = commandNamed(program, words)) {
        return Outcome::success(helpOf(*shown));
    }
    std::string topic;
    for (const std::string& word : words) {
        topic += (topic.empty() ? "" : " ") + word;
    }
    return Outcome::failure(ExitCode::wrongUsage,
                            "help: there is no command \"" + topic
                                + "\"; flopsmith help lists them");
}

void addHelp(CLI::App& program, Command& chosen)
{
    auto topic = std::make_shared<std::vector<std::string>>();
    CLI::App& command = *program.add_subcommand("help", "This text, or that of a command");
    command.add_option("COMMAND", *topic, "Such as measure, or devices add")->type_name("");
    command.callback([topic, &program, &chosen] {
        chosen = [topic, &program] { return helpAbout(program, *topic); };
    });
}

void addCommands(CLI::App& program, Command& chosen)
{
    addCost(program, chosen);
    addMemory(program, chosen);
    addRoofline(program, chosen);
    addTrain(program, chosen);
    addHardware(program, chosen);
    addMeasure(program, chosen);
    addShares(program, chosen);
    addPeaks(program, chosen);
    addSweep(program, chosen);
    addFind(program, chosen);
    addChart(program, chosen);
    addFormula(program, chosen);
    addFolklore(program, chosen);
    addWaterfall(program, chosen);
    addConformance(program, chosen);
    addPresets(program, chosen);
    addLenses(program, chosen);
    addParameters(program, chosen);
    addResults(program, chosen);
    addDevices(program, chosen);
    addCheck(program, chosen);
    addClaims(program, chosen);
    addDemo(program, chosen);
    addHelp(program, chosen);
    for (CLI::App* command : program.get_subcommands([](CLI::App*) { return true; })) {
        command->group("Commands");
    }
}

void describe(CLI::App& program)
{
    program.name("flopsmith");
    program.description(kDescription);
    program.footer(kFooter);
    program.get_formatter()->column_width(kHelpColumn);
    program.set_version_flag("--version", "flopsmith " + std::string(programVersion()));
    program.require_subcommand(0, 1);
    program.get_formatter()->label("SUBCOMMAND", "COMMAND");
}

// --help and --version are successes that CLI11 reports by exceptions too.
Outcome parsingOutcome(const CLI::App& program, const CLI::ParseError& error)
{
    if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
        return Outcome::success(std::string(error.what()) + "\n");
    }
    const CLI::App* named = &program;
    while (!named->get_subcommands().empty()) {
        named = named->get_subcommands().front();
    }
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        return Outcome::success(helpOf(*named));
    }
    const std::string root = program.get_name();
    const std::string help = root + " help" + fullName(*named).substr(root.size());
    return Outcome::failure(ExitCode::wrongUsage,
                            std::string(error.what()) + " (see " + help + ")");
}

} // namespace

int run(int argc, char** argv, WindowStarter startWindow)
{
    CLI::App program;
    Command chosen;
    WindowRequest window;
    describe(program);
    addWindowOptions(program, window);
    addCommands(program, chosen);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return delivered(parsingOutcome(program, error));
    }
    return chosen ? delivered(chosen()) : startWindow(window, argc, argv);
}

} // namespace flopsmith::app
