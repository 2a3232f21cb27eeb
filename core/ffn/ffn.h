// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/composed.h"
#include "core/ffn/dense.h"
#include "core/ffn/factored/kronecker.h"
#include "core/ffn/factored/low_rank.h"
#include "core/ffn/factored/monarch.h"
#include "core/ffn/gated.h"
#include "core/ffn/micro_refine.h"
#include "core/ffn/moe_cost.h"
#include "core/ffn/no_ffn.h"
#include "core/ffn/polynomial.h"
#include "core/ffn/random_projection.h"
#include "core/ffn/spectral.h"
#include "core/ffn/token_feedback.h"

#include <variant>
#include <vector>

// The registry of FFN variants: a new one is a file pair in this folder, its include above and its
// name in the list below. Palette, sliders, colours, files, sweeps and the tests over all variants
// follow from the list. Each back end has a source of its kernels; until then the variants.h of that
// back end names it, and it is counted and not run there. What people are told of it is in
// ffn_explanations.cpp. core/README.md goes through a variant file by file.
#define FLOPSMITH_FFN_VARIANTS(X)                                                                  \
    X(NoFfn)                                                                                       \
    X(DenseFfn)                                                                                    \
    X(GatedFfn)                                                                                    \
    X(LowRankFfn)                                                                                  \
    X(MoeFfn)                                                                                      \
    X(SpectralFfn)                                                                                 \
    X(PolynomialFfn)                                                                               \
    X(RandomProjectionFfn)                                                                         \
    X(TokenFeedbackFfn)                                                                            \
    X(MicroRefineFfn)                                                                              \
    X(KroneckerFfn)                                                                                \
    X(MonarchFfn)                                                                                  \
    X(ComposedFfn)

namespace flopsmith {

namespace detail {
template <class Ignored, class... Specs>
using FfnVariant = std::variant<Specs...>;
} // namespace detail

#define FLOPSMITH_COMMA_NAME(Spec) , Spec
/// Any feed-forward network.
using FfnSpec = detail::FfnVariant<void FLOPSMITH_FFN_VARIANTS(FLOPSMITH_COMMA_NAME)>;
#undef FLOPSMITH_COMMA_NAME

/// A stage of a composed FFN: any FFN, so that compositions nest.
struct FfnStage
{
    FfnSpec spec;

    bool operator==(const FfnStage&) const = default;
};

/// One of each variant with its defaults, in the order of the registry. The composed one has the
/// stages of UltraEfficientSparseFFN.
std::vector<FfnSpec> ffnPrototypes();

/// Parallel [spectral, polynomial, micro-refine], each behind a scalar gate, dropout 0.1: a
/// drop-in for GPT-2's MLP.
ComposedFfn ultraEfficientSparseFfn();

/// Sequential [spectral top-k, sparse polynomial, sparse token feedback, sparse Kronecker], each
/// behind a scalar gate, for a model of width d; the Kronecker stage has the hidden width f and
/// factors as square as the divisors of d and f allow.
ComposedFfn ultraEfficientFfn(int dModel, int dFf);

const VariantInfo& info(const FfnSpec& ffn);
const std::vector<Field<FfnSpec>>& fields(const FfnSpec& ffn);
WeightShapes weights(const FfnSpec& ffn, int dModel);

/// How many tokens before it, in its sequence, a token's output depends on: 0 for all FFNs but
/// token feedback from the previous token and compositions with it.
int tokensSeenBefore(const FfnSpec& ffn);

/// Adds the operations of the FFN's forward pass to the tree's open group.
template <class N>
void addCost(const FfnSpec& ffn, const Pass<N>& pass, CostTree<N>& tree);

/// Adds those of its backward pass: the gradients of x and of every weight from that of y. Each
/// has the name of the forward operation it belongs to. What the forward pass kept (`saved`) is
/// not computed again and not charged.
template <class N>
void addBackwardCost(const FfnSpec& ffn, const Pass<N>& pass, CostTree<N>& tree);

/// Calls add(spec) for each stage, its group open, so that it stands alone in every table.
template <class N, class Add>
void addStages(const ComposedFfn& ffn, CostTree<N>& tree, const Add& add)
{
    for (std::size_t i = 0; i < ffn.stages.size(); ++i) {
        const VariantInfo& stage = info(ffn.stages[i].spec);
        bool repeated = false;
        for (std::size_t j = 0; j < ffn.stages.size(); ++j) {
            repeated = repeated || (j != i && info(ffn.stages[j].spec).id == stage.id);
        }
        const auto group =
            tree.group(stage.id, *stage.component, repeated ? static_cast<int>(i) : -1);
        add(ffn.stages[i].spec);
    }
}

/// The stages, then what joins them, and in training dropout.
template <class N>
void addCost(const ComposedFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    addStages(ffn, tree, [&](const FfnSpec& stage) { addCost(stage, pass, tree); });
    if (!ffn.stages.empty()) {
        const N stages{static_cast<int>(ffn.stages.size())};
        tree.operation("combine",
                       OpKind::elementwise,
                       N(pass.tokens() * pass.dModel),
                       combinationCost(ffn, pass, stages));
        if (pass.training && ffn.drops()) {
            const N n = pass.tokens() * pass.dModel;
            tree.operation("dropout", OpKind::elementwise, n, dropoutCost(n));
        }
    }
}

template <class N>
void addBackwardCost(const ComposedFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    addStages(ffn, tree, [&](const FfnSpec& stage) { addBackwardCost(stage, pass, tree); });
    if (!ffn.stages.empty()) {
        const N stages{static_cast<int>(ffn.stages.size())};
        tree.operation("combine",
                       OpKind::elementwise,
                       N(pass.tokens() * pass.dModel),
                       combinationBackwardCost(ffn, pass, stages));
        if (ffn.drops()) {
            const N n = pass.tokens() * pass.dModel;
            tree.operation("dropout", OpKind::elementwise, n, dropoutBackwardCost(n));
        }
    }
}

template <class N>
void addCost(const FfnSpec& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    std::visit([&](const auto& spec) { addCost(spec, pass, tree); }, ffn);
}

template <class N>
void addBackwardCost(const FfnSpec& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    std::visit([&](const auto& spec) { addBackwardCost(spec, pass, tree); }, ffn);
}

} // namespace flopsmith
