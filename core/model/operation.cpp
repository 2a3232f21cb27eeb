// SPDX-License-Identifier: MIT
#include "core/model/operation.h"

#include "core/model/model_cost.h"

namespace flopsmith {
namespace {

const Numbers<Count> kNumbers;

template <class... Visitors>
struct Overloaded : Visitors...
{
    using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

template <class Add>
void addGroup(CostTree<Count>& tree, std::string_view name, const Component& component, Add add)
{
    const auto group = tree.group(name, component);
    add();
}

void addOperation(const Operation& operation, const Pass<Count>& pass, CostTree<Count>& tree)
{
    const auto root = tree.group("operation", kNormComponent);
    const bool back = operation.pass == ComputePass::backward;
    const Overloaded add{
        [&](const auto& variant) {
            addGroup(tree, info(variant).id, *info(variant).component, [&] {
                back ? addBackwardCost(variant, pass, tree) : addCost(variant, pass, tree);
            });
        },
        [&](const NormOperation& n) {
            back ? addNormBackward("norm", n.norm, pass, tree)
                 : addNorm("norm", n.norm, pass, tree);
        },
        [&](const ResidualOperation&) { addResidual("residual", pass, tree); }, // either way
        [&](const EmbeddingOperation& e) {
            addGroup(tree, "embedding", kEmbeddingComponent, [&] {
                back ? addBackwardCost(e.embedding, pass, tree) : addCost(e.embedding, pass, tree);
            });
        },
        [&](const HeadOperation& h) {
            addGroup(tree, "head", kHeadComponent, [&] {
                back ? addBackwardCost(h.head, h.vocab, pass, tree)
                     : addCost(h.head, h.vocab, pass, tree);
            });
        },
    };
    std::visit(add, operation.what);
}

// Collects parts, counting an operation that occurs again as another use.
class PartList
{
public:
    PartList(const Scenario& scenario, ComputePass pass)
        : m_scenario(scenario)
        , m_pass(pass)
    {}

    int add(const MeasuredPart& wanted)
    {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (m_parts[i].operation == wanted.operation && m_parts[i].partOf == wanted.partOf) {
                m_parts[i].uses += wanted.uses;
                return static_cast<int>(i);
            }
        }
        m_parts.push_back(wanted);
        return static_cast<int>(m_parts.size()) - 1;
    }

    Operation operation(decltype(Operation::what) what) const
    {
        return {.what = std::move(what),
                .dModel = m_scenario.model.dModel,
                .batch = m_scenario.workload.batch,
                .sequence = m_scenario.workload.queryTokens(),
                .context = m_scenario.workload.keys(),
                .pass = m_pass};
    }

    void addNorm(const Norm& norm, const std::string& path, int uses)
    {
        if (norm.kind != NormKind::none) {
            const std::string title = norm.kind == NormKind::rmsNorm ? "RMSNorm" : "LayerNorm";
            add({path, title, &kNormComponent, operation(NormOperation{norm}), uses});
        }
    }

    void addResidual(const std::string& path, int uses)
    {
        add({path, "Residual", &kNormComponent, operation(ResidualOperation{}), uses});
    }

    void addFfn(const FfnSpec& ffn, const std::string& path, int uses)
    {
        const int whole =
            add({path, std::string(info(ffn).title), info(ffn).component, operation(ffn), uses});
        if (const auto* composed = std::get_if<ComposedFfn>(&ffn)) {
            for (const FfnStage& stage : composed->stages) {
                const VariantInfo& stageInfo = info(stage.spec);
                add({path + "/" + std::string(stageInfo.id),
                     std::string(stageInfo.title),
                     stageInfo.component,
                     operation(stage.spec),
                     uses,
                     whole});
            }
        }
    }

    void addBlocks(const BlockRun& run, const std::string& path)
    {
        const Block& block = run.block;
        if (block.hasMixer()) {
            const VariantInfo& mixer = info(block.mixer);
            addNorm(block.norm, path + "/mixer_norm", run.repeat);
            add({path + "/" + std::string(mixer.id),
                 std::string(mixer.title),
                 mixer.component,
                 operation(block.mixer),
                 run.repeat});
            addResidual(path + "/mixer_residual", run.repeat);
        }
        if (block.hasFfn()) {
            addNorm(block.norm, path + "/ffn_norm", run.repeat);
            addFfn(block.ffn, path + "/ffn", run.repeat);
            addResidual(path + "/ffn_residual", run.repeat);
        }
    }

    std::vector<MeasuredPart> take() { return std::move(m_parts); }

private:
    const Scenario& m_scenario;
    ComputePass m_pass;
    std::vector<MeasuredPart> m_parts;
};

} // namespace

template <>
std::vector<std::string_view> enumNames<ComputePass>()
{
    return {"forward", "backward"};
}

CostTree<Count> costTree(const Operation& operation, PairsRule pairs)
{
    const Pass<Count> pass{.numbers = kNumbers,
                           .batch = operation.batch,
                           .sequence = operation.sequence,
                           .context = operation.context,
                           .dModel = operation.dModel,
                           .batchValue = operation.batch,
                           .dModelValue = operation.dModel,
                           .sequenceValue = operation.sequence,
                           .contextValue = operation.context,
                           .pairs = pairs,
                           .source = operation.source,
                           .sourceValue = operation.source};
    CostTree<Count> tree;
    addOperation(operation, pass, tree);
    return tree;
}

std::vector<MeasuredPart> measuredParts(const Scenario& scenario, ComputePass pass)
{
    const Model& model = scenario.model;
    PartList parts(scenario, pass);
    parts.add({"embedding",
               "Embedding",
               &kEmbeddingComponent,
               parts.operation(EmbeddingOperation{model.embedding}),
               1});
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const int first = model.firstBlock(static_cast<int>(i));
        parts.addBlocks(model.runs[i], "blocks[" + std::to_string(first) + "]");
    }
    parts.addNorm(model.finalNorm, "final_norm", 1);
    if (model.head.kind != HeadKind::none) {
        parts.add({"head",
                   model.head.kind == HeadKind::lm ? "LM head" : "Pooler",
                   &kHeadComponent,
                   parts.operation(HeadOperation{model.head, model.embedding.vocab}),
                   1});
    }
    return parts.take();
}

} // namespace flopsmith
