// SPDX-License-Identifier: MIT
#include "core/present/time/share.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/count/by_component.h"
#include "core/lens/lens_total.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr std::size_t kLongestBrief = 10; // characters over a column of shares
constexpr const char* kNothing = "\xE2\x80\x93";

struct CountWording
{
    std::string (*text)(double value); ///< "80.9 G"
    std::string suffix; ///< "FLOPs": directly follows a prefix
    std::string exactUnit; ///< follows all digits
};

Slice sliceOf(const Component& component, Count count, Count whole, const CountWording& wording)
{
    const double value = toDouble(count);
    return {.component = &component,
            .title = std::string(component.title),
            .value = value,
            .count = count,
            .share = value / toDouble(whole),
            .valueText = wording.text(value) + wording.suffix,
            .exactText = groupedDigits(count) + wording.exactUnit};
}

void fill(Donut& donut, const ByComponent<Count>& counts, const CountWording& wording)
{
    donut.count = counts.sum();
    donut.total = toDouble(donut.count);
    for (const auto& entry : counts.entries()) {
        if (entry.amount > 0) {
            donut.slices.push_back(sliceOf(*entry.component, entry.amount, donut.count, wording));
        }
    }
}

template <class AmountOf>
ByComponent<Count> summed(const CostTree<Count>& tree, AmountOf amountOf)
{
    ByComponent<Count> counts;
    if (tree.size() > 0) {
        tree.forEachOperation(0, [&](const CostTree<Count>::Node& operation, const Count& times) {
            counts.add(*operation.component, times * amountOf(operation));
        });
    }
    return counts;
}

// Components some of whose operations the lens does not count.
std::string blindNote(const CostTree<Count>& tree, LensId lensId)
{
    std::vector<std::string_view> titles;
    for (const auto& node : tree.nodes()) {
        if (isBlindTo(lensId, node)
            && std::find(titles.begin(), titles.end(), node.component->title) == titles.end()) {
            titles.push_back(node.component->title);
        }
    }
    std::string note;
    for (const std::string_view title : titles) {
        note += (note.empty() ? "uncounted operations in: " : ", ") + std::string(title);
    }
    return note;
}

} // namespace

const Slice* Donut::slice(const Component& component) const
{
    const auto found = std::find_if(slices.begin(), slices.end(), [&](const Slice& slice) {
        return isSame(*slice.component, component);
    });
    return found == slices.end() ? nullptr : &*found;
}

Donut flopsDonut(const CostTree<Count>& tree, LensId lensId)
{
    const Lens& rule = lens(lensId);
    const std::string unit(rule.unit);
    Donut donut{.origin = Origin::computed,
                .key = unit == "MACs" ? "macs" : "flops",
                .title = "computed, " + std::string(rule.title),
                .note = blindNote(tree, lensId),
                .emptyText = "This lens counts nothing here."};
    if (rule.isFormula()) {
        donut.emptyText = "no parts";
        donut.note = "a formula for the whole model";
        return donut;
    }
    const auto counts = summed(
        tree, [lensId](const auto& operation) { return pricedNode<Count>(lensId, operation); });
    fill(donut,
         counts,
         {[](double value) {
              const ShortNumber number = shortNumber(value);
              return number.figure + " " + number.prefix;
          },
          unit,
          " " + unit});
    const ShortNumber number = shortNumber(donut.total);
    donut.figure = number.figure;
    donut.unit = number.prefix + unit;
    return donut;
}

Donut formulaDonut(const Scenario& scenario, LensId lensId)
{
    const LensTotal total = lensTotal(scenario, lensId);
    Donut donut = flopsDonut(CostTree<Count>{}, lensId);
    if (!total.figure) {
        donut.emptyText = total.remarks.front();
        return donut;
    }
    const ShortNumber number = shortNumber(toDouble(*total.figure));
    const std::string unit = number.prefix + std::string(lens(lensId).unit);
    donut.count = *total.figure;
    donut.total = toDouble(*total.figure);
    donut.figure = number.figure;
    donut.unit = unit;
    donut.emptyText = number.figure + " " + unit + ", " + donut.emptyText;
    for (const std::string& remark : total.remarks) {
        donut.note += "; " + remark;
    }
    return donut;
}

