// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/checks/lab_check.h"

#include "app/lab/lab_commands.h"
#include "app/lab/lab_executors.h"
#include "app/options/options.h"
#include "app/terminal/progress_line.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/lab/checks/known_labs.h"
#include "core/lab/task/text_sample.h"
#include "core/protocol/process/interrupt.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <memory>
#include <vector>

namespace flopsmith::app {
namespace {

struct LabSampleOptions
{
    std::string model;
    TextRequest request;
    int seed = 1;
};

struct LabCheckOptions
{
    bool all = false;
    OutputOptions output;
};

Outcome writeSample(const LabSampleOptions& options)
{
    TextRequest request = options.request;
    request.seed = static_cast<std::uint64_t>(options.seed);
    const Result<std::string> text = writtenText(options.model, request);
    return text ? Outcome::success(printableLines(*text) + "\n") : Outcome::badInput(text.error());
}

Cell shortNumber(double value)
{
    Cell cell = Cell::number(value);
    std::array<char, 32> digits{};
    const auto end = std::to_chars(
        digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 6);
    cell.shown = std::string(digits.data(), end.ptr);
    return cell;
}

// A bound says at least or at most in the check's name.
Cell toleranceCell(const LabCheck& check)
{
    if (check.tolerance > 0.0) {
        return shortNumber(check.tolerance);
    }
    return Cell::text(check.measured == check.expected ? "equal" : "");
}

Table checkTable(const std::vector<LabCheck>& checks)
{
    Table table{.columns = {{"check", "check", Align::left},
                            {"measured", "measured"},
                            {"expected", "expected"},
                            {"within", "within"},
                            {"holds", "holds", Align::left}}};
    for (const LabCheck& check : checks) {
        Cell holds{.value = check.holds, .shown = check.holds ? "yes" : "NO"};
        table.rows.push_back({Cell::text(check.name),
                              shortNumber(check.measured),
                              shortNumber(check.expected),
                              toleranceCell(check),
                              std::move(holds)});
    }
    return table;
}

// Checks without training and of students; if all are wanted, of tasks whose result is known too.
Status runChecks(bool all,
                 const std::function<void(const LabCheck&)>& take,
                 const std::stop_token& stop)
{
    FLOPSMITH_TRY(const std::vector<RunExecutor> workers, LabExecutorOptions().executors());
    Status done = runLabChecks(take, stop);
    if (done.ok() && !stop.stop_requested()) {
        done = runStudentChecks(workers.front(), take, stop);
    }
    if (done.ok() && all && !stop.stop_requested()) {
        done = runKnownLabs(workers.front(), take, stop);
    }
    return done;
}

Outcome checkLab(const LabCheckOptions& options)
{
    std::vector<LabCheck> checks;
    int signal = 0;
    Status done = Done{};
    {
        const Interrupt interrupt;
        const ProgressLine line;
        done = runChecks(
            options.all,
            [&](const LabCheck& check) {
                checks.push_back(check);
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
    Outcome outcome = options.output.of(checkTable(checks));
    const auto wrong = std::ranges::count(checks, false, &LabCheck::holds);
    outcome.notes.push_back(std::to_string(checks.size()) + " checks, "
                            + (wrong == 0 ? "all hold" : std::to_string(wrong) + " do not hold"));
    if (wrong > 0) {
        outcome.codeAfterwards = ExitCode::badInput;
    }
    return outcome;
}

} // namespace

void addLabSample(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabSampleOptions>();
    const ArgumentParser sample =
        lab.addCommand("sample", "Let a model of text that a lab kept write");
    sample.addOption("MODEL", options->model, "A file of the folder LOG.models that lab run made")
        .required();
    sample.addOption("--prompt", options->request.prompt, "What the text begins with")
        .typeName("TEXT");
    sample.addOption("--length", options->request.characters, "Characters to write").showDefault();
    sample
        .addOption(
            "--temperature", options->request.temperature, "0: always the most likely character")
        .typeName("NUMBER")
        .showDefault();
    sample.addOption("--seed", options->seed, "Of the draws").showDefault();
    sample.callback([options, &chosen] { chosen = [options] { return writeSample(*options); }; });
}

void addLabCheck(ArgumentParser lab, Command& chosen)
{
    const ArgumentParser check = lab.addCommand(
        "check", "Closed forms, gradients and counts that results rest on, in seconds");
    auto options = std::make_shared<LabCheckOptions>();
    check.addFlag("--all", options->all, "Also train labs with known results, in minutes");
    options->output.addTo(check);
    check.callback([options, &chosen] { chosen = [options] { return checkLab(*options); }; });
}

} // namespace flopsmith::app
