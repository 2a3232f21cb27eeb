// SPDX-License-Identifier: MIT
#include "core/present/inside/part_steps.h"

#include "core/ffn/composed.h"
#include "core/ffn/moe.h"
#include "core/present/base/ffn_title.h"
#include "core/present/inside/inside_steps.h"
#include "core/present/stack/stack.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

/// Builds the steps of mixers and FFNs.
class PartOpener
{
public:
    PartOpener(const BlockCosts& costs, const PassSizes& sizes)
        : m_costs(costs)
        , m_tree(costs.tree())
        , m_sizes(sizes)
    {}

    InsideStep openedMixer(const MixerSpec& mixer, int node) const
    {
        Steps steps = plainSteps(node, shapesInside(mixer, m_sizes));
        if (holds_alternative<CrossAttention>(mixer)) {
            splitLanes(steps, {{"q_proj"}, {"kv_proj"}});
        } else if (holds_alternative<LatentAttention>(mixer)) {
            splitLanes(steps,
                       {{"q_proj", "q_a_proj", "q_norm", "q_b_proj"}, {"kv_a_proj", "kv_norm"}});
            splitLanes(steps, {{"k_b_proj"}, {"v_b_proj"}});
        }
        return titled(node, std::string(info(mixer).title), std::move(steps));
    }

    InsideStep openedFfn(const FfnSpec& ffn, int node, const std::string& title) const
    {
        if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
            return titled(node, title, composedSteps(*composed, node));
        }
        if (const auto* moe = get_if<MoeFfn>(&ffn)) {
            return titled(node, title, moeSteps(*moe, node));
        }
        return titled(node, title, expertSteps(ffn, node, m_sizes.tokens));
    }

