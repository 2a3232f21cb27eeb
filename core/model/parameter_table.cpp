// SPDX-License-Identifier: MIT
#include "core/model/parameter_table.h"

#include "core/base/check.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <span>

namespace flopsmith {
namespace {

constexpr int kWidestModel = 65'536;
constexpr int kMostLayers = 4'096;

// A field of some part of the scenario as a parameter of the whole. `access` is a generic lambda
// that finds the part in a const or a mutable scenario.
template <class Spec, class Access>
Parameter bound(std::string key,
                std::string group,
                const Component* component,
                const Field<Spec>& field,
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
        .legal =
            [shared, access](const Scenario& s) {
                return shared->legal(access(s), {.dModel = s.model.dModel});
            },
        .applies = [shared, access](const Scenario& s) { return shared->applies(access(s)); },
    };
}

template <class Spec, class Access>
void append(std::vector<Parameter>& all,
            const std::string& prefix,
            const std::string& group,
            const Component* component,
            const std::vector<Field<Spec>>& fields,
            Access access)
{
    for (const Field<Spec>& field : fields) {
        all.push_back(bound(prefix + std::string(field.text.key), group, component, field, access));
    }
}

// d_model must be a multiple of what every mixer needs (its heads, twice them with RoPE).
LegalValues legalWidth(const Model& model)
{
    std::int64_t multiple = 1;
    for (const BlockRun& run : model.runs) {
        // A mixer that is not legal itself (no heads) must not make every width illegal.
        for (const MixerSpec* mixer : {&run.block.mixer, &run.block.cross}) {
            const std::int64_t needed = std::max(1, dModelMultiple(*mixer));
            multiple = std::lcm(multiple, needed);
        }
        multiple = std::min<std::int64_t>(multiple, kWidestModel);
    }
    return LegalValues::integers(multiple, kWidestModel, Scale::log2, multiple);
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

// Decoding needs a cache to go on from, in every block that it executes, and tokens.
LegalValues legalPhase(const Scenario& scenario)
{
    bool decodes = !scenario.model.embedding.readsPatches();
    for (const BlockRun& run : scenario.model.runs) {
        decodes = decodes && (run.block.isEncoder() || canDecode(run.block.mixer));
    }
    if (!decodes) {
        return LegalValues::choices({enumName(Phase::prefill)});
    }
    return LegalValues::choices(enumNames<Phase>());
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

void appliesOnlyIf(Parameter& parameter, bool (*condition)(const Scenario&))
{
    parameter.applies = [applies = parameter.applies, condition](const Scenario& s) {
        return condition(s) && applies(s);
    };
}

// An encoder-decoder reads tokens in both of its halves.
LegalValues legalInput(const Scenario& scenario)
{
    return scenario.model.hasEncoder() ? LegalValues::choices({enumName(InputKind::tokens)})
                                       : LegalValues::choices(enumNames<InputKind>());
}

// Images have no vocabulary to predict.
LegalValues legalHead(const Scenario& scenario)
{
    std::vector<std::string_view> names = enumNames<HeadKind>();
    if (!readsTokens(scenario)) {
        names.erase(names.begin() + static_cast<int>(HeadKind::lm));
    }
    return LegalValues::choices(names);
}

// A tied matrix that is not d wide can only be reached through another.
LegalValues legalHeadProjection(const Scenario& scenario)
{
    const Model& model = scenario.model;
    const bool narrow = model.embedding.tableWidth(model.dModel) != model.dModel;
    return model.head.tied && narrow ? LegalValues::onlyTrue() : LegalValues::flag();
}

bool looksAtEncoder(const BlockRun& run)
{
    return run.block.hasCross();
}

bool isEncoder(const BlockRun& run)
{
    return run.block.isEncoder();
}

// Encoder blocks stand before all others and are never alone. A block that cross-attention looks
// from, or that is the last to be looked at, stays what it is, and so do shared ones, which would
// all change.
LegalValues legalStack(const Scenario& scenario, std::size_t run)
{
    const std::vector<BlockRun>& runs = scenario.model.runs;
    const Block& block = runs.at(run).block;
    const auto here = runs.begin() + static_cast<std::ptrdiff_t>(run);
    const bool crosses = std::any_of(runs.begin(), runs.end(), looksAtEncoder);
    const bool staysEncoder = std::any_of(here + 1, runs.end(), isEncoder)
        || (crosses && std::count_if(runs.begin(), runs.end(), isEncoder) == 1);
    const bool staysDecoder = !std::all_of(runs.begin(), here, isEncoder) || here + 1 == runs.end()
        || block.hasCross() || !readsTokens(scenario);
    const bool shared = block.sharesParameters();
    std::vector<std::string_view> names;
    if (!block.isEncoder() || !(staysEncoder || shared)) {
        names.push_back(enumName(Stack::decoder));
    }
    if (block.isEncoder() ? !staysDecoder : !(staysDecoder || shared)) {
        names.push_back(enumName(Stack::encoder));
    }
    return LegalValues::choices(names.empty() ? enumNames<Stack>() : names);
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
    append(all, prefix, std::string(variant.title), variant.component, fields(ffn), access);
    if (const auto* composed = std::get_if<ComposedFfn>(&ffn)) {
        for (std::size_t i = 0; i < composed->stages.size(); ++i) {
            std::vector<std::size_t> inner = path;
            inner.push_back(i);
            appendFfn(
                all, composed->stages[i].spec, prefix + stageName(*composed, i) + ".", run, inner);
        }
    }
}

std::vector<std::string_view> segments(std::string_view key)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t dot = key.find('.');
        parts.push_back(key.substr(0, dot));
        if (dot == std::string_view::npos) {
            return parts;
        }
        key.remove_prefix(dot + 1);
    }
}

// "spectral" also means "spectral[2]".
bool segmentMeans(std::string_view asked, std::string_view full)
{
    return asked == full
        || (full.size() > asked.size() && full.substr(0, asked.size()) == asked
            && full[asked.size()] == '[');
}

bool keyMeans(std::span<const std::string_view> asked, std::string_view fullKey)
{
    const std::vector<std::string_view> full = segments(fullKey);
    if (asked.empty() || !segmentMeans(asked.back(), full.back())) {
        return false;
    }
    std::size_t next = 0;
    for (const std::string_view segment : full) {
        if (next < asked.size() && segmentMeans(asked[next], segment)) {
            ++next;
        }
    }
    return next == asked.size();
}

// The number in "blocks[7]", or nothing.
std::optional<int> blockNumber(std::string_view segment)
{
    constexpr std::string_view kPrefix = "blocks[";
    if (segment.substr(0, kPrefix.size()) != kPrefix || segment.back() != ']') {
        return std::nullopt;
    }
    const std::string_view number =
        segment.substr(kPrefix.size(), segment.size() - kPrefix.size() - 1);
    int value = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool whole = result.ec == std::errc{} && result.ptr == number.data() + number.size();
    return whole ? std::optional(value) : std::nullopt;
}

Error wrongText(std::string_view key, std::string_view text, std::string_view wanted)
{
    return {std::string(key) + ": \"" + std::string(text) + "\" is not " + std::string(wanted)};
}

template <class Number>
std::optional<Number> parsedNumber(std::string_view text)
{
    Number number{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

std::optional<bool> parsedFlag(std::string_view text)
{
    if (text == "true" || text == "on" || text == "yes" || text == "1") {
        return true;
    }
    if (text == "false" || text == "off" || text == "no" || text == "0") {
        return false;
    }
    return std::nullopt;
}

// The text as a value of the same kind as `like`.
Result<FieldValue> parsedValue(std::string_view key, std::string_view text, const FieldValue& like)
{
    if (std::holds_alternative<std::int64_t>(like)) {
        const auto number = parsedNumber<std::int64_t>(text);
        if (!number || *number != static_cast<int>(*number)) {
            return wrongText(key, text, "a whole number between -2147483648 and 2147483647");
        }
        return FieldValue(*number);
    }
    if (std::holds_alternative<double>(like)) {
        const auto number = parsedNumber<double>(text);
        return number ? Result<FieldValue>(FieldValue(*number)) : wrongText(key, text, "a number");
    }
    if (std::holds_alternative<bool>(like)) {
        const auto flag = parsedFlag(text);
        return flag ? Result<FieldValue>(FieldValue(*flag)) : wrongText(key, text, "true or false");
    }
    return FieldValue(std::string(text));
}

Error unknownKey(const Scenario& scenario, std::string_view key)
{
    std::string names;
    std::vector<std::string> seen;
    for (const Parameter& parameter : allParameters(scenario)) {
        std::string name(parameter.text.key);
        if (parameter.applies(scenario)
            && std::find(seen.begin(), seen.end(), name) == seen.end()) {
            names += (names.empty() ? "" : ", ") + name;
            seen.push_back(std::move(name));
        }
    }
    return {std::string(key) + ": this model has no such parameter; it has " + names};
}

} // namespace

std::vector<Parameter> workloadParameters()
{
    std::vector<Parameter> all;
    append(
        all, "", "Workload", nullptr, Workload::fields(), [](auto& s) -> auto& {
            return s.workload;
        });
    named(all, "phase").legal = legalPhase; // the model has a say in it
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
    all.push_back(bound("d_model", "Model", nullptr, widthField(), model));
    all.push_back(bound("layers", "Model", nullptr, layersField(), model));
    append(
        all, "", "Embedding", &kEmbeddingComponent, Embedding::fields(), [](auto& s) -> auto& {
            return s.model.embedding;
        });
    const std::size_t encoderNorm = all.size();
    append(
        all, "encoder_norm.", "Encoder norm", &kNormComponent, Norm::fields(), [
        ](auto& s) -> auto& { return s.model.encoderNorm; });
    for (std::size_t i = encoderNorm; i < all.size(); ++i) {
        appliesOnlyIf(all[i], hasEncoder);
    }
    append(
        all, "final_norm.", "Final norm", &kNormComponent, Norm::fields(), [](auto& s) -> auto& {
            return s.model.finalNorm;
        });
    append(
        all, "", "Head", &kHeadComponent, Head::fields(), [](auto& s) -> auto& {
            return s.model.head;
        });
    named(all, "input").legal = legalInput;
    named(all, "head").legal = legalHead;
    named(all, "head_projection").legal = legalHeadProjection;
    return all;
}

std::vector<Parameter> blockParameters(const Scenario& scenario, int run)
{
    const auto index = static_cast<std::size_t>(run);
    const Block& block = scenario.model.runs.at(index).block;
    const std::string prefix = "blocks[" + std::to_string(scenario.model.firstBlock(run)) + "].";
    std::vector<Parameter> all;
    all.push_back(bound(
        prefix + "repeat", "Blocks", nullptr, repeatField(), [index](auto& s) -> auto& {
            return s.model.runs.at(index);
        }));
    const auto appendMixer = [&](const char* key, const MixerSpec& mixer, auto access) {
        append(all,
               prefix + key,
               std::string(info(mixer).title),
               info(mixer).component,
               fields(mixer),
               access);
    };
    appendMixer(
        "mixer.", block.mixer, [index](auto& s) -> auto& {
            return s.model.runs.at(index).block.mixer;
        });
    appendMixer(
        "cross.", block.cross, [index](auto& s) -> auto& {
            return s.model.runs.at(index).block.cross;
        });
    appendFfn(all, block.ffn, prefix + "ffn.", index, {});
    append(
        all, prefix, "Norms", &kNormComponent, Block::fields(), [index](auto& s) -> auto& {
            return s.model.runs.at(index).block;
        });
    named(all, prefix + "stack").legal = [index](const Scenario& s) {
        return legalStack(s, index);
    };
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

std::vector<Parameter> matchingParameters(const Scenario& scenario, std::string_view key)
{
    const std::vector<std::string_view> asked = segments(key);
    std::span<const std::string_view> names(asked);
    std::vector<Parameter> candidates;
    if (const auto block = blockNumber(asked.front())) {
        const int run = scenario.model.runOf(*block);
        if (run < 0) {
            return {};
        }
        candidates = blockParameters(scenario, run);
        names = names.subspan(1);
    } else {
        candidates = allParameters(scenario);
    }
    std::vector<Parameter> found;
    for (Parameter& candidate : candidates) {
        if (keyMeans(names, candidate.key) && candidate.applies(scenario)) {
            found.push_back(std::move(candidate));
        }
    }
    return found;
}

Status setParameter(Scenario& scenario, std::string_view key, std::string_view text)
{
    if (matchingParameters(scenario, key).empty()) {
        return unknownKey(scenario, key);
    }
    Scenario changed = scenario;
    const std::vector<std::string_view> asked = segments(key);
    const auto block = blockNumber(asked.front());
    if (block && asked.back() != "repeat") {
        changed.model.isolateBlock(*block);
    }
    for (const Parameter& parameter : matchingParameters(changed, key)) {
        const Result<FieldValue> value = parsedValue(key, text, parameter.value(changed));
        if (!value) {
            return value.error();
        }
        parameter.assign(changed, *value);
        if (parameter.value(changed) != *value) { // an enumeration does not know the name
            return wrongText(key, text, parameter.legal(changed).text());
        }
    }
    changed.model.joinEqualRuns();
    scenario = std::move(changed);
    return Done{};
}

void mend(Scenario& scenario)
{
    constexpr int kPasses = 4; // a mended number can make another illegal: d_model, heads, kv_heads
    for (int pass = 0; pass < kPasses; ++pass) {
        bool changed = false;
        for (const Parameter& parameter : allParameters(scenario)) {
            const FieldValue value = parameter.value(scenario);
            if (!parameter.applies(scenario)) {
                continue;
            }
            const LegalValues legal = parameter.legal(scenario);
            if (!legal.contains(value)) {
                parameter.assign(scenario, legal.nearest(value));
                changed = true;
            }
        }
        if (!changed) {
            return;
        }
    }
}

void setAndMend(Scenario& scenario, const Parameter& parameter, const FieldValue& value)
{
    parameter.assign(scenario, value);
    mend(scenario);
}

} // namespace flopsmith
