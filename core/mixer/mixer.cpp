// SPDX-License-Identifier: MIT
#include "core/mixer/mixer.h"

#include "core/layer/variant_fields.h"
#include "core/mixer/mixer_variants.h"

#include <type_traits>

namespace flopsmith {

template <>
MixerSpec::VariantHandle()
    : VariantHandle(NoMixer{})
{}

std::vector<MixerSpec> mixerPrototypes()
{
    return prototypes<MixerSpec>();
}

const VariantInfo& info(const MixerSpec& mixer)
{
    return visit([](const auto& spec) -> const VariantInfo& { return spec.info(); }, mixer);
}

const std::vector<Field<MixerSpec>>& fields(const MixerSpec& mixer)
{
    return variantFields(mixer);
}

WeightShapes weights(const MixerSpec& mixer, int dModel)
{
    return visit([dModel](const auto& spec) { return weights(spec, dModel); }, mixer);
}

int dModelMultiple(const MixerSpec& mixer)
{
    return visit(
        [](const auto& spec) {
            if constexpr (requires { spec.dModelMultiple(); }) {
                return spec.dModelMultiple();
            } else {
                return 1;
            }
        },
        mixer);
}

bool canDecode(const MixerSpec& mixer)
{
    return visit(
        [](const auto& spec) {
            if constexpr (requires { spec.canDecode(); }) {
                return spec.canDecode();
            } else {
                return true;
            }
        },
        mixer);
}

bool seesLaterTokens(const MixerSpec& mixer)
{
    const auto isBidirectional = [](const auto& spec) {
        if constexpr (requires { spec.causal; }) {
            return !spec.causal;
        }
        return false;
    };
    return !canDecode(mixer) || visit(isBidirectional, mixer);
}

bool readsSource(const MixerSpec& mixer)
{
    return visit(
        [](const auto& spec) {
            if constexpr (requires { spec.readsSource(); }) {
                return spec.readsSource();
            } else {
                return false;
            }
        },
        mixer);
}

CachedFeatures cachedFeatures(const MixerSpec& mixer, int dModel)
{
    return visit(
        [dModel](const auto& spec) -> CachedFeatures {
            if constexpr (requires { spec.cachedFeatures(dModel); }) {
                return spec.cachedFeatures(dModel);
            } else if constexpr (std::is_same_v<std::decay_t<decltype(spec)>, Attention>) {
                const std::int64_t width = std::int64_t{spec.kvHeads} * spec.headDimFor(dModel);
                return {.keys = width, .values = width};
            } else {
                return {};
            }
        },
        mixer);
}

bool keepsState(const MixerSpec& mixer)
{
    return holds_alternative<Mamba2>(mixer);
}

} // namespace flopsmith
