// SPDX-License-Identifier: MIT
#include "core/present/inside/inside.h"

#include "core/base/text.h"
#include "core/model/pattern.h"
#include "core/model/tree_path.h"
#include "core/present/inside/inside_steps.h"
#include "core/present/stack/stack.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace flopsmith {
namespace {

/// Builds a block from the parts that it executes and their nodes in the cost tree.
class BlockOpener
{
public:
    BlockOpener(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId, int run)
        : m_scenario(scenario)
        , m_tree(tree)
        , m_lens(lensId)
        , m_run(scenario.model.runs[static_cast<std::size_t>(run)])
        , m_first(scenario.model.firstBlock(run))
        , m_sizes(passSizes(scenario, m_run.block.stack))
    {
        if (const int index = patternOf(scenario.model, run); index >= 0) {
            const Pattern& pattern = scenario.model.patterns[static_cast<std::size_t>(index)];
            m_periods = pattern.times;
            m_period = blocksInPeriod(scenario.model, pattern);
        }
        m_picture.run = run;
        m_picture.repeat = m_run.repeat * m_periods;
        findNodes();
    }

    InsidePicture picture()
    {
        const Lens& shown = lens(m_lens);
        m_picture.priced = !shown.isFormula();
        m_picture.unit = shown.unit;
        m_picture.stream = m_sizes.stream();
        m_picture.blocks = blocksText();
        m_picture.repeatText =
            m_picture.repeat > 1 ? "\xC3\x97 " + std::to_string(m_picture.repeat) : std::string();
        m_picture.note = noteText(shown);
        forEachPart(m_run.block, [this](const BlockPart& part) { add(part); });
        for (InsideStage& stage : m_picture.stages) {
            threadShapes(stage.body, m_picture.stream);
            threadShapes(stage.add, m_picture.stream);
            m_picture.total += stage.body.cost;
            m_picture.total += stage.add.cost;
        }
        return std::move(m_picture);
    }

private:
    bool trains() const { return m_scenario.workload.phase == Phase::train; }

    std::string blocksText() const
    {
        std::string text = m_run.repeat == 1 ? "block " : "blocks ";
        if (m_scenario.model.hasEncoder()) {
            text.insert(0, m_run.block.isEncoder() ? "encoder " : "decoder ");
        }
        text += std::to_string(m_first + 1);
        if (m_run.repeat > 1) {
            text += " \xE2\x80\x93 " + std::to_string(m_first + m_run.repeat);
        }
        return m_periods == 1
            ? text
            : text + ", and in every period of the pattern \xC3\x97 " + std::to_string(m_periods);
    }

    std::string noteText(const Lens& shown) const
    {
        const std::string scope = m_picture.repeat == 1
            ? "this block"
            : "all " + std::to_string(m_picture.repeat) + " blocks together";
        const std::string cost = shown.isFormula()
            ? std::string(shown.title) + " is a formula for the whole model: no cost per operation"
            : std::string("cost in one ") + (trains() ? "training step, " : "pass, ")
                + std::string(shown.title);
        return cost + ", " + scope;
    }

    int childOf(int parent, std::string_view name, int index = -1) const
    {
        const int end = parent < 0 ? -1 : m_tree.node(parent).end;
        for (int i = parent + 1; i < end; i = m_tree.node(i).end) {
            if (m_tree.node(i).name == name && m_tree.node(i).index == index) {
                return i;
            }
        }
        return -1;
    }

    // A training step has a block up to three times: forward, recomputed, backward. Parameters that
    // blocks share stand beside them.
    void findNodes()
    {
        std::vector<int> roots{0};
        if (trains()) {
            roots = {childOf(0, "forward"), childOf(0, "recomputed"), childOf(0, "backward")};
        }
        m_node = childOf(roots.front(), "blocks", m_first);
        for (const int root : roots) {
            for (int i = 0; i < m_periods; ++i) {
                rememberNodes(childOf(root, "blocks", m_first + i * m_period));
            }
        }
        if (m_run.block.sharesParameters()) {
            rememberNodes(childOf(roots.front(), "shared_parameters", m_run.block.shareGroup));
        }
    }

