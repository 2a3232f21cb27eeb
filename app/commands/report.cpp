// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_drawing.h"
#include "app/commands/commands.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "core/base/text.h"
#include "core/note/notes_through.h"
#include "core/report/design_report.h"
#include "core/report/report_format.h"
#include "core/store/measurement_store.h"
#include "ui/report/report_files.h"

#include <utility>

namespace flopsmith::app {
namespace {

struct ReportOptionsGiven
{
    ModelOptions model;
    HardwareOptions hardware;
    std::string format;
    std::string target;
};

std::string today()
{
    constexpr std::size_t kDate = 10; // of "2026-11-21 10:40 UTC"
    return dateText(unixNow()).substr(0, kDate);
}

Outcome reportOutcome(const ReportOptionsGiven& options)
{
    if (isStandardOutput(options.target)) {
        return Outcome::badInput({"a report is a file; name one, as in -o r.pdf"});
    }
    const Result<ReportFormat> format =
        options.format.empty() ? reportFormatOf(options.target) : reportFormatNamed(options.format);
    if (!format) {
        return Outcome::badInput(format.error());
    }
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const Project& loaded = asked->loaded;
    ReportRequest request{
        .scenario = asked->scenario,
        .lens = asked->lens,
        .date = today(),
        .notes = carriedOver(loaded.notes, loaded.scenario.model, asked->scenario.model)};
    if (options.model.namesPairs()) {
        request.pairs = asked->pairs;
    }
    Outcome outcome = Outcome::wrote(options.target);
    outcome.notes = asked->notes;
    if (options.hardware.isNamed()) {
        std::variant<Hardware, Outcome> found = options.hardware.hardware(outcome.notes);
        if (auto* failed = std::get_if<Outcome>(&found)) {
            return std::move(*failed);
        }
        request.hardware = std::get<Hardware>(std::move(found));
    }
    const DrawingApplication application;
    const Status written = ui::writeReport(reportOf(request), *format, options.target);
    return written ? outcome : Outcome::badInput(written.error());
}

} // namespace

void addReport(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<ReportOptionsGiven>();
    const ArgumentParser command = program.addCommand(
        "report", "Writes a design on two pages: stack, cost, memory, figures, formulas, sources");
    options->model.addTo(command);
    options->model.addLensTo(command);
    options->hardware.addTo(command, HardwareOptions::Need::optional);
    command
        .addOption("-o,--output",
                   options->target,
                   "The file; its suffix says pdf, html, md or tex. Figures of md and tex stand in "
                   "a folder beside it")
        .required()
        .typeName("FILE");
    command.addOption("--format", options->format, "pdf, html, md or tex, whatever the suffix")
        .oneOf({"pdf", "html", "md", "tex"})
        .typeName("NAME");
    command.callback(
        [options, &chosen] { chosen = [options] { return reportOutcome(*options); }; });
    command.footer("Without --hardware the roofline is that of " + std::string(kReportHardware)
                   + ".\nExamples:\n"
                     "  flopsmith report gpt2 --lens matmul -o gpt2.pdf\n"
                     "  flopsmith report llama-3-8b --phase decode --hardware a100-sxm-80gb "
                     "--set weight_bits=16 -o llama.html");
}

} // namespace flopsmith::app
