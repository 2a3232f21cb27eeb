// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_commands.h"
#include "app/lab/replaced_log.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/results/learned_claims.h"

#include <memory>
#include <optional>

namespace flopsmith::app {
namespace {

struct LabSummaryOptions
{
    std::string log;
    std::string file;
};

Outcome summarise(const LabSummaryOptions& options)
{
    const Result<LabLog> log = readLabLog(options.log);
    if (!log) {
        return Outcome::badInput(log.error());
    }
    const Result<std::optional<LabLogFile>> replaced = replacedLog(options.file);
    if (!replaced) {
        return Outcome::badInput(replaced.error());
    }
    const std::string text = summaryOfLog(*log);
    Outcome outcome = writtenLog(options.file, text);
    if (!isStandardOutput(options.file) && outcome.code == ExitCode::success) {
        outcome.text = printableLines(options.file + ": "
                                      + bytesText(static_cast<double>(text.size())) + "\n");
    }
    return outcome;
}

} // namespace

void addLabSummary(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabSummaryOptions>();
    const ArgumentParser command =
        lab.addCommand("summary", "A log without its curves: the rates, and where each run ended");
    command.addOption("LOG", options->log, "What flopsmith lab run wrote").required();
    command.addOption("-o,--output", options->file, "The log to write; - is standard output")
        .required();
    command.callback([options, &chosen] { chosen = [options] { return summarise(*options); }; });
    command.footer("Example: flopsmith lab summary text.jsonl -o small.jsonl");
}

} // namespace flopsmith::app
