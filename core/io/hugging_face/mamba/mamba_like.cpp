// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/mamba/mamba_like.h"

#include "core/json/json.h"

namespace flopsmith {
namespace {

constexpr int kUsualHeads = 128;
constexpr int kUsualExpansion = 2;
constexpr int kUsualTaps = 4;

int stateHeadDim(ConfigReader& config, const StateSpaceKeys& keys, int heads, int width)
{
    const int expansion =
        keys.expand == nullptr ? 0 : config.sizeOr({keys.expand}, kUsualExpansion);
    const int inner = timesWidth(expansion, width);
    const Json& named = config.value(keys.headDim);
    const bool follows = named.is_null() || (named.is_string() && named == "auto");
    const int left = std::max(1, inner / std::max(heads, 1));
    const int headDim = !follows ? config.sizeOr({keys.headDim}, left)
        : keys.usualHeadDim > 0  ? config.sizeOr({keys.headDim}, keys.usualHeadDim)
                                 : left;
    if (keys.expand != nullptr && std::int64_t{heads} * headDim != inner) {
        config.fail(keys.headDim,
                    std::to_string(headDim) + " times " + std::to_string(heads)
                        + " heads is not the inner width, " + std::to_string(inner));
    }
    return headDim;
}

// [low, high] of Δ; Python's infinity is the largest number here, or an object that stands for it.
void readStepLimits(ConfigReader& config)
{
    constexpr double kUnlimited = 1e300;
    const Json& limits = config.value("time_step_limit");
    if (limits.is_null()) {
        return;
    }
    if (!limits.is_array() || limits.size() != 2) {
        config.fail("time_step_limit", "expected two numbers, found " + json::shownValue(limits));
        return;
    }
    const bool isOpen = !limits[1].is_number() || limits[1].get<double>() >= kUnlimited;
    if (!limits[0].is_number() || limits[0].get<double>() != 0.0 || !isOpen) {
        config.leftOut("time_step_limit: the limits of \xCE\x94 are not applied, nor are their "
                       "comparisons counted");
    }
}

} // namespace

Mamba2 stateSpaceOf(ConfigReader& config, const StateSpaceKeys& keys, int width)
{
    Mamba2 mixer{.heads = config.sizeOr({keys.heads}, kUsualHeads)};
    mixer.headDim = stateHeadDim(config, keys, mixer.heads, width);
    mixer.stateDim = config.sizeOr({keys.state}, keys.usualState);
    mixer.groups = config.sizeOr({keys.groups}, keys.usualGroups);
    mixer.normGroups = mixer.groups;
    mixer.convWidth = config.sizeOr({keys.taps}, kUsualTaps);
    mixer.chunk = config.sizeOr({keys.chunk}, keys.usualChunk);
    mixer.convBias = config.flag(keys.convBias, true);
    mixer.bias = config.flag(keys.bias, false);
    config.requireText(keys.activation, "silu");
    readStepLimits(config);
    config.ignore({"time_step_floor",
                   "time_step_max",
                   "time_step_min",
                   "time_step_rank",
                   "rescale_prenorm_residual",
                   "residual_in_fp32",
                   "num_logits_to_keep",
                   "z_loss_coefficient",
                   "use_mamba_kernels",
                   "mamba_ssm_cache_dtype"});
    return mixer;
}

std::vector<bool> attendingLayers(ConfigReader& config, const char* key, int layers)
{
    std::vector<bool> attends;
    for (const std::string& name : config.names(key, layers)) {
        const bool attention = name == "attention" || name == "full_attention";
        if (!attention && name != "mamba" && name != "linear_attention") {
            config.fail(key,
                        json::shownValue(name)
                            + " is not known; known are full_attention and linear_attention");
        }
        attends.push_back(attention);
    }
    return attends;
}

void setStateSpaces(Model& model, const Mamba2& mixer, const std::vector<bool>& attends)
{
    changeEachBlock(model, [&](Block& block, int layer) {
        if (!attends.at(static_cast<std::size_t>(layer))) {
            block.mixer = mixer;
        }
    });
}

} // namespace flopsmith
