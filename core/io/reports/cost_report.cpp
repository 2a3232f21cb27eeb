// SPDX-License-Identifier: MIT
#include "core/io/reports/cost_report.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/budget/memory.h"
#include "core/io/project/version.h"
#include "core/io/reports/memory_report.h"
#include "core/io/table/part_cell.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/lens/cost_summary.h"
#include "core/study/conformance.h"

#include <algorithm>

namespace flopsmith {
namespace {

Json countJson(const OpCount<Count>& c)
{
    return {{"mac", exactNumber(c.mac)},
            {"dot", exactNumber(c.dot)},
            {"mul", exactNumber(c.mul)},
            {"add", exactNumber(c.add)},
            {"div", exactNumber(c.div)},
            {"sqrt", exactNumber(c.sqrt)},
            {"exp", exactNumber(c.exp)},
            {"cmp", exactNumber(c.cmp)},
            {"fft", exactNumber(c.fft)},
            {"move", exactNumber(c.move)}};
}

// Gradients and optimizer state are there in training alone.
Json bytesJson(const TrafficBytes& b, Phase phase)
{
    Json json{{"weights", exactNumber(b.weights)},
              {"read", exactNumber(b.read)},
              {"written", exactNumber(b.written)},
              {"kv_read", exactNumber(b.kvRead)},
              {"kv_written", exactNumber(b.kvWritten)}};
    if (phase == Phase::train) {
        json["gradients"] = exactNumber(b.gradients);
        json["optimizer_state"] = exactNumber(b.states);
    }
    return json;
}

Json totalJson(const CostSummary& sum)
{
    return {{"flops", sum.flops ? exactNumber(*sum.flops) : Json()},
            {"macs", exactNumber(sum.macs)},
            {"params", exactNumber(sum.parameters)},
            {"active_params", exactNumber(sum.activeParameters)},
            {"fixed_params", exactNumber(sum.fixedParameters)},
            {"weight_bytes", exactNumber(sum.weightBytes)},
            {"saved_activation_bytes", exactNumber(sum.savedActivationBytes)},
            {"kv_cache_bytes_per_token", exactNumber(sum.kvCacheBytesPerToken)}};
}

Json nodeJson(const CostReport& report, int i)
{
    const auto& node = report.tree.node(i);
    const Cost<Count> cost = report.tree.total(i);
    Json json{{"path", report.tree.path(i)},
              {"kind", std::string(opKindName(node.kind))},
              {"component", std::string(node.component->id)},
              {"count", countJson(cost.count)}};
    if (!lens(report.lens).isFormula()) {
        json["flops"] = exactNumber(pricedPart(report.lens, report.tree, i));
    }
    json["params"] = exactNumber(cost.parameters.trainable);
    json["fixed_params"] = exactNumber(cost.parameters.fixed);
    json["saved_activations"] = exactNumber(cost.saved);
    json["bytes"] = bytesJson(bytes(report.tree, i, report.scenario.workload.precision),
                              report.scenario.workload.phase);
    json["repeat"] = exactNumber(node.repeat);
    json["times_used"] = exactNumber(report.tree.timesUsed(i));
    return json;
}

// "\n  parameters       124.4 M    124439808"
std::string headlineRow(const std::string& name,
                        const std::string& figure,
                        const std::string& details)
{
    constexpr std::size_t kNameColumns = 16;
    constexpr std::size_t kFigureColumns = 10;
    return "\n  " + name + std::string(kNameColumns - std::min(kNameColumns, name.size()), ' ')
        + std::string(kFigureColumns - std::min(kFigureColumns, figure.size()), ' ') + figure
        + "   " + details;
}

// The second figure is for model cards which include the table of tokens.
std::string activeText(const CostReport& report, const CostSummary& sum)
{
    if (sum.activeParameters == sum.parameters) {
        return {};
    }
    const Count withTable = report.tree.total().parameters.active;
    return headlineRow("active",
                       parametersText(toDouble(sum.activeParameters)),
                       digits(sum.activeParameters) + " multiply for one token"
                           + (withTable == sum.activeParameters
                                  ? ""
                                  : ", " + digits(withTable) + " with the table of tokens"));
}

// Activations saved for the backward pass, fixed parameters, and which figures are nominal.
std::string sparseFormsText(const CostReport& report, const CostSummary& sum)
{
    std::string text;
    if (report.scenario.workload.phase != Phase::decode) {
        text += headlineRow("saved",
                            bytesText(toDouble(sum.savedActivationBytes)),
                            "activations saved for backward inside mixers, FFNs and norms");
    }
    if (sum.fixedParameters > 0) {
        text += headlineRow("fixed",
                            parametersText(toDouble(sum.fixedParameters)),
                            "stored but not trained, not among the parameters");
    }
    const OpCount<Count> nominal = nominalCount(report.tree);
    if (nominal.fft > 0 || nominal.cmp > 0) {
        text += headlineRow("nominal",
                            siText(toDouble(nominal.fft + nominal.cmp)),
                            "of the operations: " + digits(nominal.fft) + " inside FFTs, "
                                + digits(nominal.cmp) + " comparisons of selections");
    }
    return text;
}

/// A part's price under a lens.
struct PriceCells
{
    Cell flops;
    Cell share;
};

PriceCells priceCells(const std::optional<Count>& flops, const std::optional<Count>& whole)
{
    if (!flops || !whole) {
        return {};
    }
    return {Cell::count(*flops),
            *whole > 0 ? Cell::share(toDouble(*flops) / toDouble(*whole)) : Cell{}};
}

// A formula has a figure for the whole model only: its parts have none.
PriceCells priceCells(const CostReport& report, int i, Count uses)
{
    if (i == 0) {
        return priceCells(report.total.figure, report.total.figure);
    }
    if (lens(report.lens).isFormula()) {
        return {};
    }
    PriceCells cells =
        priceCells(uses * pricedPart(report.lens, report.tree, i), report.total.figure);
    if (isBlindToPart(report.lens, report.tree, i)) {
        cells.flops.shown = "uncounted";
        cells.share = Cell{};
    }
    return cells;
}

// The lens's figure for a training step, and remarks where it does not fit the model.
std::string lensText(const CostReport& report)
{
    std::string text;
    if (report.total.training && report.total.training != report.total.figure) {
        text += headlineRow("training step",
                            siText(toDouble(*report.total.training)),
                            digits(*report.total.training) + ", as the lens reckons it");
    }
    if (lens(report.lens).isFormula()) {
        text += "\n  note: a formula for the whole model: its parts have no figure";
    }
    for (const std::string& remark : report.total.remarks) {
        text += "\n  note: " + remark;
    }
    return text;
}

std::vector<Cell> termRow(const FormulaTerm<Count>& term, const std::optional<Count>& whole)
{
    const PriceCells price = priceCells(term.amount, whole);
    return {Cell{.value = "formula/" + std::string(term.name),
                 .shown = std::string(term.name),
                 .indent = 1},
            Cell{},
            price.flops,
            price.share};
}

// Zero is not shown: most parts have no parameters and many no products.
Cell orNothing(Cell cell, const Count& count)
{
    cell.shown = count > 0 ? cell.shown : "";
    return cell;
}

Cell bytesOrNothing(Count count)
{
    Cell cell = Cell::bytes(count);
    cell.shown = count > 0 ? cell.shown : "";
    return cell;
}

std::vector<Cell> costRow(const CostReport& report, int i, CostColumns columns)
{
    const Count uses = report.tree.timesUsed(i);
    const Cost<Count> cost = uses * report.tree.total(i);
    const PriceCells price = priceCells(report, i, uses);
    const Precision& precision = report.scenario.workload.precision;
    std::vector<Cell> row{
        partCell(report.tree, i, report.scenario.model.name),
        usesCell(uses),
        price.flops,
        price.share,
        orNothing(Cell::parameters(cost.parameters.trainable), cost.parameters.trainable),
        Cell::bytes(bytes(report.tree, i, precision, uses).total())};
    if (columns == CostColumns::all) {
        row.push_back(orNothing(Cell::count(cost.count.mac), cost.count.mac));
        row.push_back(bytesOrNothing(packedBytes(cost.saved, precision.activationBits)));
    }
    return row;
}

} // namespace

CostReport costReport(const Scenario& scenario, LensId id)
{
    return costReport(scenario, id, lens(id).pairs);
}

CostReport costReport(const Scenario& scenario, LensId id, PairsRule pairs)
{
    CostReport report{
        .scenario = scenario, .lens = id, .pairs = pairs, .tree = costTree(scenario, pairs)};
    report.total = lensTotal(scenario, id, report.tree);
    return report;
}

Json costJson(const CostReport& report)
{
    Json json;
    json["version"] = std::string(programVersion());
    json["model"] = report.scenario.model.name;
    json["workload"] = toJson(report.scenario.workload);
    json["lens"] = std::string(lens(report.lens).name);
    json["pairs"] = std::string(pairsName(report.pairs));
    json["total"] = totalJson(summary(report.tree, report.scenario, report.lens));
    if (report.total.training) {
        json["training_step"] = exactNumber(*report.total.training);
    }
    if (lens(report.lens).isFormula()) {
        json["formula"] = Json::array();
        for (const FormulaTerm<Count>& term : report.total.terms) {
            json["formula"].push_back(
                {{"term", std::string(term.name)}, {"flops", exactNumber(term.amount)}});
        }
        json["remarks"] = report.total.remarks;
    }
    json["uncounted"] = uncounted(report.tree, report.lens);
    const OpCount<Count> nominal = nominalCount(report.tree);
    json["nominal"] = {{"fft", exactNumber(nominal.fft)}, {"cmp", exactNumber(nominal.cmp)}};
    json["tree"] = Json::array();
    for (int i = 1; i < report.tree.size(); ++i) {
        json["tree"].push_back(nodeJson(report, i));
    }
    return json;
}

std::string provenance(const CostReport& report)
{
    return provenance(report.scenario, report.lens, report.pairs);
}

std::string provenance(const Scenario& scenario, LensId id, PairsRule pairs)
{
    Workload workload = scenario.workload;
    if (workload.phase != Phase::decode) {
        workload.sequence = scenario.queryTokens(); // an image brings its own
    }
    const std::string source = scenario.model.hasEncoder()
        ? ", source " + std::to_string(scenario.sourceTokens())
        : std::string();
    return printable(scenario.model.name) + ", " + workloadLine(workload) + source + ", lens "
        + std::string(lens(id).name) + ", " + std::string(pairsName(pairs)) + " pairs; Flopsmith "
        + std::string(programVersion());
}

Table costTable(const CostReport& report, CostColumns columns)
{
    const std::string unit(lens(report.lens).unit);
    Table table{.caption = provenance(report),
                .columns = {{"part", "part", Align::left},
                            {"times_used", "uses"},
                            {"flops", unit},
                            {"share", "share"},
                            {"params", "parameters"},
                            {"bytes", "bytes moved"}}};
    if (columns == CostColumns::all) {
        table.columns.push_back({"macs", "multiply-adds"});
        table.columns.push_back({"saved_activation_bytes", "activations"});
    }
    for (int i = 0; i < report.tree.size(); ++i) {
        table.rows.push_back(costRow(report, i, columns));
        for (const FormulaTerm<Count>& term : i == 0 ? report.total.terms : FormulaTerms<Count>{}) {
            table.rows.push_back(termRow(term, report.total.figure));
        }
    }
    for (std::vector<Cell>& row : table.rows) {
        row.resize(table.columns.size());
    }
    return table;
}

namespace {

std::string stateText(const Scenario& scenario)
{
    const Count bytes = stateBytes(scenario);
    return bytes == 0
        ? ""
        : headlineRow("state", bytesText(toDouble(bytes)), "the same at every length");
}

} // namespace

std::string costHeadline(const CostReport& report)
{
    const CostSummary sum = summary(report.tree, report.scenario, report.lens);
    const Workload& w = report.scenario.workload;
    const Lens& by = lens(report.lens);
    return printable(report.scenario.model.name) + ": " + std::string(enumName(w.phase))
        + ", batch " + std::to_string(w.batch) + ", " + report.scenario.tokensText()
        + headlineRow(std::string(by.unit),
                      sum.flops ? siText(toDouble(*sum.flops)) : "undefined",
                      (sum.flops ? digits(*sum.flops) + ", " : "") + "lens " + std::string(by.name)
                          + ", " + std::string(pairsName(report.pairs)) + " pairs")
        + lensText(report)
        + headlineRow(
               "parameters", parametersText(toDouble(sum.parameters)), digits(sum.parameters))
        + activeText(report, sum)
        + headlineRow("weights", bytesText(toDouble(sum.weightBytes)), weightText(w.precision))
        + headlineRow("cache per token",
                      bytesText(toDouble(sum.kvCacheBytesPerToken)),
                      std::to_string(w.precision.kvBits) + " bits each")
        + stateText(report.scenario) + sparseFormsText(report, sum);
}

std::string_view pairsName(PairsRule pairs)
{
    switch (pairs) {
    case PairsRule::exact: return "exact";
    case PairsRule::half: return "half";
    case PairsRule::full: return "full";
    }
    return "exact";
}

} // namespace flopsmith
