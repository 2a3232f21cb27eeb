// SPDX-License-Identifier: MIT
#include "core/io/reports/lens_tables.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/project/version.h"
#include "core/io/reports/cost_report.h"

namespace flopsmith {
namespace {

std::string text(std::string_view view)
{
    return std::string(view);
}

// "+98.3 M", "−38.7 G": the change by a step.
Cell signedCount(Count amount)
{
    Cell cell = Cell::count(amount);
    cell.shown =
        amount < 0 ? "\xE2\x88\x92" + siText(toDouble(-amount)) : "+" + siText(toDouble(amount));
    return cell;
}

std::string waterfallCaption(const Waterfall& fall, const Scenario& scenario)
{
    return printable(scenario.model.name) + ", " + workloadLine(scenario.workload) + ": from "
        + text(lens(fall.from).name) + " to " + text(lens(fall.to).name);
}

std::string joined(const std::vector<std::string>& sentences)
{
    std::string all;
    for (const std::string& sentence : sentences) {
        all += (all.empty() ? "" : "; ") + sentence;
    }
    return all;
}

// "GPT-2 small, 1 × 1024 tokens"
std::string columnTitle(const ConformanceModel& model)
{
    return model.title + ", " + workloadLine(model.scenario.workload);
}

std::string version()
{
    return "Flopsmith " + text(programVersion());
}

} // namespace

Table lensTable()
{
    Table table{.columns = {{"name", "lens", Align::left},
                            {"group", "group", Align::left},
                            {"unit", "unit", Align::left},
                            {"pairs", "pairs", Align::left},
                            {"pricing", "priced", Align::left},
                            {"source", "who counts so", Align::left},
                            {"rule", "rule", Align::left}}};
    for (const Lens& each : lenses()) {
        table.rows.push_back({Cell::text(text(each.name)),
                              Cell::text(text(lensGroupTitle(each.group))),
                              Cell::text(text(each.unit)),
                              Cell::text(text(pairsName(each.pairs))),
                              Cell::text(each.isFormula() ? "whole model" : "per operation"),
                              Cell::text(text(each.source)),
                              Cell::text(text(each.rule))});
    }
    return table;
}

Table waterfallTable(const Waterfall& fall, const Scenario& scenario)
{
    Table table{.caption = waterfallCaption(fall, scenario),
                .columns = {{"step", "step", Align::left},
                            {"amount", "amount"},
                            {"total", "running total"},
                            {"note", "note", Align::left}}};
    Count at = fall.start;
    const auto end = [&](LensId id, Count figure) {
        table.rows.push_back({Cell::text(text(lens(id).name)),
                              Cell{},
                              Cell::count(figure),
                              Cell::text(text(lens(id).unit))});
    };
    end(fall.from, at);
    for (const WaterfallStep& step : fall.steps) {
        at += step.amount;
        table.rows.push_back({Cell::text(step.name),
                              signedCount(step.amount),
                              Cell::count(at),
                              Cell::text(step.note)});
    }
    end(fall.to, at);
    return table;
}

Table waterfallTableForPeople(const Waterfall& fall, const Scenario& scenario)
{
    Table table = waterfallTable(fall, scenario);
    table.columns.pop_back();
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        std::vector<Cell>& row = table.rows[i];
        const bool isStep = i > 0 && i + 1 < table.rows.size();
        if (!isStep) {
            row[2].shown += text(row[3].shown); // "291.6 G" and "FLOPs"
        }
        row[0].indent = isStep ? 1 : 0;
        row.pop_back();
    }
    return table;
}

Table conformanceTable(const std::vector<ConformanceEntry>& entries)
{
    Table table{.caption = version() + ", models by lenses",
                .columns = {{"model", "model", Align::left},
                            {"source", "source", Align::left},
                            {"params", "parameters"},
                            {"workload", "workload", Align::left},
                            {"lens", "lens", Align::left},
                            {"unit", "unit", Align::left},
                            {"forward", "forward"},
                            {"training_step", "training step"},
                            {"remarks", "remarks", Align::left},
                            {"version", "version", Align::left}}};
    for (const ConformanceEntry& entry : entries) {
        for (std::size_t i = 0; i < entry.totals.size(); ++i) {
            const Lens& by = lenses()[i];
            const LensTotal& total = entry.totals[i];
            table.rows.push_back({Cell::text(entry.model.title),
                                  Cell::text(entry.model.source),
                                  Cell::parameters(entry.parameters),
                                  Cell::text(workloadLine(entry.model.scenario.workload)),
                                  Cell::text(text(by.name)),
                                  Cell::text(text(by.unit)),
                                  Cell::count(total.figure.value()),
                                  total.training ? Cell::count(*total.training) : Cell{},
                                  Cell::text(joined(total.remarks)),
                                  Cell::text(text(programVersion()))});
        }
    }
    return table;
}

Table conformanceSheet(const std::vector<ConformanceEntry>& entries)
{
    Table table{.caption = version()
                    + ": one forward pass under every lens; * where the lens was not made for such "
                      "a model",
                .columns = {{"lens", "lens", Align::left}}};
    std::vector<Cell> parameters{Cell::text("parameters")};
    for (const ConformanceEntry& entry : entries) {
        table.columns.push_back({entry.model.title, columnTitle(entry.model)});
        parameters.push_back(Cell::parameters(entry.parameters));
    }
    table.rows.push_back(std::move(parameters));
    for (std::size_t i = 0; i < lenses().size(); ++i) {
        std::vector<Cell> row{Cell::text(text(lenses()[i].name) + ", " + text(lenses()[i].unit))};
        for (const ConformanceEntry& entry : entries) {
            const LensTotal& total = entry.totals.at(i);
            row.push_back(Cell::count(total.figure.value()));
            row.back().shown += total.remarks.empty() ? "" : " *";
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table publishedTable(const std::vector<PublishedFigure>& figures)
{
    Table table{.caption = version() + ": printed figures, computed again",
                .columns = {{"model", "model", Align::left},
                            {"workload", "workload", Align::left},
                            {"quantity", "quantity", Align::left},
                            {"rule", "lens", Align::left},
                            {"published", "printed"},
                            {"computed", "computed"},
                            {"agrees", "agrees", Align::left},
                            {"source", "source", Align::left}}};
    for (const PublishedFigure& figure : figures) {
        Cell published = Cell::count(figure.published);
        published.shown = digits(figure.published);
        Cell computed = Cell::count(figure.computed);
        computed.shown = digits(figure.computed);
        table.rows.push_back({Cell::text(figure.model),
                              Cell::text(figure.workload),
                              Cell::text(figure.quantity),
                              Cell::text(figure.rule),
                              published,
                              computed,
                              Cell{.value = figure.agrees(),
                                   .shown = figure.printedTo == 1 ? "exactly" : "as printed"},
                              Cell::text(figure.source)});
        if (!figure.agrees()) {
            table.rows.back()[6].shown = "no";
        }
    }
    return table;
}

} // namespace flopsmith
