// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/why/why_steps.h"

#include "core/base/text.h"
#include "core/budget/roofline.h"
#include "core/count/by_component.h"
#include "core/formula/derivation.h"

#include <algorithm>
#include <array>
#include <utility>

namespace flopsmith {
namespace {

/// The operations that one side of the roofline bounds.
struct BoundSum
{
    double flops = 0.0;
    double bytes = 0.0;
    double seconds = 0.0;
};

bool isWithin(const PartOfTree& part, const CostTree<Count>& tree, int operation)
{
    const Component& component = *tree.node(operation).component;
    return (part.component == nullptr || isSame(*part.component, component))
        && std::ranges::any_of(part.nodes, [&](int node) {
               return node <= operation && operation < tree.node(node).end;
           });
}

std::array<BoundSum, 2> boundSums(const CostTree<Count>& tree,
                                  const Roofline& all,
                                  const PartOfTree& part)
{
    std::array<BoundSum, 2> sums;
    for (int i = 0; i < tree.size(); ++i) {
        if (tree.node(i).kind == OpKind::group || !isWithin(part, tree, i)) {
            continue;
        }
        const RooflinePart& operation = all.parts[static_cast<std::size_t>(i)];
        BoundSum& sum = sums.at(operation.binding == Binding::compute ? 0 : 1);
        const double uses = toDouble(operation.uses);
        sum.flops += uses * toDouble(operation.flops);
        sum.bytes += uses * toDouble(operation.bytes);
        sum.seconds += uses * operation.seconds;
    }
    return sums;
}

} // namespace

std::string bitText(int bits)
{
    return std::to_string(bits) + " bit";
}

std::string bytesResult(const Count& bytes)
{
    const std::string exact = groupedDigits(bytes) + " bytes";
    constexpr int kWorthAPrefix = 1000;
    return bytes < kWorthAPrefix ? exact : exact + " = " + bytesText(toDouble(bytes));
}

void addFormula(Why& why,
                const Scenario& scenario,
                const std::function<Result<Formula>()>& makeFormula)
{
    if (scenario.model.runs.size() > kMaxDerivedRuns) {
        why.noFormula = "no formula: the model has more than " + std::to_string(kMaxDerivedRuns)
            + " different runs of blocks";
        return;
    }
    Result<Formula> formula = makeFormula();
    if (formula) {
        why.formula = std::move(formula).value();
    } else {
        why.noFormula = formula.error().message;
    }
}

Result<HardwarePeak> roofsOf(const HeadlineSource& source)
{
    if (source.hardware == nullptr) {
        return Error{"The roofs of this device are not measured yet."};
    }
    return hardwarePeak(*source.hardware, source.scenario.workload.precision);
}

void addLeastTime(Why& why,
                  const HeadlineSource& source,
                  const HardwarePeak& on,
                  const PartOfTree& part)
{
    const Precision& precision = source.scenario.workload.precision;
    const Roofline all = roofline(source.tree, precision, on.peaks(), source.lens);
    const auto [compute, moved] = boundSums(source.tree, all, part);
    why.steps.push_back({.title = "bound by compute",
                         .arithmetic = siText(compute.flops) + "FLOPs" + kDividedBy
                             + rateText(on.peak.flopsPerSecond, "FLOP/s"),
                         .result = durationText(compute.seconds)});
    why.steps.push_back({.title = "bound by memory",
                         .arithmetic = bytesText(moved.bytes) + kDividedBy
                             + rateText(on.hardware.bytesPerSecond.value, "B/s"),
                         .result = durationText(moved.seconds)});
    why.steps.push_back(
        {.title = "together", .result = durationText(compute.seconds + moved.seconds)});
    why.basis = {"Peak in " + std::string(enumName(on.peak.format)) + ": " + on.peak.source + ".",
                 "Bandwidth: " + on.hardware.bytesPerSecond.source + ".",
                 "FLOPs by the lens " + std::string(lens(all.lens).title) + "; precision "
                     + precisionText(precision) + "; nothing is fused."};
}

std::string measuredBasis(const RunTimeTable& table, const std::string& device)
{
    return (device.empty() ? std::string() : "On " + device + ", in ")
        + std::string(enumName(table.format)) + ".";
}

} // namespace flopsmith