    void rememberNodes(int block)
    {
        if (block < 0) {
            return;
        }
        const std::size_t length = m_tree.path(block).size();
        for (int i = block + 1; i < m_tree.node(block).end; ++i) {
            m_alike[m_tree.path(i).substr(length)].push_back(i);
        }
    }

    InsideCost costOf(int node) const
    {
        InsideCost cost;
        bool blind = false;
        for (const int each : m_alike.at(m_tree.path(node).substr(m_tree.path(m_node).size()))) {
            const Count uses = m_tree.timesUsed(each);
            const Cost<Count>& own = m_tree.node(each).cost;
            cost.parameters += uses * own.parameters.trainable;
            cost.bytes += uses * bytes(own.traffic, m_scenario.workload.precision).total();
            if (!lens(m_lens).isFormula()) {
                cost.flops += uses * pricedNode<Count>(m_lens, m_tree.node(each));
                blind = blind || isBlindToPart(m_lens, m_tree, each);
            }
        }
        cost.uncounted = blind && cost.flops == 0;
        return cost;
    }

    InsideStep operation(int node, const OperationShapes& shapes) const
    {
        const auto& shown = m_tree.node(node);
        InsideStep step{.name = std::string(shown.name),
                        .path = m_tree.path(node),
                        .component = shown.component,
                        .cost = costOf(node)};
        const auto found = shapes.find(shown.name);
        if (found != shapes.end()) {
            step.shape = found->second;
        }
        return step;
    }

    /// The operations directly below a node; inner(node) makes the step of a group.
    template <class Inner>
    Steps stepsBelow(int node, const OperationShapes& shapes, Inner inner) const
    {
        Steps steps;
        for (int i = node + 1; i < m_tree.node(node).end; i = m_tree.node(i).end) {
            InsideStep step =
                m_tree.node(i).kind == OpKind::group ? inner(i) : operation(i, shapes);
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

    InsideStep mixerStep(const MixerSpec& mixer, int node) const
    {
        Steps steps = plainSteps(node, shapesInside(mixer, m_sizes));
        if (std::holds_alternative<CrossAttention>(mixer)) {
            splitLanes(steps, {{"q_proj"}, {"kv_proj"}});
        } else if (std::holds_alternative<LatentAttention>(mixer)) {
            splitLanes(steps,
                       {{"q_proj", "q_a_proj", "q_norm", "q_b_proj"}, {"kv_a_proj", "kv_norm"}});
            splitLanes(steps, {{"k_b_proj"}, {"v_b_proj"}});
        }
        return titled(node, std::string(info(mixer).title), std::move(steps));
    }

    InsideStep ffnStep(const FfnSpec& ffn, int node, const std::string& title) const
    {
        if (const auto* composed = std::get_if<ComposedFfn>(&ffn)) {
            return titled(node, title, composedSteps(*composed, node));
        }
        if (const auto* moe = std::get_if<MoeFfn>(&ffn)) {
            return titled(node, title, moeSteps(*moe, node));
        }
        return titled(node, title, expertSteps(ffn, node, m_sizes.tokens));
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
            return ffnStep(spec, group, ffnTitle(spec));
        });
        if (ffn.mode == CompositionMode::sequential) {
            return all;
        }
        const auto join = std::find_if(all.begin(), all.end(), [](const InsideStep& step) {
            return step.isOperation(); // what joins the stages stands behind them
        });
        Steps lanes(std::make_move_iterator(all.begin()), std::make_move_iterator(join));
        all.erase(all.begin(), join);
        if (!lanes.empty()) {
            all.insert(all.begin(), sideBySide(std::move(lanes)));
        }
        return all;
    }

    /// Routing and routed experts beside the shared ones, and the sum of both.
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

    /// The group with the cost of the steps that it has left.
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

    void add(const BlockPart& part)
    {
        const int node = childOf(m_node, part.name);
        if (node < 0) {
            return; // a norm that is switched off
        }
        switch (part.kind) {
        case BlockPart::Kind::norm: addNorm(node); break;
        case BlockPart::Kind::mixer: addPart(mixerStep(m_run.block.mixer, node)); break;
        case BlockPart::Kind::cross: addPart(mixerStep(m_run.block.cross, node)); break;
        case BlockPart::Kind::ffn:
            addPart(ffnStep(m_run.block.ffn, node, ffnTitle(m_run.block.ffn)));
            break;
        case BlockPart::Kind::residual: closeBranch(node); break;
        }
    }

