// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/moe.h"
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/selection.h"
#include "core/kernels/reference/softmax.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"

#include <algorithm>
#include <numeric>

// Routing: the experts and weights of each token, the first step of both passes.
namespace flopsmith::reference {

/// The route of one token.
template <class S>
struct TokenRoute
{
    std::vector<int> experts; ///< the k chosen ones, ascending
    std::vector<S> weights; ///< of their outputs
    std::vector<S> scores; ///< of all experts, or of the chosen
    std::vector<S> shares; ///< the weights before they are scaled
    S sum{}; ///< of the chosen scores, if renormalised
};

/// A token routed to an expert, and the expert's index among the token's experts.
struct ExpertRow
{
    std::size_t token;
    std::size_t place;
};

/// The shape of `tokens` independent rows.
inline Shape tokensOnly(std::size_t tokens, int dModel)
{
    const auto n = static_cast<int>(tokens);
    return {.batch = 1, .sequence = n, .context = n, .dModel = dModel};
}

/// Turns logits into scores in place: σ of each, or softmax of the row.
template <class S>
void scoreRow(RouterScore score, std::span<S> row)
{
    if (score == RouterScore::softmax) {
        softmax<S>(row);
        return;
    }
    for (S& value : row) {
        value = sigmoid(value);
    }
}

// The experts of the best groups; nominally one comparison per expert to find the best of its
// group, and one per group.
template <class S>
std::vector<int> expertsOfBestGroups(const MoeFfn& ffn, std::span<const S> values)
{
    const auto size = static_cast<std::size_t>(ffn.groupSize());
    std::vector<double> worth;
    for (std::size_t first = 0; first < values.size(); first += size) {
        std::vector<double> members;
        for (const S& value : values.subspan(first, size)) {
            members.push_back(valueOf(value));
        }
        const std::vector<int> best = largest(members, ffn.sumsGroups() ? 2 : 1);
        S sum = values[first + static_cast<std::size_t>(best.front())];
        if (ffn.sumsGroups()) {
            sum += values[first + static_cast<std::size_t>(best.back())];
        }
        worth.push_back(valueOf(sum));
    }
    noteSelection<S>(values.size() + worth.size());
    std::vector<int> experts;
    for (const int group : largest(worth, ffn.groupsPerToken)) {
        for (int e = group * ffn.groupSize(); e < (group + 1) * ffn.groupSize(); ++e) {
            experts.push_back(e);
        }
    }
    return experts;
}

// The k experts of largest value (+ correction), ascending; nominally one comparison per candidate.
template <class S>
std::vector<int> chosenExperts(const MoeFfn& ffn,
                               std::span<const S> scores,
                               const std::vector<S>* correction)
{
    std::vector<S> values(scores.begin(), scores.end());
    for (std::size_t e = 0; correction != nullptr && e < values.size(); ++e) {
        values[e] += (*correction)[e];
    }
    std::vector<int> candidates(values.size());
    std::iota(candidates.begin(), candidates.end(), 0);
    if (ffn.limitsGroups()) {
        candidates = expertsOfBestGroups<S>(ffn, values);
    }
    std::vector<double> ranked;
    for (const int e : candidates) {
        ranked.push_back(valueOf(values[static_cast<std::size_t>(e)]));
    }
    noteSelection<S>(candidates.size());
    std::vector<int> chosen;
    for (const int place : largest(ranked, ffn.perToken)) {
        chosen.push_back(candidates[static_cast<std::size_t>(place)]);
    }
    return chosen;
}

// weights = the chosen scores, renormalised and scaled.
template <class S>
void weigh(const MoeFfn& ffn, TokenRoute<S>& route)
{
    if (ffn.renormalises()) {
        route.sum = route.weights[0];
        for (std::size_t j = 1; j < route.weights.size(); ++j) {
            route.sum += route.weights[j];
        }
        for (S& weight : route.weights) {
            weight = weight / route.sum;
        }
    }
    route.shares = route.weights;
    for (S& weight : route.weights) {
        if (ffn.scales()) {
            weight *= S(ffn.scale);
        }
    }
}

// Unless a correction or a group sum is added to the scores, the choice compares logits: scores
// are monotone in them, but different logits may round to equal scores.
template <class S>
TokenRoute<S> routeOf(const MoeFfn& ffn, std::span<S> logits, const std::vector<S>* correction)
{
    TokenRoute<S> route;
    const bool scoresAll = ffn.scored == ScoredExperts::all;
    if (!ffn.choosesByScore()) {
        route.experts = chosenExperts<S>(ffn, logits, correction);
    }
    if (scoresAll) {
        scoreRow(ffn.score, logits);
    }
    if (ffn.choosesByScore()) {
        route.experts = chosenExperts<S>(ffn, logits, correction);
    }
    noteMoves<S>(route.experts.size());
    for (const int e : route.experts) {
        route.weights.push_back(logits[static_cast<std::size_t>(e)]);
    }
    if (!scoresAll) {
        scoreRow<S>(ffn.score, route.weights);
    }
    route.scores = scoresAll ? std::vector<S>(logits.begin(), logits.end()) : route.weights;
    weigh(ffn, route);
    return route;
}

/// The routes of all tokens.
template <class S>
std::vector<TokenRoute<S>> routesOf(const MoeFfn& ffn,
                                    const Shape& shape,
                                    WeightView<S> weights,
                                    std::span<const S> x)
{
    const auto experts = static_cast<std::size_t>(ffn.experts);
    const MoeTensors tensors(ffn, shape.dModel);
    const auto optional = [&](std::size_t tensor) {
        return tensor == 0 ? nullptr : &weights[tensor];
    };
    std::vector<S> logits(shape.tokens() * experts);
    linear<S>(shape.tokens(), x, weights[0], optional(tensors.routerBias), logits);
    std::vector<TokenRoute<S>> routes;
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        routes.push_back(routeOf<S>(ffn,
                                    std::span<S>(logits).subspan(t * experts, experts),
                                    optional(tensors.correctionBias)));
    }
    return routes;
}

/// The tokens that are sent to an expert, in order.
template <class S>
std::vector<ExpertRow> rowsOfExpert(const std::vector<TokenRoute<S>>& routes, int expert)
{
    std::vector<ExpertRow> rows;
    for (std::size_t t = 0; t < routes.size(); ++t) {
        const std::vector<int>& chosen = routes[t].experts;
        for (std::size_t place = 0; place < chosen.size(); ++place) {
            if (chosen[place] == expert) {
                rows.push_back({t, place});
            }
        }
    }
    return rows;
}

/// Rows of width d of the named tokens, one after the other.
template <class S>
std::vector<S> gatheredRows(const std::vector<ExpertRow>& rows, std::span<const S> x, std::size_t d)
{
    std::vector<S> gathered;
    gathered.reserve(rows.size() * d);
    for (const ExpertRow& row : rows) {
        const auto from = x.subspan(row.token * d, d);
        gathered.insert(gathered.end(), from.begin(), from.end());
    }
    noteMoves<S>(gathered.size());
    return gathered;
}

} // namespace flopsmith::reference
