// SPDX-License-Identifier: MIT
#include "core/parameter/parameter_table.h"

#include "core/base/check.h"
#include "core/parameter/bound_parameter.h"
#include "core/parameter/legal_structure.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

using Part = ParameterScope::Part;

// Spreads `layers` over the runs in proportion to their lengths, at least one block each.
void spreadLayers(std::vector<BlockRun*> runs, int layers)
{
    int before = 0;
    for (const BlockRun* run : runs) {
        before += run->repeat;
    }
    int assigned = 0;
    int seen = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        seen += runs[i]->repeat;
        const int runsAfter = static_cast<int>(runs.size() - i) - 1;
        const auto end = static_cast<int>(std::int64_t{layers} * seen / std::max(before, 1));
        const int maxRepeat = std::max(1, layers - assigned - runsAfter);
        runs[i]->repeat = std::clamp(end - assigned, 1, maxRepeat);
        assigned += runs[i]->repeat;
    }
}

std::vector<BlockRun*> runsBetween(Model& model, int first, int end)
{
    std::vector<BlockRun*> runs;
    for (int run = first; run < end; ++run) {
        runs.push_back(&model.runs[static_cast<std::size_t>(run)]);
    }
    return runs;
}

// The same with equal repeats of every pattern; the runs outside take the remaining layers. False
// if no run can take them.
bool spreadOverPatterns(Model& model, int layers)
{
    const int before = model.layers();
    int left = layers;
    std::vector<BlockRun*> others;
    int seen = 0;
    for (const Pattern& pattern : model.patterns) {
        const std::int64_t period = blocksInPeriod(model, pattern);
        const int share =
            std::max(pattern.length, static_cast<int>(layers * period / std::max(before, 1)));
        spreadLayers(runsBetween(model, pattern.firstRun, pattern.firstRun + pattern.length),
                     share);
        for (int i = 0; i < pattern.length; ++i) {
            alignRepeats(model, pattern.firstRun + i);
        }
        const std::vector<BlockRun*> between = runsBetween(model, seen, pattern.firstRun);
        others.insert(others.end(), between.begin(), between.end());
        seen = pattern.end();
        left -= share * pattern.times;
    }
    const std::vector<BlockRun*> behind =
        runsBetween(model, seen, static_cast<int>(model.runs.size()));
    others.insert(others.end(), behind.begin(), behind.end());
    spreadLayers(others, left);
    return others.empty() ? left == 0 : left >= static_cast<int>(others.size());
}

// A pattern whose repeats would have to differ is dropped.
void assignLayers(Model& model, int layers)
{
    const std::vector<BlockRun> before = model.runs;
    while (!spreadOverPatterns(model, layers) && !model.patterns.empty()) {
        model.runs = before;
        model.patterns.pop_back();
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
                    return LegalValues::integers(fewest, kMaxLayers, Scale::log2);
                },
            .applies = [](const Model& m) { return !m.runs.empty(); }};
}

// The fields of a norm inside another part, under names of their own: setting every norm of the
// blocks ("norm") must not add one there.
std::vector<Field<Norm>> namedNormFields(const std::array<FieldText, 3>& texts)
{
    std::vector<Field<Norm>> fields = Norm::fields();
    FLOPSMITH_CHECK(fields.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        fields[i].text = texts[i];
    }
    return fields;
}

const std::vector<Field<Norm>>& embeddingNormFields()
{
    static const std::vector<Field<Norm>> kFields = namedNormFields(
        {FieldText{"embedding_norm",
                   "",
                   "embedding norm",
                   "of what the tables give together, as in BERT and BLOOM; or none",
                   ""},
         FieldText{"embedding_norm_scale",
                   "",
                   "embedding norm scale",
                   "a learned factor per feature",
                   ""},
         FieldText{"embedding_norm_shift",
                   "",
                   "embedding norm shift",
                   "a learned offset per feature",
                   ""}});
    return kFields;
}

const std::vector<Field<Norm>>& transformNormFields()
{
    static const std::vector<Field<Norm>> kFields = namedNormFields(
        {FieldText{"transform_norm",
                   "",
                   "transform norm",
                   "between the head's transform and the logits, as in BERT; or none",
                   ""},
         FieldText{"transform_norm_scale",
                   "",
                   "transform norm scale",
                   "a learned factor per feature",
                   ""},
         FieldText{"transform_norm_shift",
                   "",
                   "transform norm shift",
                   "a learned offset per feature",
                   ""}});
    return kFields;
}

bool readsTokens(const Scenario& scenario)
{
    return !scenario.model.embedding.readsPatches();
}

bool headHasTransform(const Scenario& scenario)
{
    return scenario.model.head.hasTransform();
}

bool hasEncoder(const Scenario& scenario)
{
    return scenario.model.hasEncoder();
}

