// SPDX-License-Identifier: MIT
#include "core/study/compare/block_differences.h"

#include "core/ffn/composed.h"
#include "core/ffn/no_ffn.h"
#include "core/mixer/no_mixer.h"
#include "core/parameter/differences.h"

#include <string>

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

// A part that is not executed counts as the variant that does nothing.
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
    for (const ParameterDifference& each : runDifferences(a, runOfA, b, runOfB)) {
        const std::string& key = each.place.key;
        const Parameter other = *parameterAt(b, {runOfB, key});
        if (!isLength(each.parameter) && other.applies(b) && !isOfMutedPart(before, key)
            && !isOfMutedPart(after, key)) {
            differences.push_back({key,
                                   std::string(each.parameter.text.label),
                                   readingOf(a, each.parameter),
                                   readingOf(b, other)});
        }
    }
    return differences;
}

} // namespace flopsmith
