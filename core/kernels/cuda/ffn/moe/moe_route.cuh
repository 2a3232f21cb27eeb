// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/moe.h"

// Parameters of both routing kernels.
namespace flopsmith::cuda {

struct RouteArguments
{
    int experts;
    int perToken;
    int groups;
    int groupsPerToken;
    bool limitsGroups;
    bool sumsGroups;
    bool softmax; ///< else sigmoid
    bool scoresAll;
    bool choosesByScore;
    bool renormalises;
    float scale;
    const float* bias; ///< null: none
    const float* correction;
    float* logits;
    int* chosen;
    float* weights;
    float* shares;
    float* scores;
    float* sums;
    int* counts;
};

inline RouteArguments routeArguments(const MoeFfn& ffn)
{
    return {.experts = ffn.experts,
            .perToken = ffn.perToken,
            .groups = ffn.groups,
            .groupsPerToken = ffn.groupsPerToken,
            .limitsGroups = ffn.limitsGroups(),
            .sumsGroups = ffn.sumsGroups(),
            .softmax = ffn.score == RouterScore::softmax,
            .scoresAll = ffn.scored == ScoredExperts::all,
            .choosesByScore = ffn.choosesByScore(),
            .renormalises = ffn.renormalises(),
            .scale = static_cast<float>(ffn.scale)};
}

} // namespace flopsmith::cuda
