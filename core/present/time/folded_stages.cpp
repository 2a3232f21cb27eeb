// SPDX-License-Identifier: MIT
#include "core/present/time/folded_stages.h"

#include "core/count/by_component.h"
#include "core/ffn/composed.h"
#include "core/present/base/ffn_title.h"
#include "core/study/variation/part_scope.h"

#include <algorithm>

namespace flopsmith {
namespace {

const Component& composedComponent()
{
    return *ComposedFfn::info().component;
}

bool isComposed(const BlockRun& run)
{
    return get_if<ComposedFfn>(&run.block.ffn) != nullptr;
}

} // namespace

bool hasComposedFfn(const Model& model)
{
    return std::ranges::any_of(model.runs, isComposed);
}

CostTree<Count> withStagesFolded(CostTree<Count> tree)
{
    int at = -1;
    int end = 0; // of the composed FFN around a node
    tree.changeFrom(0, [&](CostTree<Count>::Node& node) {
        ++at;
        if (node.kind == OpKind::group && at >= end
            && isSame(*node.component, composedComponent())) {
            end = node.end;
        }
        if (at < end) {
            node.component = &composedComponent();
        }
    });
    return tree;
}

std::vector<std::size_t> partsWithoutStages(std::span<const MeasuredPart> parts)
{
    std::vector<std::size_t> whole;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].addsToTotal()) {
            whole.push_back(i);
        }
    }
    return whole;
}

std::string composedTitle(const Model& model)
{
    std::string title;
    for (const BlockRun& run : model.runs) {
        if (isComposed(run)) {
            const std::string own = ffnTitle(run.block.ffn);
            if (!title.empty() && own != title) {
                return "Composed FFN";
            }
            title = own;
        }
    }
    return title == ComposedFfn::info().title ? "Composed FFN" : title;
}

void nameComposedFfns(std::vector<Donut>& donuts, const Model& model)
{
    std::vector<std::string> paths;
    for (std::size_t run = 0; run < model.runs.size(); ++run) {
        if (isComposed(model.runs[run])) {
            paths.push_back(
                scopePath(model, {.kind = ScopeKind::ffn, .run = static_cast<int>(run)}));
        }
    }
    for (Donut& donut : donuts) {
        for (Slice& slice : donut.slices) {
            if (isSame(*slice.component, composedComponent())) {
                slice.title = composedTitle(model);
                slice.paths = paths;
            }
        }
    }
}

} // namespace flopsmith