Donut parametersDonut(const CostTree<Count>& tree)
{
    Donut donut{.origin = Origin::stored,
                .key = "parameters",
                .title = "stored",
                .emptyText = "This model has no parameters."};
    const auto counts =
        summed(tree, [](const auto& operation) { return operation.cost.parameters.trainable; });
    fill(donut, counts, {parametersText, "", " parameters"});
    const ShortNumber number = shortParameters(donut.total);
    donut.figure = number.figure;
    donut.unit = (number.prefix.empty() ? "" : number.prefix + " ") + "parameters";
    return donut;
}

Donut bytesDonut(const CostTree<Count>& tree, const Precision& precision)
{
    Donut donut{.origin = Origin::computed,
                .key = "bytes",
                .title = "moved, " + inPrecision(precision),
                .note = "each operand once, nothing fused",
                .emptyText = "Nothing is moved."};
    const auto counts = summed(
        tree, [&precision](const auto& operation) { return bytes(operation, precision).total(); });
    fill(donut, counts, {bytesText, "", " B"});
    const std::string text = bytesText(donut.total);
    const std::size_t space = text.find(' ');
    donut.figure = text.substr(0, space);
    donut.unit = text.substr(space + 1);
    return donut;
}

std::vector<Donut> usualDonuts(const Scenario& scenario,
                               const CostTree<Count>& tree,
                               LensId lensId,
                               std::span<const MeasuredPart> parts,
                               std::span<const PartTime> times,
                               const std::string& device,
                               const std::optional<MachineRoofs>& roofs,
                               const RoofConditions& as)
{
    std::vector<Donut> donuts{flopsDonut(tree, lensId)};
    if (lens(lensId).isFormula()) {
        donuts.front() = formulaDonut(scenario, lensId);
    }
    if (times.empty()) {
        donuts.push_back(parametersDonut(tree));
        donuts.push_back(bytesDonut(tree, scenario.workload.precision));
    } else {
        donuts.push_back(timeDonut(parts, times, device, roofs, as));
        donuts.push_back(parametersDonut(tree));
    }
    return donuts;
}

std::vector<Donut> comparedDonuts(std::span<const ComparedDesign> designs,
                                  LensId lensId,
                                  PairsRule pairs)
{
    std::vector<Donut> donuts;
    for (const ComparedDesign& design : designs) {
        Donut donut = lens(lensId).isFormula() ? formulaDonut(design.scenario, lensId)
            : design.tree != nullptr           ? flopsDonut(*design.tree, lensId)
                                     : flopsDonut(costTree(design.scenario, pairs), lensId);
        donut.note = donut.title + (donut.note.empty() ? "" : "; ") + donut.note;
        donut.title = design.name;
        donut.brief = design.letter.empty() ? elided(design.name, kLongestBrief) : design.letter;
        donut.key += std::string("_") + static_cast<char>('a' + static_cast<int>(donuts.size()));
        donuts.push_back(std::move(donut));
    }
    return donuts;
}

std::string shareText(const Donut& donut, const Slice* slice)
{
    if (slice == nullptr || slice->isPart) {
        return kNothing;
    }
    return donut.isComplete ? percentText(slice->share) : slice->valueText;
}

std::vector<LegendRow> legendRows(std::span<const Donut> donuts)
{
    std::vector<LegendRow> rows;
    for (const Donut& donut : donuts) {
        std::size_t place = 0; // a new row follows the donut's previous component
        for (const Slice& slice : donut.slices) {
            const auto found = std::find_if(rows.begin(), rows.end(), [&](const LegendRow& row) {
                return isSame(*row.component, *slice.component);
            });
            if (found != rows.end()) {
                place = static_cast<std::size_t>(found - rows.begin()) + 1;
                continue;
            }
            rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(place),
                        {.component = slice.component, .title = slice.title});
            ++place;
        }
    }
    for (LegendRow& row : rows) {
        for (const Donut& donut : donuts) {
            row.shares.push_back(shareText(donut, donut.slice(*row.component)));
        }
    }
    return rows;
}

} // namespace flopsmith