    // A composed FFN may have lost its last stage.
    void addPart(InsideStep part)
    {
        if (!part.steps.empty()) {
            m_branch.push_back(std::move(part));
        }
    }

    void addNorm(int node)
    {
        InsideStep norm = operation(node, {});
        norm.shape.out = OperationShape::Out::asIn;
        if (m_run.block.placement == NormPlacement::post && !m_run.block.isParallel()) {
            m_picture.stages.push_back(
                {.kind = InsideStage::Kind::onStream, .body = std::move(norm)});
        } else {
            m_branch.push_back(std::move(norm));
        }
    }

    void closeBranch(int node)
    {
        InsideStep add = operation(node, {});
        add.shape.out = OperationShape::Out::asIn;
        if (m_run.block.isParallel()) {
            const std::string mixer(info(m_run.block.mixer).id);
            splitLanes(m_branch, {{"mixer_norm", mixer}, {"ffn_norm", "ffn"}});
        }
        m_picture.stages.push_back(
            {.body = stepGroup(InsideStep::Kind::sequence, std::exchange(m_branch, {})),
             .add = std::move(add)});
    }

    const Scenario& m_scenario;
    const CostTree<Count>& m_tree;
    LensId m_lens;
    const BlockRun& m_run;
    int m_first;
    int m_periods = 1; ///< of the run's pattern
    int m_period = 0; ///< blocks of one of them
    PassSizes m_sizes;
    int m_node = -1; ///< of the block, in the forward pass
    std::map<std::string, std::vector<int>> m_alike{}; ///< nodes by their path below the block
    Steps m_branch{}; ///< since the residual stream was left
    InsidePicture m_picture{};
};

const InsideStep* stepWithin(const InsideStep& step, std::string_view path)
{
    if (!step.path.empty() && withoutPass(step.path) == path) {
        return &step;
    }
    for (const InsideStep& inner : step.steps) {
        if (const InsideStep* found = stepWithin(inner, path)) {
            return found;
        }
    }
    return nullptr;
}

} // namespace

Count InsideCost::of(InsideMeasure measure) const
{
    switch (measure) {
    case InsideMeasure::flops: return flops;
    case InsideMeasure::parameters: return parameters;
    case InsideMeasure::bytes: return bytes;
    case InsideMeasure::time: break; // no count
    }
    return 0;
}

InsideCost& InsideCost::operator+=(const InsideCost& other)
{
    flops += other.flops;
    parameters += other.parameters;
    bytes += other.bytes;
    uncounted = flops == 0 && (uncounted || other.uncounted);
    return *this;
}

InsidePicture insidePicture(const Scenario& scenario,
                            const CostTree<Count>& tree,
                            LensId lensId,
                            int run)
{
    FLOPSMITH_CHECK(tree.size() > 0);
    if (run < 0 || run >= static_cast<int>(scenario.model.runs.size())) {
        return {};
    }
    return BlockOpener(scenario, tree, lensId, run).picture();
}

std::vector<const InsideStep*> operationsOf(const InsidePicture& picture)
{
    std::vector<const InsideStep*> operations;
    const auto collect = [&operations](const InsideStep& step) { operations.push_back(&step); };
    for (const InsideStage& stage : picture.stages) {
        forEachOperation(stage.body, collect);
        if (stage.kind == InsideStage::Kind::branch) {
            collect(stage.add);
        }
    }
    return operations;
}

const InsideStep* stepAt(const InsidePicture& picture, std::string_view path)
{
    const std::string_view alone = withoutPass(path);
    for (const InsideStage& stage : picture.stages) {
        if (const InsideStep* found = stepWithin(stage.body, alone)) {
            return found;
        }
        if (const InsideStep* found = stepWithin(stage.add, alone)) {
            return found;
        }
    }
    return nullptr;
}

} // namespace flopsmith
