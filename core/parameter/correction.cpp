// SPDX-License-Identifier: MIT
#include "core/parameter/correction.h"

#include "core/mixer/mixer_variants.h"
#include "core/parameter/legal_structure.h"
#include "core/parameter/validation.h"

#include <algorithm>
#include <cmath>
#include <set>

// Corrects illegal values: which value is taken instead, why, and what would make them legal.
namespace flopsmith {
namespace {

constexpr std::string_view kWidth = "d_model";
constexpr std::string_view kHeads = "heads";

double asNumber(const FieldValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : std::nan("");
}

int headsOf(const MixerSpec& mixer)
{
    return visit(
        [](const auto& spec) {
            if constexpr (requires { spec.heads; }) {
                return spec.heads;
            } else {
                return 0;
            }
        },
        mixer);
}

std::string joined(const std::set<int>& numbers)
{
    std::string text;
    for (const int number : numbers) {
        text += (text.empty() ? "" : " and ") + std::to_string(number);
    }
    return text;
}

/// The heads that d_model is divided among.
struct SharedHeads
{
    std::set<int> heads;
    bool even = false; ///< and each must get an even number of features
};

SharedHeads sharedHeads(const Model& model)
{
    SharedHeads shared;
    for (const BlockRun& run : model.runs) {
        for (const MixerSpec* mixer : {&run.block.mixer, &run.block.cross}) {
            const int heads = headsOf(*mixer);
            if (heads > 0 && dModelMultiple(*mixer) > 1) {
                shared.heads.insert(heads);
                shared.even = shared.even || dModelMultiple(*mixer) > heads;
            }
        }
    }
    return shared;
}

// "a multiple of 12 heads", "a multiple of 24: 12 heads of an even width".
std::string widthRule(const Scenario& scenario)
{
    const auto multiple = static_cast<std::int64_t>(legalWidth(scenario.model).low());
    const SharedHeads shared = sharedHeads(scenario.model);
    const std::string heads = joined(shared.heads) + " heads";
    if (shared.heads.size() == 1 && *shared.heads.begin() == multiple) {
        return "a multiple of " + heads;
    }
    const std::string number = "a multiple of " + std::to_string(multiple);
    return shared.heads.empty() ? number
                                : number + " (" + heads + (shared.even ? ", each even)" : ")");
}

// The rule that a value between the limits breaks.
std::string rule(const LegalValues& legal)
{
    const std::string text = legal.text();
    const std::size_t multiple = text.find("a multiple of ");
    return multiple == std::string::npos ? text : text.substr(multiple);
}

std::string limitOf(const char* which, double limit, std::string_view label)
{
    const FieldValue value = limit == std::floor(limit)
        ? FieldValue(static_cast<std::int64_t>(limit))
        : FieldValue(limit);
    return valueText(value) + ", the " + which + " for " + std::string(label);
}

// Whether the legal values depend on d_model.
bool dependsOnWidth(const Scenario& scenario, const Parameter& parameter)
{
    if (parameter.key == kWidth) {
        return false;
    }
    Scenario wider = scenario;
    wider.model.dModel *= 2;
    return parameter.legal(wider).text() != parameter.legal(scenario).text();
}

std::string atWidth(const Scenario& scenario)
{
    return " at d_model " + std::to_string(scenario.model.dModel);
}

bool isHeads(const Parameter& parameter)
{
    return parameter.text.key == kHeads;
}

std::string sentenceAgainst(const Scenario& scenario,
                            const Parameter& parameter,
                            const FieldValue& wanted)
{
    const LegalValues legal = parameter.legal(scenario);
    const double number = asNumber(wanted);
    const bool between = number >= legal.low() && number <= legal.high();
    if (parameter.key == kWidth && between) {
        return valueText(wanted) + " is not " + widthRule(scenario);
    }
    const std::string reason = reasonAgainst(legal, wanted, parameter.text.label);
    const bool isInRule = between && isHeads(parameter); // "a divisor of 768"
    return dependsOnWidth(scenario, parameter) && !isInRule ? reason + atWidth(scenario) : reason;
}

// The number of heads that divides `width` and keeps head_dim nearest to its old value; nothing if
// none keeps it between half and twice that.
std::optional<int> headsFor(int width, int perHead, int heads, int widthNow)
{
    const double headDim = static_cast<double>(widthNow) / heads;
    const auto distance = [width, headDim](int candidate) {
        return std::abs(std::log2(static_cast<double>(width) / candidate / headDim));
    };
    std::optional<int> best;
    for (int candidate = 1; candidate <= width / perHead; ++candidate) {
        const bool fits = width % (candidate * perHead) == 0 && distance(candidate) <= 1.0;
        if (fits && (!best || distance(candidate) < distance(*best))) {
            best = candidate;
        }
    }
    return best;
}

std::optional<Alternative> taken(Scenario scenario,
                                 const Parameter& parameter,
                                 const FieldValue& wanted,
                                 std::string text)
{
    parameter.assign(scenario, wanted);
    repair(scenario);
    if (parameter.value(scenario) != wanted || !validated(scenario).ok()) {
        return std::nullopt;
    }
    return Alternative{std::move(text), std::move(scenario)};
}

// Changes the number of heads where the wanted width is not divisible by the present one.
std::optional<Alternative> withOtherHeads(const Scenario& scenario,
                                          const Parameter& parameter,
                                          int width)
{
    Scenario changed = scenario;
    std::set<int> heads;
    for (int run = 0; run < static_cast<int>(scenario.model.runs.size()); ++run) {
        const Block& block = scenario.model.runs[static_cast<std::size_t>(run)].block;
        for (const auto& [mixer, key] :
             {std::pair(&block.mixer, "mixer.heads"), std::pair(&block.cross, "cross.heads")}) {
            const int multiple = std::max(1, dModelMultiple(*mixer));
            const std::optional<Parameter> field = parameterAt(scenario, {run, key});
            if (!field || width % multiple == 0) {
                continue;
            }
            const int now = headsOf(*mixer);
            const auto fitting = headsFor(width, multiple / now, now, scenario.model.dModel);
            if (!fitting) {
                return std::nullopt;
            }
            heads.insert(*fitting);
            field->assign(changed, std::int64_t{*fitting});
        }
    }
    return heads.empty() ? std::nullopt
                         : taken(changed, parameter, std::int64_t{width}, "heads " + joined(heads));
}

// The next width that is divisible by the wanted number of heads.
std::optional<Alternative> withOtherWidth(const Scenario& scenario,
                                          const Parameter& parameter,
                                          const FieldValue& wanted)
{
    Scenario changed = scenario;
    parameter.assign(changed, wanted);
    const FieldValue width = legalWidth(changed.model).nearest(std::int64_t{scenario.model.dModel});
    changed.model.dModel = static_cast<int>(std::get<std::int64_t>(width));
    return taken(changed, parameter, wanted, "d_model " + valueText(width));
}

std::optional<Alternative> alternativeFor(const Scenario& scenario,
                                          const Parameter& parameter,
                                          const FieldValue& wanted)
{
    const LegalValues legal = parameter.legal(scenario);
    const auto* whole = std::get_if<std::int64_t>(&wanted);
    if (whole == nullptr || asNumber(wanted) > legal.high() || *whole < 1) {
        return std::nullopt;
    }
    if (parameter.key == kWidth) {
        return withOtherHeads(scenario, parameter, static_cast<int>(*whole));
    }
    return isHeads(parameter) ? withOtherWidth(scenario, parameter, wanted) : std::nullopt;
}

} // namespace

std::string reasonAgainst(const LegalValues& legal,
                          const FieldValue& wanted,
                          std::string_view label)
{
    const double number = asNumber(wanted);
    const std::string is = valueText(wanted) + " is ";
    if (number > legal.high()) {
        return is + "more than " + limitOf("most", legal.high(), label);
    }
    if (number < legal.low()) {
        return is + "less than " + limitOf("least", legal.low(), label);
    }
    return is + "not " + rule(legal);
}

std::optional<Correction> correction(const Scenario& scenario,
                                     const Parameter& parameter,
                                     const FieldValue& wanted)
{
    const LegalValues legal = parameter.legal(scenario);
    if (legal.contains(wanted)) {
        return std::nullopt;
    }
    FieldValue taken = legal.nearest(wanted);
    std::string sentence = sentenceAgainst(scenario, parameter, wanted) + ": " + valueText(taken);
    return Correction{
        std::move(taken), std::move(sentence), alternativeFor(scenario, parameter, wanted)};
}

} // namespace flopsmith
