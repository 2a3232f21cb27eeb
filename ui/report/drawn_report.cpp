// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/drawn_report.h"

#include "ui/charts/chart_kinds.h"

#include <utility>
#include <vector>

namespace flopsmith::ui {
namespace {

// Of models of one name all but the last have a number.
std::vector<ComparedDesign> othersOf(const ReportFigure& figure)
{
    std::vector<ComparedDesign> others;
    for (const Scenario& other : figure.others) {
        std::string name = other.model.name;
        if (name == figure.scenario.model.name) {
            name += " (" + std::to_string(others.size() + 1) + ")";
        }
        others.push_back({.name = std::move(name), .scenario = other});
    }
    return others;
}

FigureResult figureMade(const ReportFigure& figure)
{
    const std::optional<ChartId> kind = chartKindNamed(figure.chart);
    if (!kind) {
        return Error{figure.chart + " is no kind of chart"};
    }
    FigureRequest request{.kind = *kind, .scenario = figure.scenario, .lens = figure.lens};
    if (!chartKind(*kind).needs.twoLenses) { // each has its own pairs
        request.pairs = figure.pairs;
    }
    request.hardware = figure.hardware;
    if (chartKind(*kind).drawsOthers) {
        request.others = othersOf(figure);
    }
    return figureFor(request);
}

} // namespace

DrawnReport drawnReport(Report report)
{
    DrawnReport drawn;
    const std::vector<ReportBlock> blocks = std::exchange(report.blocks, {});
    drawn.report = std::move(report);
    for (const ReportBlock& block : blocks) {
        const auto* row = std::get_if<ReportFigures>(&block);
        if (row == nullptr) {
            drawn.report.blocks.push_back(block);
            continue;
        }
        ReportFigures kept;
        for (const ReportFigure& figure : row->figures) {
            FigureResult made = figureMade(figure);
            if (made) {
                drawn.figures[figure.name] = std::move(made).value();
                kept.figures.push_back(figure);
            } else {
                drawn.report.blocks.emplace_back(
                    ReportText{.text = figure.caption + ": " + made.error().message + "."});
            }
        }
        if (!kept.figures.empty()) {
            drawn.report.blocks.emplace_back(std::move(kept));
        }
    }
    return drawn;
}

} // namespace flopsmith::ui
