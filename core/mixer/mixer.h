// SPDX-License-Identifier: MIT
#pragma once

#include "core/mixer/attention.h"
#include "core/mixer/no_mixer.h"

#include <variant>
#include <vector>

// The registry of token mixers: a new one is a file pair in this folder, its include above and
// its name in the list below; everything else follows from the list.
#define FLOPSMITH_MIXER_VARIANTS(X)                                                                \
    X(NoMixer)                                                                                     \
    X(Attention)

namespace flopsmith {

namespace detail {
template <class Ignored, class... Specs>
using MixerVariant = std::variant<Specs...>;
} // namespace detail

#define FLOPSMITH_COMMA_NAME(Spec) , Spec
/// Any token mixer.
using MixerSpec = detail::MixerVariant<void FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_COMMA_NAME)>;
#undef FLOPSMITH_COMMA_NAME

/// One of each variant with its defaults, in the order of the registry.
std::vector<MixerSpec> mixerPrototypes();

const VariantInfo& info(const MixerSpec& mixer);
const std::vector<Field<MixerSpec>>& fields(const MixerSpec& mixer);
WeightShapes weights(const MixerSpec& mixer, int dModel);

/// d_model must be a multiple of this: what the mixer's own dModelMultiple() says, else 1.
int dModelMultiple(const MixerSpec& mixer);

/// Adds the mixer's operations to the tree's open group.
template <class N>
void addCost(const MixerSpec& mixer, const Pass<N>& pass, CostTree<N>& tree)
{
    std::visit([&](const auto& spec) { addCost(spec, pass, tree); }, mixer);
}

} // namespace flopsmith
