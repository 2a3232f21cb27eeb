// SPDX-License-Identifier: MIT
#include "core/study/compare/block_differences.h"

#include "core/ffn/composed.h"
#include "core/ffn/no_ffn.h"
#include "core/mixer/no_mixer.h"
#include "core/parameter/parameter_place.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace flopsmith {
namespace {

// "composed (spectral, dense)"
std::string variantText(const FfnSpec& ffn)
{
    std::string text(info(ffn).id);
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        std::string stages;
        for (const FfnStage& stage : composed->stages) {
            stages += (stages.empty() ? "" : ", ") + variantText(stage.spec);
        }
        text += " (" + stages + ")";
    }
    return text;
}

std::string variantText(const MixerSpec& mixer)
{
    return std::string(info(mixer).id);
}

// A part that is not executed goes by the variant that does nothing.
std::string mixerText(const Block& block)
{
    return block.hasMixer() ? variantText(block.mixer) : variantText(MixerSpec(NoMixer{}));
}

std::string crossText(const Block& block)
{
    return block.hasCross() ? variantText(block.cross) : variantText(MixerSpec(NoMixer{}));
}

std::string ffnText(const Block& block)
{
    return block.hasFfn() ? variantText(block.ffn) : variantText(FfnSpec(NoFfn{}));
}

void appendVariants(std::vector<BlockDifference>& differences,
                    const char* key,
                    const char* label,
                    const std::string& was,
                    const std::string& is)
{
    if (was != is) {
        differences.push_back({key, label, {was, was}, {is, is}});
    }
}

/// The parameters of a run by their keys in it. The list must outlive it.
class ParametersByKey
{
public:
    explicit ParametersByKey(const std::vector<Parameter>& parameters)
    {
        for (const Parameter& parameter : parameters) {
            m_byKey.emplace(keyInRun(parameter), &parameter);
        }
    }

    const Parameter* find(std::string_view key) const
    {
        const auto found = m_byKey.find(key);
        return found == m_byKey.end() ? nullptr : found->second;
    }

private:
    std::unordered_map<std::string_view, const Parameter*> m_byKey{};
};

} // namespace

const Block& blockOfRun(const Scenario& scenario, int run)
{
    return scenario.model.runs.at(static_cast<std::size_t>(run)).block;
}

std::vector<BlockDifference> blockDifferences(const Scenario& a,
                                              int runOfA,
                                              const Scenario& b,
                                              int runOfB)
{
    std::vector<BlockDifference> differences;
    const Block& before = blockOfRun(a, runOfA);
    const Block& after = blockOfRun(b, runOfB);
    appendVariants(differences, "mixer", "mixer", mixerText(before), mixerText(after));
    appendVariants(differences, "cross", "cross-attention", crossText(before), crossText(after));
    appendVariants(differences, "ffn", "FFN", ffnText(before), ffnText(after));
    const ParameterList parameters = blockParameterList(a, runOfA); // a cache drops its own
    const ParameterList others = blockParameterList(b, runOfB);
    const ParametersByKey othersByKey(*others);
    for (const Parameter& parameter : *parameters) {
        const std::string_view key = keyInRun(parameter);
        if (isLength(parameter) || !parameter.applies(a) || isOfMutedPart(before, key)
            || isOfMutedPart(after, key)) {
            continue;
        }
        const Parameter* const other = othersByKey.find(key);
        if (other != nullptr && other->applies(b) && parameter.value(a) != other->value(b)) {
            differences.push_back({std::string(key),
                                   std::string(parameter.text.label),
                                   readingOf(a, parameter),
                                   readingOf(b, *other)});
        }
    }
    return differences;
}

} // namespace flopsmith
