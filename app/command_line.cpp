// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "app/charts/command/chart_commands.h"
#include "app/commands/commands.h"
#include "app/models/model_commands.h"
#include "app/teach/teach_commands.h"
#include "core/base/printable.h"
#include "core/io/project/version.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <optional>
#include <system_error>

namespace flopsmith::app {
namespace {

constexpr const char* kDescription =
    "Flopsmith: build a transformer, move its numbers, and see at once what it costs.\n"
    "Without a command the window opens, on FILE if one is named. The commands need no display.";

constexpr const char* kFooter =
    "MODEL is a preset, a .flopsmith file, a share code or a Hugging Face config.json.\n"
    "Exit codes: 0 success, 1 bad input, 2 wrong usage, 3 device unavailable,\n"
    "4 an arm of a lab diverged.\n\n"
    "  flopsmith cost gpt2 --seq 1024 --lens matmul\n"
    "  flopsmith measure gpt2 --seq 128\n"
    "  flopsmith help cost";

// The column where the help's descriptions begin.
constexpr std::size_t kHelpColumn = 34;

// "flopsmith devices add"
std::string fullName(const CLI::App& command)
{
    const CLI::App* parent = command.get_parent();
    return (parent == nullptr ? std::string() : fullName(*parent) + " ") + command.get_name();
}

// App::help() would describe the command that was parsed instead of `command`.
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
    const ArgumentParser parser(program);
    addCost(parser, chosen);
    addCompare(parser, chosen);
    addMemory(parser, chosen);
    addRoofline(parser, chosen);
    addTrain(parser, chosen);
    addHardware(parser, chosen);
    addMeasure(parser, chosen);
    addShares(parser, chosen);
    addPeaks(parser, chosen);
    addSweep(parser, chosen);
    addFind(parser, chosen);
    addChart(parser, chosen);
    addReport(parser, chosen);
    addFormula(parser, chosen);
    addFolklore(parser, chosen);
    addWaterfall(parser, chosen);
    addConformance(parser, chosen);
    addPresets(parser, chosen);
    addFamilies(parser, chosen);
    addLenses(parser, chosen);
    addParameters(parser, chosen);
    addResults(parser, chosen);
    addDevices(parser, chosen);
    addDesignExport(parser, chosen);
    addImport(parser, chosen);
    addGenerate(parser, chosen);
    addLogits(parser, chosen);
    addShare(parser, chosen);
    addCheck(parser, chosen);
    addLesson(parser, chosen);
    addExercise(parser, chosen);
    addLab(parser, chosen);
    addSlurm(parser, chosen);
    addClaims(parser, chosen);
    addDemo(parser, chosen);
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

// CLI11 reports --help and --version by exceptions too, although they are successes.
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
    constexpr std::size_t kMax =
        1500; // a refused value is repeated in full, and so are its choices
    return Outcome::failure(ExitCode::wrongUsage,
                            elided(error.what(), kMax) + " (see " + help + ")");
}

// The command of a device, word by word.
bool takesEmptyWords(const CLI::Option& option)
{
    return option.get_positional() && option.get_items_expected_max() > 1;
}

// Refuses empty values: --seq "$LENGTH" with an unset variable must not fall back to the default.
void refuseEmptyValues(CLI::App& command)
{
    const CLI::Validator isThere(
        [](const std::string& text) {
            return std::string(text.empty() ? "a value must not be empty" : "");
        },
        "");
    for (CLI::Option* option : command.get_options()) {
        if (option->get_items_expected_max() > 0 && !takesEmptyWords(*option)) {
            option->check(isThere);
        }
    }
    for (CLI::App* below : command.get_subcommands([](CLI::App*) { return true; })) {
        refuseEmptyValues(*below);
    }
}

// Refuses options of the window before a command, which would ignore them.
std::optional<Outcome> misplacedOption(const CLI::App& program)
{
    if (program.get_subcommands().empty()) {
        return std::nullopt;
    }
    const std::string command = program.get_subcommands().front()->get_name();
    for (const CLI::Option* option : program.get_options()) {
        if (option->count() > 0) {
            return Outcome::failure(ExitCode::wrongUsage,
                                    option->get_name() + " before \"" + command
                                        + "\" is for the window; options of a command stand "
                                          "behind it (see flopsmith help "
                                        + command + ")");
        }
    }
    return std::nullopt;
}

// Turns a missing system resource (mostly a thread) into an outcome.
template <class Work>
int completed(Work work)
{
    try {
        return work();
    } catch (const std::system_error& error) {
        return delivered(Outcome::failure(ExitCode::deviceUnavailable,
                                          std::string("the system refuses: ") + error.what()));
    }
}

} // namespace

int run(int argc, char** argv, WindowStarter startWindow)
{
    std::signal(SIGXFSZ, SIG_IGN); // exceeding a file size limit becomes an error of write()
    CLI::App program;
    Command chosen;
    WindowRequest window;
    describe(program);
    addWindowOptions(ArgumentParser(program), window);
    addCommands(program, chosen);
    refuseEmptyValues(program);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return delivered(parsingOutcome(program, error));
    }
    if (const auto misplaced = misplacedOption(program)) {
        return delivered(*misplaced);
    }
    return completed(
        [&] { return chosen ? delivered(chosen()) : startWindow(window, argc, argv); });
}

} // namespace flopsmith::app
