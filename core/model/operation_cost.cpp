// SPDX-License-Identifier: MIT
#include "core/layer/embedding_cost.h"
#include "core/layer/head_cost.h"
#include "core/layer/norm_cost.h"
#include "core/layer/residual_cost.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"

namespace flopsmith {
namespace {

const Numbers<Count> kOperationNumbers;

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
        [&](const ResidualOperation& r) { // either way
            addResidual("residual", pass, tree, r.residual);
        },
        [&](const EmbeddingOperation& e) {
            addGroup(tree, "embedding", kEmbeddingComponent, [&] {
                back ? addBackwardCost(e.embedding, pass, tree) : addCost(e.embedding, pass, tree);
            });
        },
        [&](const HeadOperation& h) {
            addGroup(tree, "head", kHeadComponent, [&] {
                back ? addBackwardCost(h.head, h.tokenTable(), pass, tree)
                     : addCost(h.head, h.tokenTable(), pass, tree);
            });
        },
        [](const ModelOperation&) {}, // has a tree of its own
    };
    std::visit(add, operation.what);
}

} // namespace

CostTree<Count> costTree(const Operation& operation, PairsRule pairs)
{
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        return costTree(scenarioOf(*whole, operation), pairs);
    }
    const Pass<Count> pass{.numbers = kOperationNumbers,
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

} // namespace flopsmith
