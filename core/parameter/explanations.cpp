// SPDX-License-Identifier: MIT
#include "core/parameter/explanations.h"

#include "core/ffn/ffn_explanations.h"
#include "core/layer/layer_explanations.h"
#include "core/mixer/mixer_explanations.h"
#include "core/model/model_explanations.h"

#include <string>
#include <unordered_map>

namespace flopsmith {
namespace {

using ExplanationsByKey = std::unordered_map<std::string_view, const Explanation*>;

ExplanationsByKey explanationsByKey()
{
    ExplanationsByKey all;
    for (const auto& part :
         {ffnExplanations(), mixerExplanations(), layerExplanations(), modelExplanations()}) {
        for (const Explanation& each : part) {
            all.emplace(each.key, &each);
        }
    }
    return all;
}

} // namespace

std::vector<Explanation> explanations()
{
    std::vector<Explanation> all;
    for (const auto& part :
         {ffnExplanations(), mixerExplanations(), layerExplanations(), modelExplanations()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

const Explanation* explanationOf(std::string_view key)
{
    static const ExplanationsByKey kAll = explanationsByKey();
    const auto found = kAll.find(key);
    return found == kAll.end() ? nullptr : found->second;
}

const Explanation* explanationOf(const Parameter& parameter)
{
    if (parameter.component != nullptr) {
        const std::string own =
            std::string(parameter.component->id) + '.' + std::string(parameter.text.key);
        if (const Explanation* found = explanationOf(own)) {
            return found;
        }
    }
    return explanationOf(parameter.text.key);
}

} // namespace flopsmith
