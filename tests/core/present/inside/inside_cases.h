// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/ffn_variants.h"
#include "core/mixer/latent_attention.h"
#include "core/model/presets.h"
#include "core/present/inside/inside.h"

#include <string_view>
#include <vector>

namespace flopsmith::test {

inline InsidePicture insideOf(const Scenario& scenario, int run, LensId lensId = LensId::exact)
{
    return insidePicture(scenario, costTree(scenario, lens(lensId).pairs), lensId, run);
}

/// A model of one block with such parts.
inline Scenario oneBlock(const MixerSpec& mixer, const FfnSpec& ffn)
{
    Scenario scenario{.model = *presetNamed("gpt2"), .workload = {.batch = 2, .sequence = 64}};
    Block& block = scenario.model.runs.front().block;
    block.mixer = mixer;
    block.ffn = ffn;
    scenario.model.runs = {{block, 1}};
    scenario.model.name = std::string(info(mixer).id) + " and " + std::string(info(ffn).id);
    return scenario;
}

/// Mixtures whose parts the prototypes leave out.
inline std::vector<FfnSpec> unusualFfns()
{
    MoeFfn shared{.sharedExperts = 2, .sharedGate = true};
    MoeFfn limited{.experts = 8, .scored = ScoredExperts::chosen, .groups = 4};
    limited.groupsPerToken = 2;
    limited.expert = ExpertKind::dense;
    ComposedFfn sequence = ultraEfficientFfn(768, 3072);
    ComposedFfn nested = ultraEfficientSparseFfn();
    nested.stages.push_back({FfnSpec(sequence)});
    nested.stages.push_back({FfnSpec(GatedFfn{})});
    return {shared,
            limited,
            sequence,
            nested,
            SpectralFfn{.selection = BinSelection::topK},
            SpectralFfn{.algorithm = SpectralAlgorithm::direct},
            MicroRefineFfn{.mode = MicroRefineMode::iterative},
            TokenFeedbackFfn{.window = FeatureWindow::topK}};
}

inline std::vector<MixerSpec> unusualMixers()
{
    LatentAttention latents{.qLoraRank = 96};
    LatentAttention absorbed{.form = LatentForm::absorbed};
    Attention rich{.heads = 12, .kvHeads = 4, .rotary = true, .qkNorm = QkNorm::perHead};
    rich.sinks = true;
    rich.positionBias = PositionBias::alibi;
    return {latents, absorbed, rich};
}

/// Every variant in a block of its own, and every preset.
inline std::vector<Scenario> insideScenarios()
{
    std::vector<Scenario> scenarios;
    std::vector<MixerSpec> mixers = mixerPrototypes();
    std::vector<FfnSpec> ffns = ffnPrototypes();
    for (const MixerSpec& mixer : unusualMixers()) {
        mixers.push_back(mixer);
    }
    for (const FfnSpec& ffn : unusualFfns()) {
        ffns.push_back(ffn);
    }
    for (const MixerSpec& mixer : mixers) {
        scenarios.push_back(oneBlock(mixer, DenseFfn{}));
    }
    for (const FfnSpec& ffn : ffns) {
        scenarios.push_back(oneBlock(Attention{}, ffn));
    }
    for (const Preset& preset : presets()) {
        scenarios.push_back({.model = preset.make(), .workload = {.sequence = 128}});
    }
    const Model swapped = *presetNamed("gpt2-half-swapped");
    const Workload training{.phase = Phase::train, .batch = 2, .sequence = 64};
    Workload recomputing = training;
    recomputing.checkpointing = Checkpointing::full;
    scenarios.push_back({.model = swapped, .workload = training});
    scenarios.push_back({.model = swapped, .workload = recomputing});
    scenarios.push_back({.model = swapped, .workload = {.phase = Phase::decode, .context = 64}});
    return scenarios;
}

/// The operation of that name below the first run's block; null if several have it.
inline const CostTree<Count>::Node* onlyNode(const CostTree<Count>& tree, std::string_view name)
{
    const CostTree<Count>::Node* found = nullptr;
    bool inBlocks = false;
    int end = 0;
    for (int i = 0; i < tree.size(); ++i) {
        const CostTree<Count>::Node& node = tree.node(i);
        if (!inBlocks && node.name == "blocks" && node.index == 0) {
            inBlocks = true;
            end = node.end;
        }
        if (inBlocks && i < end && node.name == name) {
            if (found != nullptr) {
                return nullptr;
            }
            found = &node;
        }
    }
    return found;
}

} // namespace flopsmith::test
