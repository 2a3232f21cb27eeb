// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/lab_check.h"

#include "app/lab/lab_commands.h"
#include "app/lab/lab_executors.h"
#include "app/options/options.h"
#include "app/terminal/progress_line.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/lab/lab_oracles.h"
#include "core/lab/text_sample.h"
#include "core/protocol/process/interrupt.h"

#include <csignal>
#include <memory>

namespace flopsmith::app {
namespace {

struct LabSampleOptions
{
    std::string model;
    TextRequest request;
    int seed = 1;
};

Outcome writeSample(const LabSampleOptions& options)
{
    TextRequest request = options.request;
    request.seed = static_cast<std::uint64_t>(options.seed);
    const Result<std::string> text = writtenText(options.model, request);
    return text ? Outcome::success(printableLines(*text) + "\n") : Outcome::badInput(text.error());
}

std::string checkText(const LabCheck& check)
{
    return std::string(check.holds ? "ok    " : "WRONG ") + check.name + ": "
        + numberText(check.measured) + ", expected " + numberText(check.expected) + "\n";
}

// The checks, and the oracles too if all are wanted.
Status runChecks(bool all,
                 const std::function<void(const LabCheck&)>& take,
                 const std::stop_token& stop)
{
    const Status done = runLabChecks(take, stop);
    if (!done || !all) {
        return done;
    }
    const Result<std::vector<RunExecutor>> workers = LabExecutorOptions().executors();
    return workers ? runLabOracles(workers->front(), take, stop) : workers.error();
}

Outcome checkLab(bool all)
{
    std::string text;
    int wrong = 0;
    int signal = 0;
    Status done = Done{};
    {
        const Interrupt interrupt;
        const ProgressLine line;
        done = runChecks(
            all,
            [&](const LabCheck& check) {
                text += checkText(check);
                wrong += check.holds ? 0 : 1;
                line.show(check.name);
            },
            interrupt.token());
        signal = interrupt.signal();
    }
    if (signal != 0) {
        std::raise(signal);
    }
    if (!done) {
        return Outcome::badInput(done.error());
    }
    Outcome outcome = Outcome::success(text);
    if (wrong > 0) {
        outcome.notes.push_back(std::to_string(wrong) + " checks are wrong");
        outcome.codeAfterwards = ExitCode::badInput;
    }
    return outcome;
}

} // namespace

void addLabSample(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabSampleOptions>();
    const ArgumentParser sample =
        lab.addCommand("sample", "Let a model of text write that a lab kept");
    sample.addOption("MODEL", options->model, "A file of the folder LOG.models that lab run made")
        .required();
    sample.addOption("--prompt", options->request.prompt, "What the text begins with")
        .typeName("TEXT");
    sample.addOption("--length", options->request.characters, "Characters to write").showDefault();
    sample
        .addOption(
            "--temperature", options->request.temperature, "0: always the likeliest character")
        .typeName("NUMBER")
        .showDefault();
    sample.addOption("--seed", options->seed, "Of the draws").showDefault();
    sample.callback([options, &chosen] { chosen = [options] { return writeSample(*options); }; });
}

void addLabCheck(ArgumentParser lab, Command& chosen)
{
    const ArgumentParser check = lab.addCommand(
        "check", "Closed forms, gradients and counts that results rest on, in seconds");
    auto all = std::make_shared<bool>(false);
    check.addFlag("--all", *all, "Also train what is known to be learned, or not: minutes");
    check.callback([all, &chosen] { chosen = [all] { return checkLab(*all); }; });
}

} // namespace flopsmith::app
