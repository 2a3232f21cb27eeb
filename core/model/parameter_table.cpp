// SPDX-License-Identifier: MIT
#include "core/model/parameter_table.h"

#include "core/base/check.h"
#include "core/model/legal_structure.h"

#include <algorithm>
#include <memory>

namespace flopsmith {
namespace {

using Part = ParameterScope::Part;

constexpr int kMostLayers = 4'096;

// A field of some part of the scenario as a parameter of the whole. `access` is a generic lambda
// that finds the part in a const or a mutable scenario.
template <class Spec, class Access>
Parameter bound(std::string key,
                std::string group,
                const Component* component,
                const Field<Spec>& field,
                ParameterScope scope,
                Access access)
{
    // One copy for all four: a table of sixty parameters is built for every step of a slider.
    const auto shared = std::make_shared<const Field<Spec>>(field);
    return {
        .key = std::move(key),
        .group = std::move(group),
        .component = component,
        .text = field.text,
        .value = [shared, access](const Scenario& s) { return shared->value(access(s)); },
        .assign = [shared, access](Scenario& s,
                                   const FieldValue& value) { shared->assign(access(s), value); },
        .legal = {[shared, access](const Scenario& s) {
                      return shared->legal(access(s), {.dModel = s.model.dModel});
                  },
                  field.legal.holdsAlways()},
        .applies = [shared, access](const Scenario& s) { return shared->applies(access(s)); },
        .scope = scope,
    };
}

template <class Spec, class Access>
void append(std::vector<Parameter>& all,
            const std::string& prefix,
            const std::string& group,
            const Component* component,
            const std::vector<Field<Spec>>& fields,
            ParameterScope scope,
            Access access)
{
    for (const Field<Spec>& field : fields) {
        all.push_back(
            bound(prefix + std::string(field.text.key), group, component, field, scope, access));
    }
}

// Spreads `layers` over the runs in proportion to their lengths, at least one block each.
void assignLayers(Model& model, int layers)
{
    const int before = model.layers();
    int assigned = 0;
    int seen = 0;
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        seen += model.runs[i].repeat;
        const int runsAfter = static_cast<int>(model.runs.size() - i) - 1;
        const auto end = static_cast<int>(std::int64_t{layers} * seen / std::max(before, 1));
        const int most = std::max(1, layers - assigned - runsAfter);
        model.runs[i].repeat = std::clamp(end - assigned, 1, most);
        assigned += model.runs[i].repeat;
    }
}

Field<Model> widthField()
{
    return {.text = {"d_model", "d", "d_model", "width of the residual stream", "features"},
            .value = [](const Model& m) { return FieldValue(std::int64_t{m.dModel}); },
            .assign =
                [](Model& m, const FieldValue& value) {
                    m.dModel = static_cast<int>(std::get<std::int64_t>(value));
                },
            .legal = [](const Model& m, const FieldContext&) { return legalWidth(m); }};
}

Field<Model> layersField()
{
    return {.text = {"layers", "L", "layers", "blocks in the stack", "blocks"},
            .value = [](const Model& m) { return FieldValue(std::int64_t{m.layers()}); },
            .assign =
                [](Model& m, const FieldValue& value) {
                    assignLayers(m, static_cast<int>(std::get<std::int64_t>(value)));
                },
            .legal =
                [](const Model& m, const FieldContext&) {
                    const auto fewest = static_cast<std::int64_t>(m.runs.size());
                    return LegalValues::integers(fewest, kMostLayers, Scale::log2);
                },
            .applies = [](const Model& m) { return !m.runs.empty(); }};
}

Field<BlockRun> repeatField()
{
    return integerField(&BlockRun::repeat,
                        {"repeat", "N", "repeat", "equal blocks in this run", "blocks"},
                        [](const BlockRun&, const FieldContext&) {
                            return LegalValues::integers(1, kMostLayers, Scale::log2);
                        });
}

bool readsTokens(const Scenario& scenario)
{
    return !scenario.model.embedding.readsPatches();
}

bool hasEncoder(const Scenario& scenario)
{
    return scenario.model.hasEncoder();
}

Parameter& named(std::vector<Parameter>& all, std::string_view key)
{
    const auto found =
        std::find_if(all.begin(), all.end(), [key](const Parameter& p) { return p.key == key; });
    FLOPSMITH_CHECK(found != all.end());
    return *found;
}

// Legal values that more than the parameter's own part decides.
template <class Rule>
void decideLegal(Parameter& parameter, Rule rule)
{
    parameter.legal = std::move(rule);
    parameter.scope = {};
}

void appliesOnlyIf(Parameter& parameter, bool (*condition)(const Scenario&))
{
    parameter.scope = {};
    parameter.applies = [applies = parameter.applies, condition](const Scenario& s) {
        return condition(s) && applies(s);
    };
}

// The stage at `path` inside an FFN: {} is the FFN itself, {1, 0} the first stage of its second.
template <class Spec>
auto& stageAt(Spec& ffn, const std::vector<std::size_t>& path)
{
    Spec* found = &ffn;
    for (const std::size_t index : path) {
        found = &std::get<ComposedFfn>(*found).stages.at(index).spec;
    }
    return *found;
}

// Under which heading a field of the block itself stands; those of its parts keep theirs.
std::string blockGroup(std::string_view key, const std::string& group)
{
    if (key == "layout" || key == "one_norm" || key == "residual_scale" || key == "stack") {
        return "Block";
    }
    return key == "share_group" ? "Sharing" : group;
}

// What a change of one block means for those that share its parameters: they follow it. A block
// that joins a group becomes what the group is.
Parameter followedByShared(Parameter parameter, std::size_t run)
{
    const auto assign = [inner = parameter.assign, run](Scenario& s, const FieldValue& value) {
        const int before = s.model.runs.at(run).block.shareGroup;
        inner(s, value);
        Block& block = s.model.runs[run].block;
        if (block.shareGroup != before && block.sharesParameters()) {
            for (const BlockRun& other : s.model.runs) {
                if (&other.block != &block && other.block.shareGroup == block.shareGroup) {
                    block = other.block;
                    break;
                }
            }
        }
        s.model.alignSharedWith(static_cast<int>(run));
    };
    parameter.assign = assign;
    return parameter;
}

// "spectral", or "spectral[2]" where another stage has the same name.
std::string stageName(const ComposedFfn& ffn, std::size_t index)
{
    const std::string_view id = info(ffn.stages[index].spec).id;
    const auto same = std::count_if(ffn.stages.begin(), ffn.stages.end(), [id](const FfnStage& s) {
        return info(s.spec).id == id;
    });
    return same > 1 ? std::string(id) + "[" + std::to_string(index) + "]" : std::string(id);
}

void appendFfn(std::vector<Parameter>& all,
               const FfnSpec& ffn,
               const std::string& prefix,
               std::size_t run,
               const std::vector<std::size_t>& path)
{
    const auto access = [ run, path ](auto& scenario) -> auto&
    {
        return stageAt(scenario.model.runs.at(run).block.ffn, path);
    };
    const VariantInfo& variant = info(ffn);
    append(all,
           prefix,
           std::string(variant.title),
           variant.component,
           fields(ffn),
           {Part::ffn, static_cast<int>(run)},
           access);
    if (const auto* composed = std::get_if<ComposedFfn>(&ffn)) {
        for (std::size_t i = 0; i < composed->stages.size(); ++i) {
            std::vector<std::size_t> inner = path;
            inner.push_back(i);
            appendFfn(
                all, composed->stages[i].spec, prefix + stageName(*composed, i) + ".", run, inner);
        }
    }
}

} // namespace

