// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/variant_handle.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <concepts>
#include <vector>

// The registry of FFN variants: a new one is three files in this folder (what it is, its fields, what
// it costs), an include in ffn_variants.h, one in ffn_cost.h and its name in the list below. Palette,
// sliders, colours, files, sweeps and the tests over all variants follow from the list. Each back end
// has a source of its kernels; until then the variants.h of that back end names it, and it is counted
// and not run there. What people are told of it is in resources/explanations/ffn.md. core/README.md
// goes through a variant file by file.
//
// This header includes no variant: a source that names one includes its header, a source that
// treats all of them includes ffn_variants.h.
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

#define FLOPSMITH_DECLARE_NAME(Spec) struct Spec;
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_DECLARE_NAME)
#undef FLOPSMITH_DECLARE_NAME

#define FLOPSMITH_COMMA_NAME(Spec) , Spec
/// Any feed-forward network.
using FfnSpec = detail::HandleAfter<void FLOPSMITH_FFN_VARIANTS(FLOPSMITH_COMMA_NAME)>;
#undef FLOPSMITH_COMMA_NAME

/// No FFN.
template <>
FfnSpec::VariantHandle();

/// One of each variant with its defaults, in the order of the registry. The composed one has the
/// stages of UltraEfficientSparseFFN.
std::vector<FfnSpec> ffnPrototypes();

const VariantInfo& info(const FfnSpec& ffn);
const std::vector<Field<FfnSpec>>& fields(const FfnSpec& ffn);
WeightShapes weights(const FfnSpec& ffn, int dModel);

/// How many tokens before it, in its sequence, a token's output depends on: 0 for all FFNs but
/// token feedback from the previous token and compositions with it.
int tokensSeenBefore(const FfnSpec& ffn);

/// Adds the operations of the FFN's forward pass to the tree's open group. Defined in ffn_cost.h
/// and compiled once per type of number: in ffn_cost.cpp for Count, in core/formula for symbols.
/// Constrained to FfnSpec, because a variant without its formula in scope would convert to it and
/// recurse.
template <std::same_as<FfnSpec> Any, class N>
void addCost(const Any& ffn, const Pass<N>& pass, CostTree<N>& tree);

/// Adds the operations of the backward pass: the gradients of x and of every weight from the
/// gradient of y. Each has the name of the forward operation it belongs to. Saved activations are
/// neither computed nor charged again.
template <std::same_as<FfnSpec> Any, class N>
void addBackwardCost(const Any& ffn, const Pass<N>& pass, CostTree<N>& tree);

} // namespace flopsmith
