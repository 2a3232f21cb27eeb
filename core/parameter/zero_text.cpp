// SPDX-License-Identifier: MIT
#include "core/parameter/correction.h"

#include <array>
#include <utility>

// Parameters whose 0 means "automatic" or "none".
namespace flopsmith {
namespace {

using Key = std::string_view;

// 0 is the value of another parameter of the same part, or a quotient of it.
std::string automatic(std::int64_t value)
{
    return "auto (" + std::to_string(value) + ")";
}

std::int64_t wholeAt(const Scenario& scenario, const ParameterPlace& place)
{
    const std::optional<Parameter> parameter = parameterAt(scenario, place);
    return parameter ? std::get<std::int64_t>(parameter->value(scenario)) : 0;
}

std::string derivedHeadDim(const Scenario& scenario, const Parameter& parameter)
{
    ParameterPlace heads = placeOf(scenario, parameter);
    heads.key.replace(heads.key.rfind('.') + 1, std::string::npos, "heads");
    const std::int64_t number = wholeAt(scenario, heads);
    return number > 0 ? automatic(scenario.model.dModel / number) : "auto";
}

} // namespace

std::string zeroText(const Scenario& scenario, const Parameter& parameter)
{
    constexpr std::array<std::pair<Key, Key>, 8> kFixed{{{"window", "all"},
                                                         {"rotary_dim", "all"},
                                                         {"soft_cap", "off"},
                                                         {"head_soft_cap", "off"},
                                                         {"weight_group", "off"},
                                                         {"expert_group", "off"},
                                                         {"share_group", "own"},
                                                         {"token_types", "none"}}};
    for (const auto& [key, text] : kFixed) {
        if (parameter.text.key == key) {
            return std::string(text);
        }
    }
    const bool mayFollow = parameter.text.help.find("0 means") != Key::npos;
    if (parameter.text.key == "head_dim" && mayFollow) { // a recurrence's is never 0
        return derivedHeadDim(scenario, parameter);
    }
    if (parameter.text.key == "embedding_width") {
        return automatic(scenario.model.dModel);
    }
    const bool tokens = parameter.text.key == "context" || parameter.text.key == "source";
    return tokens ? automatic(scenario.workload.sequence) : std::string();
}

} // namespace flopsmith