bool isSameIn(const ParameterScope& scope, const Scenario& a, const Scenario& b)
{
    if (a.model.dModel != b.model.dModel) {
        return false;
    }
    const auto block = [&scope](const Scenario& s) -> const Block& {
        return s.model.runs.at(static_cast<std::size_t>(scope.run)).block;
    };
    switch (scope.part) {
    case Part::scenario: return a == b;
    case Part::workload: return a.workload == b.workload;
    case Part::embedding: return a.model.embedding == b.model.embedding;
    case Part::encoderNorm: return a.model.encoderNorm == b.model.encoderNorm;
    case Part::finalNorm: return a.model.finalNorm == b.model.finalNorm;
    case Part::head: return a.model.head == b.model.head;
    case Part::mixer: return block(a).mixer == block(b).mixer;
    case Part::cross: return block(a).cross == block(b).cross;
    case Part::ffn: return block(a).ffn == block(b).ffn;
    case Part::block: return block(a) == block(b);
    }
    return false;
}

std::vector<Parameter> workloadParameters()
{
    std::vector<Parameter> all;
    append(
        all, "", "Workload", nullptr, Workload::fields(), {Part::workload}, [](auto& s) -> auto& {
            return s.workload;
        });
    decideLegal(named(all, "phase"), legalPhase); // the model has a say in it
    appliesOnlyIf(named(all, "seq"), readsTokens);
    appliesOnlyIf(named(all, "context"), readsTokens);
    appliesOnlyIf(named(all, "source"), hasEncoder);
    return all;
}

