// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/lab/lab_commands.h"
#include "app/options/options.h"
#include "core/lab/plan/arms.h"
#include "core/lab/plan/task_spec.h"

#include <memory>

namespace flopsmith::app {
namespace {

Table taskTable()
{
    Table table{.columns = {{"task", "task", Align::left},
                            {"score", "score", Align::left},
                            {"tests", "tests", Align::left},
                            {"solved", "solved", Align::left},
                            {"numbers", "numbers", Align::left}}};
    for (const TaskSpec& task : taskPrototypes()) {
        const TaskInfo& about = info(task);
        table.rows.push_back({Cell::text(std::string(about.id)),
                              Cell::text(std::string(scoreName(about.score))),
                              Cell::text(std::string(about.tests)),
                              Cell::text(std::string(about.solved)),
                              Cell::text(numbersText(task))});
    }
    return table;
}

Table armTable()
{
    Table table{.columns = {{"arm", "arm", Align::left}, {"ffn", "FFN", Align::left}}};
    for (const ArmName& arm : armNames()) {
        table.rows.push_back(
            {Cell::text(std::string(arm.name)), Cell::text(std::string(arm.help))});
    }
    table.rows.push_back({Cell::text("dense_fN"), Cell::text("a dense FFN of width N")});
    return table;
}

void addLabTasks(ArgumentParser lab, Command& chosen)
{
    const ArgumentParser tasks = lab.addCommand("tasks", "What can be learned, and by which FFNs");
    auto output = std::make_shared<OutputOptions>();
    auto arms = std::make_shared<bool>(false);
    tasks.addFlag("--arms", *arms, "The FFNs that have a name, in place of the tasks");
    output->addTo(tasks);
    tasks.callback([output, arms, &chosen] {
        chosen = [output, arms] { return output->of(*arms ? armTable() : taskTable()); };
    });
}

} // namespace

void addLab(ArgumentParser program, Command& chosen)
{
    const ArgumentParser command = program.addCommand(
        "lab", "Does a cheap FFN still learn? Train it beside none, a linear and a dense one");
    command.allowOneCommand();
    addLabTasks(command, chosen);
    addLabRun(command, chosen);
    addLabDistil(command, chosen);
    addLabMerge(command, chosen);
    addLabChart(command, chosen);
    addLabExport(command, chosen);
    addLabShow(command, chosen);
    addLabSummary(command, chosen);
    addLabSample(command, chosen);
    addLabCheck(command, chosen);
    command.callback([command, &chosen] {
        if (!command.isCommandBelowChosen()) {
            chosen = [] { return OutputOptions().of(taskTable()); };
        }
    });
    command.footer(
        "Example: flopsmith lab run --task teacher --arms dense,spectral,ultra --seeds 3 "
        "-o t.jsonl\n"
        "         flopsmith lab verdict t.jsonl");
}

} // namespace flopsmith::app
