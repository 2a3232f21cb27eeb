// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slurm/slurm_commands.h"
#include "app/slurm/slurm_job.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/protocol/device/device.h"

#include <filesystem>
#include <memory>
#include <system_error>

namespace flopsmith::app {
namespace {

namespace fs = std::filesystem;

struct ScriptOptions
{
    SlurmJob job{.tasks = 8};
    bool force = false;
};

// An own folder, unless its job is to be replaced: results of another command must not be joined.
Status madeFolder(const ScriptOptions& options)
{
    std::error_code failed;
    const fs::path folder = options.job.folder;
    if (fs::exists(folder / "request.json", failed) && !options.force) {
        const Result<SlurmJob> there = jobOfFolder(folder.string());
        if (!there || there->command != options.job.command || there->tasks != options.job.tasks) {
            return Error{printable(folder.string())
                         + " holds another job; name another folder, or --force and remove its "
                           "results"};
        }
    }
    fs::create_directories(folder, failed);
    return failed
        ? Status(Error{printable(folder.string()) + ": cannot be made: " + failed.message()})
        : Status(Done{});
}

Outcome writeScript(ScriptOptions options)
{
    std::error_code failed;
    SlurmJob& job = options.job;
    job.folder = fs::weakly_canonical(fs::absolute(job.folder, failed), failed).string();
    job.place = fs::current_path(failed).string();
    if (job.program.empty()) {
        job.program = (programFolder() / "flopsmith").string();
    }
    const Status legal = validated(job);
    const Status made = legal ? madeFolder(options) : legal;
    if (!made) {
        return Outcome::badInput(made.error());
    }
    const std::string script = scriptText(job);
    for (const Status& written : {writeFile(job.folder + "/request.json", requestText(job)),
                                  writeFile(job.folder + "/job.sh", script)}) {
        if (!written) {
            return Outcome::badInput(written.error());
        }
    }
    Outcome outcome = Outcome::success(script);
    outcome.notes.push_back("submit it by: sbatch " + printable(job.folder) + "/job.sh");
    return outcome;
}

} // namespace

void addSlurmScript(ArgumentParser slurm, Command& chosen)
{
    auto options = std::make_shared<ScriptOptions>();
    SlurmJob& job = options->job;
    const ArgumentParser command =
        slurm.addCommand("script", "Write the script of a job array; nothing is submitted");
    command.addOption("--folder", job.folder, "For the script and all results; all nodes see it")
        .typeName("FOLDER")
        .required();
    command.addOption("--tasks", job.tasks, "Of the array, each with a share of the work")
        .showDefault();
    command.addOption("--time", job.time, "That a task may take, as Slurm writes it")
        .typeName("TIME")
        .showDefault();
    command.addOption("--partition", job.partition, "Of the cluster").typeName("NAME");
    command.addOption("--gpus", job.gpus, "Of each task").showDefault();
    command.addOption("--cpus", job.cpus, "Of each task").showDefault();
    command.addOption("--sbatch", job.more, "A further option of sbatch, as --sbatch=--account=me")
        .typeName("OPTION")
        .oneValuePerUse();
    command.addOption("--program", job.program, "flopsmith on the nodes; this one without it")
        .typeName("FILE");
    command.addFlag("--force", options->force, "Replace the job of a folder");
    command
        .addOption("COMMAND", job.command, "After --: sweep \xE2\x80\xA6 or lab run \xE2\x80\xA6")
        .required();
    command.callback([options, &chosen] { chosen = [options] { return writeScript(*options); }; });
    command.footer("Example: flopsmith slurm script --folder runs --tasks 8 --cpus 2 -- lab run "
                   "text.flopsmith-lab");
}

} // namespace flopsmith::app