std::vector<Parameter> modelParameters()
{
    std::vector<Parameter> all;
    const auto model = [](auto& s) -> auto&
    {
        return s.model;
    };
    all.push_back(bound("d_model", "Model", nullptr, widthField(), {}, model));
    all.push_back(bound("layers", "Model", nullptr, layersField(), {}, model));
    append(
        all, "", "Embedding", &kEmbeddingComponent, Embedding::fields(), {Part::embedding}, [
        ](auto& s) -> auto& { return s.model.embedding; });
    const std::size_t encoderNorm = all.size();
    append(
        all,
        "encoder_norm.",
        "Encoder norm",
        &kNormComponent,
        Norm::fields(),
        {Part::encoderNorm},
        [](auto& s) -> auto& { return s.model.encoderNorm; });
    for (std::size_t i = encoderNorm; i < all.size(); ++i) {
        appliesOnlyIf(all[i], hasEncoder);
    }
    append(
        all, "final_norm.", "Final norm", &kNormComponent, Norm::fields(), {Part::finalNorm}, [
        ](auto& s) -> auto& { return s.model.finalNorm; });
    append(
        all, "", "Head", &kHeadComponent, Head::fields(), {Part::head}, [](auto& s) -> auto& {
            return s.model.head;
        });
    decideLegal(named(all, "input"), legalInput);
    decideLegal(named(all, "head"), legalHead);
    decideLegal(named(all, "head_projection"), legalHeadProjection);
    return all;
}

std::vector<Parameter> blockParameters(const Scenario& scenario, int run)
{
    const auto index = static_cast<std::size_t>(run);
    const Block& block = scenario.model.runs.at(index).block;
    const std::string prefix = "blocks[" + std::to_string(scenario.model.firstBlock(run)) + "].";
    std::vector<Parameter> all;
    all.push_back(bound(
        prefix + "repeat", "Blocks", nullptr, repeatField(), {}, [index](auto& s) -> auto& {
            return s.model.runs.at(index);
        }));
    const auto appendMixer = [&](const char* key, const MixerSpec& mixer, Part part, auto access) {
        append(all,
               prefix + key,
               std::string(info(mixer).title),
               info(mixer).component,
               fields(mixer),
               {part, run},
               access);
    };
    appendMixer(
        "mixer.", block.mixer, Part::mixer, [index](auto& s) -> auto& {
            return s.model.runs.at(index).block.mixer;
        });
    appendMixer(
        "cross.", block.cross, Part::cross, [index](auto& s) -> auto& {
            return s.model.runs.at(index).block.cross;
        });
    appendFfn(all, block.ffn, prefix + "ffn.", index, {});
    append(
        all,
        prefix,
        "Norms",
        &kNormComponent,
        Block::fields(),
        {Part::block, run},
        [index](auto& s) -> auto& { return s.model.runs.at(index).block; });
    decideLegal(named(all, prefix + "stack"),
                [index](const Scenario& s) { return legalStack(s, index); });
    for (Parameter& parameter : all) {
        if (parameter.key.compare(0, prefix.size(), prefix) == 0) {
            parameter.group =
                blockGroup(std::string_view(parameter.key).substr(prefix.size()), parameter.group);
        }
    }
    for (std::size_t i = 1; i < all.size(); ++i) { // but not how often it is repeated
        all[i] = followedByShared(std::move(all[i]), index);
    }
    return all;
}

std::vector<Parameter> allParameters(const Scenario& scenario)
{
    std::vector<Parameter> all = workloadParameters();
    const auto append = [&all](std::vector<Parameter> more) {
        std::move(more.begin(), more.end(), std::back_inserter(all));
    };
    append(modelParameters());
    for (std::size_t run = 0; run < scenario.model.runs.size(); ++run) {
        append(blockParameters(scenario, static_cast<int>(run)));
    }
    return all;
}

} // namespace flopsmith
