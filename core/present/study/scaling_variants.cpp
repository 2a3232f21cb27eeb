// SPDX-License-Identifier: MIT
#include "core/ffn/composed.h"
#include "core/ffn/dense.h"
#include "core/ffn/no_ffn.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "core/present/base/design_marks.h"
#include "core/present/study/scaling.h"
#include "core/study/variation/field_number.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace flopsmith {
namespace {

bool isClassical(const FfnSpec& ffn)
{
    return holds_alternative<DenseFfn>(ffn) || holds_alternative<GatedFfn>(ffn);
}

// Muted FFNs stay as they are.
template <class Change>
Scenario withFfns(const Scenario& scenario, Change change)
{
    Scenario changed = scenario;
    for (BlockRun& run : changed.model.runs) {
        if (!run.block.ffnMuted) {
            change(run.block.ffn);
        }
    }
    return changed;
}

FfnSpec classicalFfn(const Model& model)
{
    for (const BlockRun& run : model.runs) {
        if (isClassical(run.block.ffn)) {
            return run.block.ffn;
        }
    }
    return DenseFfn{.dFf = 4 * model.dModel};
}

// The component whose colour represents the whole model: of the last FFN that is not classical,
// otherwise of the last FFN.
const Component* signature(const Model& model)
{
    const Component* found = nullptr;
    bool special = false;
    for (const BlockRun& run : model.runs) {
        const Block& block = run.block;
        if (!block.hasFfn() || (special && isClassical(block.ffn))) {
            continue;
        }
        special = !isClassical(block.ffn);
        const auto* composed = get_if<ComposedFfn>(&block.ffn);
        found = composed != nullptr && !composed->stages.empty()
            ? info(composed->stages.front().spec).component
            : info(block.ffn).component;
    }
    if (found == nullptr && !model.runs.empty() && model.runs.front().block.hasMixer()) {
        found = info(model.runs.front().block.mixer).component;
    }
    return found;
}

// Like repair(), but equal neighbours, which are equally legal, are repaired once.
void repairAlike(Scenario& scenario)
{
    Scenario joined = scenario;
    joined.model.joinEqualRuns();
    Scenario repaired = joined;
    repair(repaired);
    if (repaired != joined) {
        repair(scenario);
    }
}

void addSwapped(std::vector<ScalingVariant>& variants, const Scenario& scenario)
{
    const FfnSpec classical = classicalFfn(scenario.model);
    Scenario dense = withFfns(
        scenario, [&classical](FfnSpec& ffn) { ffn = isClassical(ffn) ? ffn : classical; });
    if (dense != scenario) {
        variants.push_back(
            {"all dense", std::move(dense), Dash::dashDotted, info(classical).component});
        return;
    }
    const FfnSpec efficient = ultraEfficientSparseFfn();
    Scenario swapped = withFfns(scenario, [&efficient](FfnSpec& ffn) { ffn = efficient; });
    repairAlike(swapped);
    if (swapped == scenario) {
        return;
    }
    variants.push_back({"ultra-efficient FFNs",
                        std::move(swapped),
                        Dash::dashDotted,
                        signature(withFfns(scenario, [&](FfnSpec& ffn) { ffn = efficient; }).model),
                        "ultra-efficient"});
}

void addWithoutFfn(std::vector<ScalingVariant>& variants, const Scenario& scenario)
{
    const Component* mixer = nullptr;
    for (const BlockRun& run : scenario.model.runs) {
        mixer = run.block.hasMixer() && mixer == nullptr ? info(run.block.mixer).component : mixer;
    }
    Scenario without = withFfns(scenario, [](FfnSpec& ffn) { ffn = NoFfn{}; });
    if (mixer != nullptr && without != scenario) {
        variants.push_back(
            {std::string(mixer->title) + " only", std::move(without), Dash::dashed, mixer});
    }
}

struct Ends
{
    double low;
    double high;
};

// A logarithmic parameter's six doublings: their middle is 2, 16, 128, 1024, 8192 …
Ends doublingsAround(double value)
{
    const double middle = std::round((std::log2(value) - 1.0) / 3.0) * 3.0 + 1.0;
    return {std::exp2(middle - 3.0), std::exp2(middle + 3.0)};
}

double nearestLegal(const LegalValues& legal, const FieldValue& like, double wanted)
{
    const FieldValue value = std::holds_alternative<double>(like)
        ? FieldValue(wanted)
        : FieldValue(static_cast<std::int64_t>(std::llround(wanted)));
    return numberOf(legal.nearest(value)).value_or(wanted);
}

// A model that has the name of a preset but differs from it gets another name.
std::string curveName(const Model& model)
{
    for (const Preset& preset : presets()) {
        const std::optional<Model> own = presetNamed(preset.id);
        if (own && own->name == model.name) {
            return *own == model ? model.name : model.name + ", changed";
        }
    }
    return model.name;
}

} // namespace

std::vector<ScalingVariant> usualVariants(const Scenario& scenario, const std::vector<Tie>& ties)
{
    std::vector<ScalingVariant> variants{{curveName(scenario.model),
                                          scenario,
                                          Dash::solid,
                                          signature(scenario.model),
                                          "this model"}};
    if (!scenario.model.runs.empty()) {
        addSwapped(variants, scenario);
        addWithoutFfn(variants, scenario);
    }
    for (ScalingVariant& variant : variants) {
        variant.ties = ties;
    }
    return variants;
}

std::vector<ScalingVariant> designVariants(std::span<const ComparedDesign> designs)
{
    constexpr std::array kDashes{Dash::dashed, Dash::dotted, Dash::dashDotted};
    std::vector<ScalingVariant> variants;
    for (const ComparedDesign& design : designs) {
        const std::size_t before = variants.size();
        variants.push_back({.title = design.name,
                            .scenario = design.scenario,
                            .component = signature(design.scenario.model),
                            .brief = design.letter});
        if (before > 0) {
            const std::size_t place = before - 1;
            variants.back().dash = kDashes.at(place % kDashes.size());
            variants.back().component = &designMark(design, place);
        }
    }
    return variants;
}

std::string_view lengthKey(const Scenario& scenario)
{
    return scenario.model.embedding.readsPatches() ? "image_size" : "seq";
}

Result<Axis> usualAxis(const Scenario& scenario, std::string_view key)
{
    const std::optional<Parameter> parameter = firstParameter(scenario, key);
    if (!parameter) {
        return axisOfStops(scenario, key); // words the reason
    }
    const FieldValue value = parameter->value(scenario);
    const std::optional<double> present = numberOf(value);
    const LegalValues legal = parameter->legal(scenario);
    if (!present || legal.scale() == Scale::linear || *present <= 0.0) {
        return axisOfStops(scenario, key);
    }
    const Ends range = doublingsAround(*present);
    const double low = nearestLegal(legal, value, std::max(range.low, legal.low()));
    const double high = nearestLegal(legal, value, std::min(range.high, legal.high()));
    constexpr double kPoints = 19; // three in each doubling
    return axisBetween(scenario, key, low, high, {Spacing::Kind::count, kPoints});
}

} // namespace flopsmith
