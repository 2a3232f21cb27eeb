// SPDX-License-Identifier: MIT
#include "core/io/cost_report.h"

#include "core/base/text.h"
#include "core/model/spec_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace flopsmith {
namespace {

using Json = nlohmann::ordered_json;

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

Json bytesJson(const TrafficBytes& b)
{
    return {{"weights", exactNumber(b.weights)},
            {"read", exactNumber(b.read)},
            {"written", exactNumber(b.written)},
            {"kv_read", exactNumber(b.kvRead)},
            {"kv_written", exactNumber(b.kvWritten)}};
}

Json totalJson(const CostSummary& sum)
{
    return {{"flops", exactNumber(sum.flops)},
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
    return {{"path", report.tree.path(i)},
            {"kind", std::string(opKindName(node.kind))},
            {"component", std::string(node.component->id)},
            {"count", countJson(cost.count)},
            {"flops", exactNumber(priced(report.lens, cost.count))},
            {"params", exactNumber(cost.parameters.trainable)},
            {"fixed_params", exactNumber(cost.parameters.fixed)},
            {"saved_activations", exactNumber(cost.saved)},
            {"bytes", bytesJson(bytes(cost.traffic, report.scenario.workload.precision))},
            {"repeat", exactNumber(node.repeat)},
            {"times_used", exactNumber(report.tree.timesUsed(i))}};
}

int depth(const CostTree<Count>& tree, int i)
{
    int levels = 0;
    for (int at = tree.node(i).parent; at > 0; at = tree.node(at).parent) {
        ++levels;
    }
    return levels;
}

// "blocks[0..5]" for a run of six, "attention" for one of its parts.
std::string shownName(const CostTree<Count>::Node& node)
{
    std::string name(node.name);
    if (node.index < 0) {
        return name;
    }
    name += "[" + std::to_string(node.index);
    if (node.repeat > 1) {
        name += ".." + digits(node.index + node.repeat - 1);
    }
    return name + "]";
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

// What only training keeps, what is stored but not trained, and which figures are nominal.
std::string sparseFormsText(const CostReport& report, const CostSummary& sum)
{
    std::string text;
    if (report.scenario.workload.phase == Phase::prefill) {
        text += headlineRow("kept to train",
                            bytesText(toDouble(sum.savedActivationBytes)),
                            "activations inside mixers, FFNs and norms");
    }
    if (sum.fixedParameters > 0) {
        text += headlineRow("fixed",
                            siText(toDouble(sum.fixedParameters)),
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

std::vector<Cell> costRow(const CostReport& report, int i, Count whole)
{
    const Count uses = report.tree.timesUsed(i);
    const Cost<Count> cost = uses * report.tree.total(i);
    const Count flops = priced(report.lens, cost.count);
    Cell part{.value = report.tree.path(i),
              .shown = i == 0 ? report.scenario.model.name : shownName(report.tree.node(i)),
              .indent = i == 0 ? 0 : depth(report.tree, i)};
    if (i == 0) {
        part.value = std::string("model");
    }
    Cell times = Cell::count(uses);
    times.shown = uses > 1 ? "\xC3\x97" + digits(uses) : "";
    Cell flopsCell = Cell::count(flops);
    Cell share = whole > 0 ? Cell::share(toDouble(flops) / toDouble(whole)) : Cell{};
    if (flops == 0 && isBlindTo(report.lens, cost.count)) {
        flopsCell.shown = "uncounted";
        share = Cell{};
    }
    Cell params = Cell::count(cost.parameters.trainable);
    params.shown = cost.parameters.trainable > 0 ? params.shown : "";
    return {part,
            times,
            flopsCell,
            share,
            params,
            Cell::bytes(bytes(cost.traffic, report.scenario.workload.precision).total())};
}

} // namespace

CostReport costReport(const Scenario& scenario, LensId id)
{
    return costReport(scenario, id, lens(id).pairs);
}

CostReport costReport(const Scenario& scenario, LensId id, PairsRule pairs)
{
    return {.scenario = scenario, .lens = id, .pairs = pairs, .tree = costTree(scenario, pairs)};
}

Json costJson(const CostReport& report)
{
    Json json;
    json["model"] = report.scenario.model.name;
    json["workload"] = toJson(report.scenario.workload);
    json["lens"] = std::string(lens(report.lens).name);
    json["pairs"] = std::string(pairsName(report.pairs));
    json["total"] = totalJson(summary(report.tree, report.scenario, report.lens));
    json["uncounted"] = uncounted(report.tree, report.lens);
    const OpCount<Count> nominal = nominalCount(report.tree);
    json["nominal"] = {{"fft", exactNumber(nominal.fft)}, {"cmp", exactNumber(nominal.cmp)}};
    json["tree"] = Json::array();
    for (int i = 1; i < report.tree.size(); ++i) {
        json["tree"].push_back(nodeJson(report, i));
    }
    return json;
}

Table costTable(const CostReport& report)
{
    const Lens& by = lens(report.lens);
    Table table{.caption = report.scenario.model.name + ", " + std::string(by.title) + " "
                    + std::string(by.unit),
                .columns = {{"part", "part", Align::left},
                            {"times_used", "uses"},
                            {"flops", std::string(by.unit)},
                            {"share", "share"},
                            {"params", "parameters"},
                            {"bytes", "bytes moved"}}};
    if (report.tree.size() == 0) {
        return table;
    }
    const Count whole = priced(report.lens, report.tree.total().count);
    for (int i = 0; i < report.tree.size(); ++i) {
        table.rows.push_back(costRow(report, i, whole));
    }
    return table;
}

std::string costHeadline(const CostReport& report)
{
    const CostSummary sum = summary(report.tree, report.scenario, report.lens);
    const Workload& w = report.scenario.workload;
    const Lens& by = lens(report.lens);
    const std::string tokens = w.phase == Phase::decode
        ? ", context " + std::to_string(report.scenario.keys())
        : ", sequence " + std::to_string(report.scenario.queryTokens());
    return report.scenario.model.name + ": " + std::string(enumName(w.phase)) + ", batch "
        + std::to_string(w.batch) + tokens
        + headlineRow(std::string(by.unit),
                      siText(toDouble(sum.flops)),
                      digits(sum.flops) + ", lens " + std::string(by.name) + ", "
                          + std::string(pairsName(report.pairs)) + " pairs")
        + headlineRow("parameters", siText(toDouble(sum.parameters)), digits(sum.parameters))
        + headlineRow("weights",
                      bytesText(toDouble(sum.weightBytes)),
                      std::to_string(w.precision.weightBits) + " bits each")
        + headlineRow("cache per token",
                      bytesText(toDouble(sum.kvCacheBytesPerToken)),
                      std::to_string(w.precision.kvBits) + " bits each")
        + sparseFormsText(report, sum);
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
