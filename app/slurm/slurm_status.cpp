// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/options.h"
#include "app/slurm/slurm_commands.h"
#include "app/slurm/slurm_tasks.h"
#include "core/store/when.h"

#include <map>
#include <memory>

namespace flopsmith::app {
namespace {

struct StatusOptions
{
    std::string folder;
    OutputOptions output;
};

Table tableOf(const std::vector<SlurmTask>& tasks)
{
    Table table;
    table.columns = {{"task", "task", Align::right},
                     {"state", "state", Align::left},
                     {"since", "since", Align::left},
                     {"host", "host", Align::left},
                     {"detail", "", Align::left}};
    for (const SlurmTask& task : tasks) {
        table.rows.push_back({Cell::count(task.number),
                              Cell::text(std::string(nameOf(task.state))),
                              Cell::text(task.since > 0 ? ageText(task.since, unixNow()) : ""),
                              Cell::text(task.host),
                              Cell::text(task.detail)});
    }
    return table;
}

// "12 done, 3 missing"
std::string countsOf(const std::vector<SlurmTask>& tasks)
{
    std::map<TaskState, int> counts;
    for (const SlurmTask& task : tasks) {
        ++counts[task.state];
    }
    std::string text;
    for (auto state = counts.rbegin(); state != counts.rend(); ++state) {
        text += (text.empty() ? "" : ", ") + std::to_string(state->second) + " "
            + std::string(nameOf(state->first));
    }
    return text;
}

Outcome status(const StatusOptions& options)
{
    const Result<SlurmJob> job = jobOfFolder(options.folder);
    if (!job) {
        return Outcome::badInput(job.error());
    }
    const SlurmQueue queue = queueOf(*job);
    const std::vector<SlurmTask> tasks = tasksOf(*job, queue);
    Outcome outcome = options.output.of(tableOf(tasks));
    outcome.notes.push_back(countsOf(tasks));
    if (!queue) {
        outcome.notes.push_back("squeue does not answer here: a task that was killed is still "
                                "called running");
    }
    return outcome;
}

} // namespace

void addSlurmStatus(ArgumentParser slurm, Command& chosen)
{
    auto options = std::make_shared<StatusOptions>();
    const ArgumentParser command = slurm.addCommand("status", "The state of each task");
    command.addOption("FOLDER", options->folder, "Of flopsmith slurm script").required();
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return status(*options); }; });
    command.footer("Tasks that are missing, stopped, lost or failed continue when the script is "
                   "submitted again.");
}

} // namespace flopsmith::app
