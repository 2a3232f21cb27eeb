// SPDX-License-Identifier: MIT
#include "core/present/base/main_parameters.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace flopsmith {
namespace {

// By key. What is not here is a detail: seeds, biases, scales, kinds of norms.
constexpr std::array<std::pair<std::string_view, int>, 49> kWeights{{
    // the model and the workload
    {"d_model", 100},
    {"layers", 99},
    {"repeat", 60},
    {"phase", 90},
    {"batch", 89},
    {"seq", 88},
    {"context", 87},
    {"source", 70},
    {"vocab", 86},
    {"optimizer", 66},
    {"checkpointing", 65},
    {"weight_bits", 85},
    {"activation_bits", 84},
    {"kv_bits", 83},
    {"weight_group", 64},
    {"image_size", 82},
    {"patch_size", 81},
    {"embedding_width", 63},
    // mixers
    {"heads", 98},
    {"kv_heads", 80},
    {"head_dim", 62},
    {"window", 74},
    {"kv_lora_rank", 79},
    {"q_lora_rank", 76},
    {"qk_nope_head_dim", 61},
    {"qk_rope_head_dim", 59},
    {"v_head_dim", 58},
    {"state_dim", 78},
    {"chunk", 77},
    {"groups", 57},
    // FFNs
    {"d_ff", 97},
    {"experts", 96},
    {"experts_per_token", 95},
    {"shared_experts", 73},
    {"rank", 94},
    {"k_freq", 97},
    {"poly_degree", 93},
    {"poly_keep_ratio", 92},
    {"micro_steps", 91},
    {"micro_keep_ratio", 90},
    {"feedback_steps", 89},
    {"feedback_rank", 88},
    {"feedback_keep_ratio", 87},
    {"projection_features", 94},
    {"density", 93},
    {"terms", 86},
    {"d_1", 85},
    {"f_1", 84},
    {"blocks", 83},
}};

} // namespace

int weightOf(const Parameter& parameter)
{
    const auto found =
        std::find_if(kWeights.begin(), kWeights.end(), [&parameter](const auto& weight) {
            return weight.first == parameter.text.key;
        });
    return found == kWeights.end() ? 0 : found->second;
}

std::vector<Parameter> mainParameters(std::span<const Parameter> parameters, std::size_t most)
{
    std::vector<int> weights;
    for (const Parameter& parameter : parameters) {
        weights.push_back(weightOf(parameter));
    }
    std::vector<int> ranked = weights;
    std::sort(ranked.begin(), ranked.end(), std::greater<>());
    const int least = ranked.size() > most ? std::max(ranked[most - 1], 1) : 1;
    std::vector<Parameter> kept;
    for (std::size_t i = 0; i < parameters.size() && kept.size() < most; ++i) {
        if (weights[i] >= least) {
            kept.push_back(parameters[i]);
        }
    }
    return kept;
}

} // namespace flopsmith
