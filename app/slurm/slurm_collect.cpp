// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/replaced_log.h"
#include "app/slurm/slurm_commands.h"
#include "app/slurm/slurm_tasks.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/log/lab_merge.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

namespace flopsmith::app {
namespace {

struct CollectOptions
{
    std::string folder;
    std::string target;
};

bool isThere(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

// Task 1 has the points 1, N + 1, …: a row of each in turn is the order of the whole sweep.
Result<std::string> joinedTables(const SlurmJob& job)
{
    std::vector<std::vector<std::string>> tables;
    std::string head;
    std::size_t longest = 0;
    for (int task = 1; task <= job.tasks; ++task) {
        const std::string path = job.result(task);
        FLOPSMITH_TRY(const std::string text, isThere(path) ? textOfFile(path) : std::string());
        std::vector<std::string> lines = linesOf(text);
        if (!lines.empty()) {
            if (!head.empty() && lines.front() != head) {
                return Error{printable(path) + " has other columns than the tables before it"};
            }
            head = lines.front();
            lines.erase(lines.begin());
        }
        longest = std::max(longest, lines.size());
        tables.push_back(std::move(lines));
    }
    std::string all = head + "\n";
    for (std::size_t row = 0; row < longest; ++row) {
        for (const std::vector<std::string>& table : tables) {
            all += row < table.size() ? table[row] + "\n" : "";
        }
    }
    return head.empty() ? Result<std::string>(Error{"no task has a result yet"}) : all;
}

Result<std::string> joinedLabs(const SlurmJob& job, std::set<std::string>& machines)
{
    std::vector<NamedLog> logs;
    for (int task = 1; task <= job.tasks; ++task) {
        if (!isThere(job.result(task))) {
            continue;
        }
        FLOPSMITH_TRY(LabLog log, readLabLog(job.result(task)));
        machines.insert(log.machine);
        logs.push_back({.name = job.result(task), .log = std::move(log)});
    }
    if (logs.empty()) {
        return Error{"no task has a result yet"};
    }
    const Result<LabLog> merged = mergedLogs(std::move(logs));
    return merged ? Result<std::string>(logText(*merged)) : merged.error();
}

// Which tasks a reader must not believe to be there.
std::string missingNote(const SlurmJob& job)
{
    std::string numbers;
    int missing = 0;
    for (const SlurmTask& task : tasksOf(job, std::nullopt)) {
        if (task.state != TaskState::done) {
            numbers += (missing++ > 0 ? ", " : "") + std::to_string(task.number);
        }
    }
    return missing == 0 ? ""
                        : std::to_string(missing) + " of " + std::to_string(job.tasks)
            + " tasks are not done: " + numbers;
}

Outcome collect(const CollectOptions& options)
{
    const Result<SlurmJob> job = jobOfFolder(options.folder);
    if (!job) {
        return Outcome::badInput(job.error());
    }
    Result<std::optional<LabLogFile>> replaced = std::optional<LabLogFile>();
    if (job->work() == SlurmWork::lab) {
        replaced = replacedLog(options.target);
    }
    if (!replaced) {
        return Outcome::badInput(replaced.error());
    }
    std::set<std::string> machines;
    const Result<std::string> all =
        job->work() == SlurmWork::lab ? joinedLabs(*job, machines) : joinedTables(*job);
    if (!all) {
        return Outcome::badInput(all.error());
    }
    Outcome outcome = Outcome::success(*all);
    if (job->work() == SlurmWork::lab) {
        outcome = writtenLog(options.target, *all);
    } else {
        outcome.target = options.target;
    }
    if (std::string note = missingNote(*job); !note.empty()) {
        outcome.notes.push_back(std::move(note));
    }
    if (machines.size() > 1) {
        outcome.notes.push_back("its runs were trained on " + std::to_string(machines.size())
                                + " kinds of machines: compare them by steps or FLOPs, not by "
                                  "seconds");
    }
    return outcome;
}

} // namespace

void addSlurmCollect(ArgumentParser slurm, Command& chosen)
{
    auto options = std::make_shared<CollectOptions>();
    const ArgumentParser command =
        slurm.addCommand("collect", "Join the results of all tasks: a log, or a table");
    command.addOption("FOLDER", options->folder, "Of flopsmith slurm script").required();
    command.addOption("-o,--output", options->target, "Write to this file").typeName("FILE");
    command.callback([options, &chosen] { chosen = [options] { return collect(*options); }; });
}

} // namespace flopsmith::app
