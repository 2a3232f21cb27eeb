// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/narrowed_request.h"

#include "core/present/base/ffn_title.h"
#include "core/present/time/folded_stages.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

// Of each operation of the shown parts the time that was measured in the model.
std::vector<PartTime> timesOf(std::span<const MeasuredPart> shown,
                              std::span<const MeasuredPart> parts,
                              std::span<const PartTime> times)
{
    std::vector<PartTime> found(times.empty() ? 0 : shown.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto same = std::ranges::find_if(parts, [&](const MeasuredPart& part) {
            return part.operation == shown[i].operation
                && part.addsToTotal() == shown[i].addsToTotal();
        });
        const auto at = static_cast<std::size_t>(same - parts.begin());
        if (at < times.size()) {
            found[i] = times[at];
        }
    }
    return found;
}

// Each called as its FFN.
std::vector<MeasuredPart> withoutStages(std::span<const MeasuredPart> parts)
{
    std::vector<MeasuredPart> whole;
    for (const std::size_t i : partsWithoutStages(parts)) {
        whole.push_back(parts[i]);
        if (const auto* ffn = std::get_if<FfnSpec>(&parts[i].operation.what)) {
            whole.back().title = ffnTitle(*ffn);
        }
    }
    return whole;
}

CostTree<Count> narrowedTree(const FigureRequest& request)
{
    return withTree(request, [&request](const CostTree<Count>& tree) {
        return request.scope.isModel() ? withStagesFolded(tree)
                                       : scopedTree(tree, request.scenario.model, request.scope);
    });
}

} // namespace

NarrowedRequest::NarrowedRequest(const FigureRequest& request)
    : m_request(request)
    , m_tree(narrowedTree(request))
{
    const RequestParts all(request);
    m_parts =
        request.scope.isModel() ? withoutStages(all) : scopedParts(request.scenario, request.scope);
    m_request.tree = &m_tree;
    m_request.parts = m_parts;
    m_request.times = timesOf(m_parts, all, request.times);
    for (DeviceTimes& device : m_request.sideBySide) {
        device.times = timesOf(m_parts, all, device.times);
    }
    if (!request.scope.isModel()) {
        m_request.pairs = pairsOf(request);
        m_request.lens = lensOfParts(request.lens);
        m_request.others.clear();
        m_request.otherTimes.clear();
        m_request.curves.reset(); // measured points are of the whole model
    }
}

} // namespace flopsmith::ui
