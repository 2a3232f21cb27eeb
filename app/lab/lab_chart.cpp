// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/lab/lab_chart.h"

#include "app/charts/chart_drawing.h"
#include "app/charts/drawing_options.h"
#include "app/lab/lab_commands.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/task/task.h"
#include "ui/charts/lab/lab_figure.h"

#include <algorithm>
#include <memory>

namespace flopsmith::app {
namespace {

struct LabChartOptions
{
    std::string log;
    std::string view;
    std::string kind = "curves";
    DrawingOptions drawing;
};

std::vector<std::string> names(const std::vector<std::string_view>& views)
{
    return {views.begin(), views.end()};
}

LabChartKind kindNamed(const std::string& name)
{
    const std::vector<std::string_view> all = enumNames<LabChartKind>();
    return static_cast<LabChartKind>(std::ranges::find(all, name) - all.begin());
}

Outcome drawLabChart(const LabChartOptions& options)
{
    if (const auto drawing = options.drawing.exportOptions(); !drawing) {
        return Outcome::badInput(drawing.error());
    }
    const Result<LabLog> log = readLabLog(options.log);
    if (!log) {
        return Outcome::badInput(log.error());
    }
    const LabView view = viewNamed(options.view).value_or(log->plan.ownView());
    const LabChartKind kind = kindNamed(options.kind);
    const Result<std::vector<ReferenceScore>> references =
        referenceScores(log->plan.task, log->plan.sizes.dModel);
    LabChart chart =
        labChart(*log, kind, view, references ? *references : std::vector<ReferenceScore>{});
    if (!chart.emptyText.empty()) {
        return Outcome::badInput(Error{options.log + ": " + chart.emptyText});
    }
    const DrawingApplication application;
    const Status written = options.drawing.write(ui::LabFigure(std::move(chart)));
    if (!written) {
        return Outcome::badInput(written.error());
    }
    Outcome outcome = Outcome::wrote(options.drawing.target);
    if (!references) {
        outcome.notes.push_back("what the data say is not drawn: " + references.error().message);
    }
    return outcome;
}

} // namespace

void addLabChart(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabChartOptions>();
    const ArgumentParser chart =
        lab.addCommand("chart", "Curves, results or learning rates of a log as a figure");
    chart.addOption("LOG", options->log, "A log of flopsmith lab run").required();
    chart.addOption("--kind", options->kind, "What is drawn")
        .oneOf(names(enumNames<LabChartKind>()))
        .showDefault();
    chart
        .addOption("--view",
                   options->view,
                   "Compare at equal steps, FLOPs or seconds; default: as the budget")
        .oneOf(names(enumNames<LabView>()));
    options->drawing.addTo(chart);
    chart.callback([options, &chosen] { chosen = [options] { return drawLabChart(*options); }; });
    chart.footer("Example: flopsmith lab chart t.jsonl --view flops -o t.svg");
}

} // namespace flopsmith::app
