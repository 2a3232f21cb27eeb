// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slurm/slurm_job.h"
#include "core/protocol/device/command_text.h"

namespace flopsmith::app {
namespace {

// A folder in a file name pattern of Slurm, where % has a special meaning.
std::string inPattern(const std::string& folder)
{
    std::string pattern;
    for (const char letter : folder) {
        pattern += letter == '%' ? "%%" : std::string{letter};
    }
    return pattern;
}

// The options of sbatch. The signal goes only to the script, early enough for saving.
std::string options(const SlurmJob& job)
{
    std::string text = "#!/bin/sh\n";
    const auto add = [&text](const std::string& option) { text += "#SBATCH " + option + "\n"; };
    add("--job-name=" + job.name());
    add("--array=1-" + std::to_string(job.tasks));
    add("--time=" + job.time);
    if (!job.partition.empty()) {
        add("--partition=" + job.partition);
    }
    add("--cpus-per-task=" + std::to_string(job.cpus));
    if (job.gpus > 0) {
        add("--gpus=" + std::to_string(job.gpus));
    }
    add("--signal=B:USR1@60");
    add("--requeue");
    add("--open-mode=append");
    add("--output=" + commandText({inPattern(job.folder) + "/task-%a.out"}));
    for (const std::string& option : job.more) {
        add(option);
    }
    return text;
}

// The command of a task, with its share and its files.
std::string taskCommand(const SlurmJob& job)
{
    std::vector<std::string> words{job.program};
    words.insert(words.end(), job.command.begin(), job.command.end());
    std::string text = commandText(words) + " --share \"$task/$tasks\"";
    if (job.work() == SlurmWork::lab) {
        return text + " -o \"$job/task-$task.jsonl\"";
    }
    return text + " --format csv -o \"$job/task-$task.csv\" --store \"$job/task-$task.store\"";
}

constexpr const char* kBody = R"sh(
# The state of the task in one line: name, seconds since 1970, host, job.
state() {
    printf '%s %s %s %s\n' "$1" "$(date +%s)" "$(uname -n)" "$id" >"$job/task-$task.state.new" &&
        mv "$job/task-$task.state.new" "$job/task-$task.state"
}

read -r before _ 2>/dev/null <"$job/task-$task.state" || before=none
if [ "$before" = done ]; then
    exit 0 # an array that is submitted again does what is missing
fi

# Only one job at a time works on a task. A job that was killed leaves its lock.
if ! mkdir "$job/task-$task.lock" 2>/dev/null; then
    holder=$(cat "$job/task-$task.lock/job" 2>/dev/null)
    if [ "$holder" != "$id" ] && [ -n "$(squeue -h -j "$holder" -o %i 2>/dev/null)" ]; then
        echo "job $holder works on task $task"
        exit 0
    fi
fi
printf '%s\n' "$id" >"$job/task-$task.lock/job"

# Before its time is over, and when another job needs the machine, the program saves and ends.
stopped=no
child=
stop() {
    stopped=yes
    [ -z "$child" ] || kill -TERM "$child" 2>/dev/null
}
trap stop USR1 TERM
state running
work &
child=$!
[ "$stopped" = no ] || kill -TERM "$child" # the signal came before there was a child
code=0
wait "$child" || code=$?
while kill -0 "$child" 2>/dev/null; do # a signal ends the waiting, not the program
    code=0
    wait "$child" || code=$?
done
case $stopped:$code in
    yes:*) state stopped ;;
    no:0 | no:4) state done ;; # 4: an arm of a lab diverged
    *) state "failed:$code" ;;
esac
rm -r "$job/task-$task.lock" # after that the state is another job's
if [ "$stopped" = yes ]; then
    scontrol requeue "$id" 2>/dev/null
    exit 75
fi
exit "$code"
)sh";

} // namespace

std::string scriptText(const SlurmJob& job)
{
    std::string command;
    for (const std::string& word : job.command) {
        command += " " + commandText({word});
    }
    return options(job) + "# Written by flopsmith slurm script: each of "
        + std::to_string(job.tasks) + " tasks does a share of\n#   flopsmith" + command
        + "\n# and continues its earlier results. States: flopsmith slurm status; results: "
          "flopsmith slurm collect.\n"
        + "job=" + commandText({job.folder}) + "\ntasks=" + std::to_string(job.tasks)
        + "\ntask=${SLURM_ARRAY_TASK_ID:?submit this by sbatch, or set it to the number of a "
          "task}\n"
          "id=${SLURM_ARRAY_JOB_ID:-none}_$task\n"
        + "cd " + commandText({job.place}) + " || exit 1\n\nwork() {\n    exec " + taskCommand(job)
        + "\n}\n" + kBody;
}

} // namespace flopsmith::app