private:
    /// The operations directly below a node; inner(node) makes the step of a group.
    template <class Inner>
    Steps stepsBelow(int node, const OperationShapes& shapes, Inner inner) const
    {
        Steps steps;
        for (int i = node + 1; i < m_tree.node(node).end; i = m_tree.node(i).end) {
            InsideStep step =
                m_tree.node(i).kind == OpKind::group ? inner(i) : operationStep(m_costs, i, shapes);
            if (step.isOperation() || !step.steps.empty()) {
                steps.push_back(std::move(step));
            }
        }
        return steps;
    }

    Steps plainSteps(int node, const OperationShapes& shapes) const
    {
        return stepsBelow(
            node, shapes, [](int) { return InsideStep{.kind = InsideStep::Kind::sequence}; });
    }

    InsideStep titled(int node, std::string title, Steps steps) const
    {
        InsideStep step = stepGroup(InsideStep::Kind::sequence, std::move(steps));
        step.name = m_tree.node(node).name;
        step.path = m_tree.path(node);
        step.title = std::move(title);
        step.component = m_tree.node(node).component;
        return step;
    }

    /// Of an FFN without parts of its own.
    Steps expertSteps(const FfnSpec& ffn, int node, const WireSize& rows) const
    {
        Steps steps = plainSteps(node, shapesInside(ffn, rows, m_sizes.width));
        splitLanes(steps, {{"gate_proj", "activation"}, {"up_proj"}});
        return steps;
    }

    Steps composedSteps(const ComposedFfn& ffn, int node) const
    {
        const OperationShapes shapes = shapesInside(FfnSpec(ffn), m_sizes.tokens, m_sizes.width);
        std::size_t stage = 0;
        Steps all = stepsBelow(node, shapes, [&](int group) {
            const FfnSpec& spec = ffn.stages[stage++].spec;
            return openedFfn(spec, group, ffnTitle(spec));
        });
        if (ffn.mode == CompositionMode::sequential) {
            return all;
        }
        const auto join = std::find_if(all.begin(), all.end(), [](const InsideStep& step) {
            return step.isOperation(); // the combination of the stages comes after them
        });
        Steps lanes(std::make_move_iterator(all.begin()), std::make_move_iterator(join));
        all.erase(all.begin(), join);
        if (!lanes.empty()) {
            all.insert(all.begin(), sideBySide(std::move(lanes)));
        }
        return all;
    }

    /// Routing and routed experts in parallel with the shared ones, and the sum of both.
    Steps moeSteps(const MoeFfn& ffn, int node) const
    {
        const OperationShapes shapes = shapesInside(FfnSpec(ffn), m_sizes.tokens, m_sizes.width);
        Steps routed = stepsBelow(node, shapes, [&](int group) {
            return m_tree.node(group).name == "shared" ? sharedStep(ffn, group, shapes)
                                                       : routedStep(ffn, group);
        });
        Steps shared = takeSteps(routed, {"shared"});
        if (shared.empty()) {
            return routed;
        }
        Steps sum = takeSteps(shared.front().steps, {"sum"});
        Steps lanes;
        lanes.push_back(inSequence(std::move(routed)));
        lanes.push_back(withSteps(std::move(shared.front())));
        Steps steps;
        steps.push_back(sideBySide(std::move(lanes)));
        std::move(sum.begin(), sum.end(), std::back_inserter(steps));
        return steps;
    }

    /// The group with the cost of its remaining steps.
    static InsideStep withSteps(InsideStep group)
    {
        group.cost = {};
        for (const InsideStep& step : group.steps) {
            group.cost += step.cost;
        }
        return group;
    }

    InsideStep routedStep(const MoeFfn& ffn, int node) const
    {
        const WireSize rows = WireSize{"k", ffn.perToken} * m_sizes.tokens;
        const FfnSpec expert =
            std::visit([](const auto& spec) { return FfnSpec(spec); }, ffn.routedExpert());
        return titled(node,
                      std::to_string(ffn.experts) + " experts, " + std::to_string(ffn.perToken)
                          + " per token",
                      expertSteps(expert, node, rows));
    }

    InsideStep sharedStep(const MoeFfn& ffn, int node, const OperationShapes& moeShapes) const
    {
        const FfnSpec expert =
            std::visit([](const auto& spec) { return FfnSpec(spec); }, ffn.sharedFfn());
        OperationShapes shapes = shapesInside(expert, m_sizes.tokens, m_sizes.width);
        shapes.insert(moeShapes.begin(), moeShapes.end());
        Steps steps = plainSteps(node, shapes);
        Steps behind = takeSteps(steps, {"open", "sum"});
        Steps gate = takeSteps(steps, {"shared_gate"});
        splitLanes(steps, {{"gate_proj", "activation"}, {"up_proj"}});
        Steps all;
        if (gate.empty()) {
            all = std::move(steps);
        } else {
            Steps lanes;
            lanes.push_back(inSequence(std::move(steps)));
            lanes.push_back(std::move(gate.front()));
            all.push_back(sideBySide(std::move(lanes)));
        }
        std::move(behind.begin(), behind.end(), std::back_inserter(all));
        return titled(node, "shared experts", std::move(all));
    }

    const BlockCosts& m_costs;
    const CostTree<Count>& m_tree;
    const PassSizes& m_sizes;
};

} // namespace

InsideStep operationStep(const BlockCosts& costs, int node, const OperationShapes& shapes)
{
    const auto& shown = costs.tree().node(node);
    InsideStep step{.name = std::string(shown.name),
                    .path = costs.tree().path(node),
                    .component = shown.component,
                    .cost = costs.costOf(node)};
    const auto found = shapes.find(shown.name);
    if (found != shapes.end()) {
        step.shape = found->second;
    }
    return step;
}

InsideStep mixerStep(const BlockCosts& costs,
                     const PassSizes& sizes,
                     const MixerSpec& mixer,
                     int node)
{
    return PartOpener(costs, sizes).openedMixer(mixer, node);
}

InsideStep ffnStep(const BlockCosts& costs,
                   const PassSizes& sizes,
                   const FfnSpec& ffn,
                   int node,
                   const std::string& title)
{
    return PartOpener(costs, sizes).openedFfn(ffn, node, title);
}

} // namespace flopsmith