void appliesOnlyIf(Parameter& parameter, bool (*condition)(const Scenario&))
{
    parameter.scope = {};
    parameter.applies = [applies = parameter.applies, condition](const Scenario& s) {
        return condition(s) && applies(s);
    };
}

std::vector<Parameter> builtWorkloadParameters()
{
    std::vector<Parameter> all;
    appendParameters(
        all, "", "Workload", nullptr, Workload::fields(), {Part::workload}, [](auto& s) -> auto& {
            return s.workload;
        });
    decideLegal(namedParameter(all, "phase"), legalPhase); // the model limits it too
    appliesOnlyIf(namedParameter(all, "seq"), readsTokens);
    appliesOnlyIf(namedParameter(all, "context"), readsTokens);
    appliesOnlyIf(namedParameter(all, "source"), hasEncoder);
    return all;
}

std::vector<Parameter> builtModelParameters()
{
    std::vector<Parameter> all;
    const auto model = [](auto& s) -> auto&
    {
        return s.model;
    };
    all.push_back(boundParameter("d_model", "Model", nullptr, widthField(), {}, model));
    all.push_back(boundParameter("layers", "Model", nullptr, layersField(), {}, model));
    appendParameters(
        all, "", "Embedding", &kEmbeddingComponent, Embedding::fields(), {Part::embedding}, [
        ](auto& s) -> auto& { return s.model.embedding; });
    appendParameters(
        all, "", "Embedding", &kEmbeddingComponent, embeddingNormFields(), {Part::embedding}, [
        ](auto& s) -> auto& { return s.model.embedding.norm; });
    const std::size_t encoderNorm = all.size();
    appendParameters(
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
    appendParameters(
        all, "final_norm.", "Final norm", &kNormComponent, Norm::fields(), {Part::finalNorm}, [
        ](auto& s) -> auto& { return s.model.finalNorm; });
    appendParameters(
        all, "", "Head", &kHeadComponent, Head::fields(), {Part::head}, [](auto& s) -> auto& {
            return s.model.head;
        });
    const std::size_t transformNorm = all.size();
    appendParameters(
        all, "", "Head", &kHeadComponent, transformNormFields(), {Part::head}, [
        ](auto& s) -> auto& { return s.model.head.norm; });
    for (std::size_t i = transformNorm; i < all.size(); ++i) {
        appliesOnlyIf(all[i], headHasTransform);
    }
    decideLegal(namedParameter(all, "input"), legalInput);
    decideLegal(namedParameter(all, "head"), legalHead);
    decideLegal(namedParameter(all, "head_projection"), legalHeadProjection);
    return all;
}

// All that decides to which half a block may belong and with whom it may share: see
// legal_structure.h.
bool haveSameHalves(const Model& a, const Model& b)
{
    return a.embedding.readsPatches() == b.embedding.readsPatches()
        && std::equal(a.runs.begin(),
                      a.runs.end(),
                      b.runs.begin(),
                      b.runs.end(),
                      [](const BlockRun& x, const BlockRun& y) {
                          return x.block.stack == y.block.stack
                              && x.block.holdsCross() == y.block.holdsCross()
                              && x.block.shareGroup == y.block.shareGroup;
                      });
}

} // namespace

bool isSameIn(const ParameterScope& scope, const Scenario& a, const Scenario& b)
{
    if (scope.part == Part::halves) { // the one that every width leaves unchanged
        return haveSameHalves(a.model, b.model);
    }
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
    case Part::run: {
        const auto run = static_cast<std::size_t>(scope.run);
        return a.model.runs.at(run) == b.model.runs.at(run);
    }
    case Part::halves: break;
    }
    return false;
}

ParameterList workloadParameterList()
{
    static const ParameterList kList =
        std::make_shared<const std::vector<Parameter>>(builtWorkloadParameters());
    return kList;
}

ParameterList modelParameterList()
{
    static const ParameterList kList =
        std::make_shared<const std::vector<Parameter>>(builtModelParameters());
    return kList;
}

std::vector<Parameter> workloadParameters()
{
    return *workloadParameterList();
}

std::vector<Parameter> modelParameters()
{
    return *modelParameterList();
}

std::vector<ParameterList> parameterTable(const Scenario& scenario)
{
    std::vector<ParameterList> table{workloadParameterList(), modelParameterList()};
    table.reserve(table.size() + scenario.model.runs.size());
    int firstBlock = 0;
    for (std::size_t run = 0; run < scenario.model.runs.size(); ++run) {
        table.push_back(blockParameterListFrom(scenario, static_cast<int>(run), firstBlock));
        firstBlock += scenario.model.runs[run].repeat;
    }
    return table;
}

std::vector<Parameter> allParameters(const Scenario& scenario)
{
    std::vector<Parameter> all;
    for (const ParameterList& part : parameterTable(scenario)) {
        all.insert(all.end(), part->begin(), part->end());
    }
    return all;
}

} // namespace flopsmith
