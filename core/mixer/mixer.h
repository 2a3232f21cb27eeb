// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/variant_handle.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"
#include "core/mixer/cached_features.h"

#include <concepts>
#include <vector>

// The registry of token mixers: a new one is three files in this folder (what it is, its fields,
// what it costs), an include in mixer_variants.h, one in mixer_cost.h and its name in the list below;
// everything else follows from the list, but for its kernels, a source in each back end (whose
// variants.h names what it lacks), and the words in resources/explanations/mixer.md. This header
// includes no variant, as that of the FFNs.
#define FLOPSMITH_MIXER_VARIANTS(X)                                                                \
    X(NoMixer)                                                                                     \
    X(Attention)                                                                                   \
    X(LatentAttention)                                                                             \
    X(CrossAttention)                                                                              \
    X(FourierMixer)                                                                                \
    X(Mamba2)

namespace flopsmith {

#define FLOPSMITH_DECLARE_NAME(Spec) struct Spec;
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_DECLARE_NAME)
#undef FLOPSMITH_DECLARE_NAME

#define FLOPSMITH_COMMA_NAME(Spec) , Spec
/// Any token mixer.
using MixerSpec = detail::HandleAfter<void FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_COMMA_NAME)>;
#undef FLOPSMITH_COMMA_NAME

/// No mixer.
template <>
MixerSpec::VariantHandle();

/// One of each variant with its defaults, in the order of the registry.
std::vector<MixerSpec> mixerPrototypes();

const VariantInfo& info(const MixerSpec& mixer);
const std::vector<Field<MixerSpec>>& fields(const MixerSpec& mixer);
WeightShapes weights(const MixerSpec& mixer, int dModel);

/// d_model must be a multiple of this: the mixer's own dModelMultiple() if it has one, otherwise 1.
int dModelMultiple(const MixerSpec& mixer);

/// Whether a new token can be mixed with cached ones: the mixer's own canDecode() if it has one,
/// otherwise true.
bool canDecode(const MixerSpec& mixer);

/// Whether a token is mixed with later ones of its sequence.
bool seesLaterTokens(const MixerSpec& mixer);

/// Whether the mixer reads the encoder's output instead of its own tokens: the mixer's own
/// readsSource() if it has one, otherwise false.
bool readsSource(const MixerSpec& mixer);

/// Cached elements per token in decode, or per sequence: the mixer's own cachedFeatures() if it has
/// one, otherwise none. For a mixer that reads a source, per token of the source.
CachedFeatures cachedFeatures(const MixerSpec& mixer, int dModel);

/// Whether what it caches is a state, which does not grow with the tokens.
bool keepsState(const MixerSpec& mixer);

/// Adds the mixer's operations to the tree's open group. Defined in mixer_cost.h and compiled once
/// per type of number: in mixer_cost.cpp for Count, in core/formula for symbols. Constrained to
/// MixerSpec, because a variant without its formula in scope would convert to it and recurse.
template <std::same_as<MixerSpec> Any, class N>
void addCost(const Any& mixer, const Pass<N>& pass, CostTree<N>& tree);

/// Adds the operations of the backward pass: the gradients of x and of every weight from the
/// gradient of y. Each has the name of the forward operation it belongs to. Saved activations are
/// neither computed nor charged again. Only for prefill (C = S): a training step caches nothing.
template <std::same_as<MixerSpec> Any, class N>
void addBackwardCost(const Any& mixer, const Pass<N>& pass, CostTree<N>& tree);

} // namespace flopsmith
