// SPDX-License-Identifier: MIT
#include "core/present/inside/inside.h"

#include "core/model/tree_path.h"
#include "core/present/base/ffn_title.h"
#include "core/present/inside/block_costs.h"
#include "core/present/inside/inside_steps.h"
#include "core/present/inside/part_steps.h"
#include "core/present/stack/stack.h"

#include <utility>

namespace flopsmith {
namespace {

/// Builds a block from the parts that it executes and their nodes in the cost tree.
class BlockOpener
{
public:
    BlockOpener(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId, int run)
        : m_scenario(scenario)
        , m_lens(lensId)
        , m_run(scenario.model.runs[static_cast<std::size_t>(run)])
        , m_first(scenario.model.firstBlock(run))
        , m_sizes(passSizes(scenario, m_run.block.stack))
        , m_costs(scenario, tree, lensId, run)
    {
        m_picture.run = run;
        m_picture.repeat = m_run.repeat * m_costs.periods();
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
        return m_costs.periods() == 1 ? text
                                      : text + ", and in every period of the pattern \xC3\x97 "
                + std::to_string(m_costs.periods());
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

    void add(const BlockPart& part)
    {
        const int node = m_costs.part(part.name);
        if (node < 0) {
            return; // a norm that is switched off
        }
        switch (part.kind) {
        case BlockPart::Kind::norm: addNorm(node); break;
        case BlockPart::Kind::mixer:
            addPart(mixerStep(m_costs, m_sizes, m_run.block.mixer, node));
            break;
        case BlockPart::Kind::cross:
            addPart(mixerStep(m_costs, m_sizes, m_run.block.cross, node));
            break;
        case BlockPart::Kind::ffn:
            addPart(ffnStep(m_costs, m_sizes, m_run.block.ffn, node, ffnTitle(m_run.block.ffn)));
            break;
        case BlockPart::Kind::residual: closeBranch(node); break;
        }
    }

    // A composed FFN may have no stages left.
    void addPart(InsideStep part)
    {
        if (!part.steps.empty()) {
            m_branch.push_back(std::move(part));
        }
    }

    void addNorm(int node)
    {
        InsideStep norm = operationStep(m_costs, node, {});
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
        InsideStep add = operationStep(m_costs, node, {});
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
    LensId m_lens;
    const BlockRun& m_run;
    int m_first;
    PassSizes m_sizes;
    BlockCosts m_costs;
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
