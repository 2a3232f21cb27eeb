// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/log/lab_merge.h"

#include "app/lab/lab_commands.h"
#include "app/lab/lab_training.h"
#include "app/lab/replaced_log.h"
#include "core/lab/progress/next_run.h"

#include <memory>
#include <optional>
#include <utility>

namespace flopsmith::app {
namespace {

struct LabMergeOptions
{
    std::vector<std::string> logs;
    std::string target;
};

Result<LabLog> mergedWith(const std::optional<LabLogFile>& replaced, const LabMergeOptions& options)
{
    std::vector<NamedLog> logs;
    for (const std::string& source : options.logs) {
        Result<LabLog> log = readLabLog(source);
        if (!log) {
            return log;
        }
        logs.push_back({.name = source, .log = std::move(*log)});
    }
    if (replaced) { // it is one of the logs, so that nothing of it is lost
        logs.push_back({.name = options.target, .log = replaced->log(), .keepsNumbers = true});
    }
    return mergedLogs(std::move(logs));
}

Outcome mergeLogs(const LabMergeOptions& options)
{
    const Result<std::optional<LabLogFile>> replaced = replacedLog(options.target);
    const Result<LabLog> merged = replaced ? mergedWith(*replaced, options) : replaced.error();
    if (!merged) {
        return Outcome::badInput(merged.error());
    }
    const LabProgressCount count = countRuns(*merged);
    Outcome outcome = writtenLog(options.target, logText(*merged));
    if (outcome.code != ExitCode::success) {
        return outcome;
    }
    const bool canContinue = nextRun(*merged) && !isStandardOutput(options.target);
    outcome.notes.push_back(
        std::to_string(count.done) + " of " + std::to_string(count.planned) + " runs are done"
        + (canContinue ? "; to continue: " + continuingCommand(options.target) : ""));
    if (merged->damagedLines > 0) {
        outcome.notes.push_back(std::to_string(merged->damagedLines)
                                + " damaged lines of the logs were left out");
    }
    return outcome;
}

} // namespace

void addLabMerge(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabMergeOptions>();
    const ArgumentParser merge =
        lab.addCommand("merge", "One log of logs of parts of the same lab");
    merge.addOption("LOG", options->logs, "Logs of flopsmith lab run, in any order").required();
    merge
        .addOption("-o,--output",
                   options->target,
                   "The log to write; an existing one is merged with the others")
        .required();
    merge.callback([options, &chosen] { chosen = [options] { return mergeLogs(*options); }; });
    merge.footer("Trained models stay in the folders beside the logs that were merged.");
}

} // namespace flopsmith::app
