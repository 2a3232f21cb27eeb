// SPDX-License-Identifier: MIT
#include "core/model/spec_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <set>

namespace flopsmith {
namespace {

using Json = nlohmann::ordered_json;

// Far above every real model, and low enough that no file fills the memory.
constexpr std::size_t kMostRuns = 4'096;
constexpr std::size_t kMostStages = 32;

Json valueJson(const FieldValue& value)
{
    return std::visit([](const auto& v) { return Json(v); }, value);
}

template <class Spec>
void writeFields(Json& json, const Spec& spec, const std::vector<Field<Spec>>& fields)
{
    for (const Field<Spec>& field : fields) {
        json[std::string(field.text.key)] = valueJson(field.value(spec));
    }
}

Error wrongType(const std::string& place, const Json& json, const std::string& wanted)
{
    return {place + ": expected " + wanted + ", found " + json.type_name()};
}

// The JSON value as a field value of the same kind as `like`.
Result<FieldValue> fieldValue(const Json& json, const FieldValue& like, const std::string& place)
{
    if (std::holds_alternative<std::int64_t>(like)) {
        if (!json.is_number_integer()) {
            return wrongType(place, json, "a whole number");
        }
        const bool fits = json.is_number_unsigned()
            ? json.get<std::uint64_t>() <= std::numeric_limits<int>::max()
            : json.get<std::int64_t>() >= std::numeric_limits<int>::min();
        return fits ? Result<FieldValue>(FieldValue(json.get<std::int64_t>()))
                    : Error{place + ": " + json.dump() + " is too large; at most 2147483647"};
    }
    if (std::holds_alternative<double>(like)) {
        return json.is_number() ? Result<FieldValue>(FieldValue(json.get<double>()))
                                : wrongType(place, json, "a number");
    }
    if (std::holds_alternative<bool>(like)) {
        return json.is_boolean() ? Result<FieldValue>(FieldValue(json.get<bool>()))
                                 : wrongType(place, json, "true or false");
    }
    return json.is_string() ? Result<FieldValue>(FieldValue(json.get<std::string>()))
                            : wrongType(place, json, "a name in quotes");
}

template <class Spec>
const Field<Spec>* fieldNamed(const std::vector<Field<Spec>>& fields, const std::string& key)
{
    for (const Field<Spec>& field : fields) {
        if (field.text.key == key) {
            return &field;
        }
    }
    return nullptr;
}

template <class Spec>
std::string keyList(const std::vector<Field<Spec>>& fields)
{
    std::string list;
    for (const Field<Spec>& field : fields) {
        list += (list.empty() ? "" : ", ") + std::string(field.text.key);
    }
    return list.empty() ? "none" : list;
}

// Reads the fields that the object has; keys in `others` are read elsewhere.
template <class Spec>
Status readFields(Spec& spec,
                  const std::vector<Field<Spec>>& fields,
                  const Json& json,
                  const std::string& place,
                  const std::set<std::string>& others)
{
    for (const auto& item : json.items()) {
        const std::string& key = item.key();
        if (others.contains(key)) {
            continue;
        }
        const Field<Spec>* field = fieldNamed(fields, key);
        if (field == nullptr) {
            return Error{place + "." + key + ": no such key here; known are " + keyList(fields)};
        }
        const std::string where = place + "." + key;
        const Result<FieldValue> value = fieldValue(item.value(), field->value(spec), where);
        if (!value) {
            return value.error();
        }
        field->assign(spec, *value);
        if (field->value(spec) != *value) { // an enumeration does not know the name
            const LegalValues legal = field->legal(spec, {});
            return Error{where + ": \"" + valueText(*value) + "\" is unknown; known are "
                         + legal.text()};
        }
    }
    return Done{};
}

Status expectObject(const Json& json, const std::string& place)
{
    return json.is_object() ? Status(Done{}) : wrongType(place, json, "an object { … }");
}

// The prototype whose id is the object's "kind".
template <class Variant>
Result<Variant> ofKind(const std::vector<Variant>& prototypes,
                       const Json& json,
                       const std::string& place)
{
    if (const Status object = expectObject(json, place); !object) {
        return object.error();
    }
    if (!json.contains("kind") || !json["kind"].is_string()) {
        return Error{place + ".kind: missing; it names the variant, for example \"dense\""};
    }
    const auto kind = json["kind"].get<std::string>();
    std::string known;
    for (const Variant& prototype : prototypes) {
        if (info(prototype).id == kind) {
            return prototype;
        }
        known += (known.empty() ? "" : ", ") + std::string(info(prototype).id);
    }
    return Error{place + ".kind: \"" + kind + "\" is unknown; known are " + known};
}

Result<FfnSpec> readFfn(const Json& json, const std::string& place, int depth);

// Stages of an FFN at all depths.
std::size_t stageCount(const FfnSpec& ffn)
{
    const auto* composed = std::get_if<ComposedFfn>(&ffn);
    std::size_t count = 0;
    if (composed != nullptr) {
        for (const FfnStage& stage : composed->stages) {
            count += 1 + stageCount(stage.spec);
        }
    }
    return count;
}

Status readStages(ComposedFfn& composed, const Json& json, const std::string& place, int depth)
{
    composed.stages.clear();
    if (!json.contains("stages")) {
        return Done{};
    }
    const Json& stages = json["stages"];
    if (!stages.is_array()) {
        return wrongType(place + ".stages", stages, "a list [ … ]");
    }
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const Result<FfnSpec> stage =
            readFfn(stages[i], place + ".stages[" + std::to_string(i) + "]", depth + 1);
        if (!stage) {
            return stage.error();
        }
        composed.stages.push_back({*stage});
        if (stageCount(composed) > kMostStages) {
            return Error{place + ".stages: more than " + std::to_string(kMostStages)
                         + " stages in one FFN"};
        }
    }
    return Done{};
}

Result<FfnSpec> readFfn(const Json& json, const std::string& place, int depth)
{
    constexpr int kDeepestComposition = 16;
    if (depth > kDeepestComposition) {
        return Error{place + ": composed FFNs are nested too deep"};
    }
    Result<FfnSpec> ffn = ofKind(ffnPrototypes(), json, place);
    if (!ffn) {
        return ffn;
    }
    std::set<std::string> others{"kind"};
    if (auto* composed = std::get_if<ComposedFfn>(&*ffn)) {
        others.insert("stages");
        if (const Status read = readStages(*composed, json, place, depth); !read) {
            return read.error();
        }
    }
    const std::vector<Field<FfnSpec>>& known = fields(*ffn);
    if (const Status read = readFields(*ffn, known, json, place, others); !read) {
        return read.error();
    }
    return ffn;
}

Json normJson(const Norm& norm)
{
    Json json = Json::object();
    writeFields(json, norm, Norm::fields());
    return json;
}

Status readNorm(Norm& norm, const Json& json, const std::string& key, const std::string& place)
{
    if (!json.contains(key)) {
        return Done{};
    }
    const std::string where = place + "." + key;
    if (const Status object = expectObject(json[key], where); !object) {
        return object;
    }
    return readFields(norm, Norm::fields(), json[key], where, {});
}

Json embeddingJson(const Embedding& embedding)
{
    Json json;
    writeFields(json, embedding, Embedding::fields());
    json["norm"] = normJson(embedding.norm);
    return json;
}

Json headJson(const Head& head)
{
    Json json;
    writeFields(json, head, Head::fields());
    if (head.transform) {
        json["norm"] = normJson(head.norm);
    }
    return json;
}

Json runJson(const BlockRun& run)
{
    Json json;
    json["repeat"] = run.repeat;
    writeFields(json, run.block, Block::fields());
    json["mixer"] = toJson(run.block.mixer);
    if (run.block.hasCross()) {
        json["cross"] = toJson(run.block.cross);
    }
    json["ffn"] = toJson(run.block.ffn);
    return json;
}

Status readMixer(MixerSpec& mixer,
                 const Json& json,
                 const std::string& key,
                 const std::string& place)
{
    if (!json.contains(key)) {
        return Done{};
    }
    const Result<MixerSpec> read = mixerFromJson(json[key], place + "." + key);
    if (!read) {
        return read.error();
    }
    mixer = *read;
    return Done{};
}

Result<BlockRun> readRun(const Json& json, const std::string& place)
{
    if (const Status object = expectObject(json, place); !object) {
        return object.error();
    }
    BlockRun run;
    if (json.contains("repeat")) {
        const auto repeat = fieldValue(json["repeat"], std::int64_t{1}, place + ".repeat");
        if (!repeat) {
            return repeat.error();
        }
        run.repeat = static_cast<int>(std::get<std::int64_t>(*repeat));
    }
    if (const Status read = readFields(
            run.block, Block::fields(), json, place, {"repeat", "mixer", "cross", "ffn"});
        !read) {
        return read.error();
    }
    const Status mixers[]{readMixer(run.block.mixer, json, "mixer", place),
                          readMixer(run.block.cross, json, "cross", place)};
    for (const Status& read : mixers) {
        if (!read) {
            return read.error();
        }
    }
    if (json.contains("ffn")) {
        const Result<FfnSpec> ffn = ffnFromJson(json["ffn"], place + ".ffn");
        if (!ffn) {
            return ffn.error();
        }
        run.block.ffn = *ffn;
    }
    return run;
}

Status readRuns(Model& model, const Json& json, const std::string& place)
{
    if (!json.contains("blocks")) {
        return Error{place + ".blocks: missing; it lists the runs of blocks"};
    }
    if (!json["blocks"].is_array()) {
        return wrongType(place + ".blocks", json["blocks"], "a list [ … ]");
    }
    if (json["blocks"].size() > kMostRuns) {
        return Error{place + ".blocks: " + std::to_string(json["blocks"].size())
                     + " runs of blocks are too many; at most " + std::to_string(kMostRuns)};
    }
    for (std::size_t i = 0; i < json["blocks"].size(); ++i) {
        const Result<BlockRun> run =
            readRun(json["blocks"][i], place + ".blocks[" + std::to_string(i) + "]");
        if (!run) {
            return run.error();
        }
        model.runs.push_back(*run);
    }
    return Done{};
}

// A named member that is an object of plain fields, perhaps with a norm inside.
template <class Part>
Status readPart(Part& part, const Json& json, const std::string& key, const std::string& place)
{
    if (!json.contains(key)) {
        return Done{};
    }
    const std::string where = place + "." + key;
    if (const Status object = expectObject(json[key], where); !object) {
        return object;
    }
    std::set<std::string> others;
    if constexpr (requires { part.norm; }) {
        others.insert("norm");
        if (const Status norm = readNorm(part.norm, json[key], "norm", where); !norm) {
            return norm;
        }
    }
    return readFields(part, Part::fields(), json[key], where, others);
}

Status readNameAndWidth(Model& model, const Json& json, const std::string& place)
{
    if (json.contains("name")) {
        const auto name = fieldValue(json["name"], std::string{}, place + ".name");
        if (!name) {
            return name.error();
        }
        model.name = std::get<std::string>(*name);
    }
    if (!json.contains("d_model")) {
        return Error{place + ".d_model: missing"};
    }
    const auto width = fieldValue(json["d_model"], std::int64_t{1}, place + ".d_model");
    if (!width) {
        return width.error();
    }
    model.dModel = static_cast<int>(std::get<std::int64_t>(*width));
    return Done{};
}

Status refuseOtherKeys(const Json& json,
                       const std::string& place,
                       const std::vector<std::string>& known)
{
    std::string list;
    for (const std::string& key : known) {
        list += (list.empty() ? "" : ", ") + key;
    }
    for (const auto& item : json.items()) {
        if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
            return Error{place + "." + item.key() + ": no such key here; known are " + list};
        }
    }
    return Done{};
}

// What an operation is, apart from its sizes.
struct OperationJson
{
    Json& json;

    void operator()(const FfnSpec& ffn) const { set("ffn", toJson(ffn)); }
    void operator()(const MixerSpec& mixer) const { set("mixer", toJson(mixer)); }
    void operator()(const NormOperation& norm) const { set("norm", normJson(norm.norm)); }

    void operator()(const ResidualOperation& operation) const
    {
        const Residual& residual = operation.residual;
        set("residual", {{"branches", residual.branches}, {"scale", residual.scale}});
    }

    void operator()(const EmbeddingOperation& embedding) const
    {
        set("embedding", embeddingJson(embedding.embedding));
    }

    void operator()(const HeadOperation& head) const
    {
        set("head", headJson(head.head));
        json["vocab"] = head.vocab;
        json["embedding_width"] = head.width;
    }

private:
    void set(const char* kind, Json spec) const
    {
        json["kind"] = kind;
        json["spec"] = std::move(spec);
    }
};

Status readSize(int& size, const Json& json, const std::string& key, const std::string& place)
{
    if (!json.contains(key)) {
        return Error{place + "." + key + ": missing"};
    }
    const auto value = fieldValue(json[key], std::int64_t{1}, place + "." + key);
    if (!value) {
        return value.error();
    }
    size = static_cast<int>(std::get<std::int64_t>(*value));
    if (size < 1) {
        return Error{place + "." + key + ": " + std::to_string(size) + " must be at least 1"};
    }
    return Done{};
}

// 0 where there is none.
Status readOptionalSize(int& size,
                        const Json& json,
                        const std::string& key,
                        const std::string& place)
{
    return json.contains(key) && json[key] != 0 ? readSize(size, json, key, place) : Done{};
}

Result<Residual> residualFromJson(const Json& spec, const std::string& place)
{
    if (const Status object = expectObject(spec, place); !object) {
        return object.error();
    }
    Residual residual;
    if (const Status known = refuseOtherKeys(spec, place, {"branches", "scale"}); !known) {
        return known.error();
    }
    if (spec.contains("branches")) {
        if (const Status read = readSize(residual.branches, spec, "branches", place); !read) {
            return read.error();
        }
        if (residual.branches > 2) {
            return Error{place + ".branches: " + std::to_string(residual.branches)
                         + " is too large; at most 2"};
        }
    }
    if (spec.contains("scale")) {
        const auto scale = fieldValue(spec["scale"], false, place + ".scale");
        if (!scale) {
            return scale.error();
        }
        residual.scale = std::get<bool>(*scale);
    }
    return residual;
}

template <class Part>
Result<Part> partOf(const Json& json, const std::string& place)
{
    Part part{};
    if (const Status read = readPart(part, json, "spec", place); !read) {
        return read.error();
    }
    return part;
}

Result<decltype(Operation::what)> readWhat(const Json& json, const std::string& place)
{
    using What = decltype(Operation::what);
    const std::string kind = json.value("kind", Json()).is_string() ? json["kind"] : Json("");
    const Json spec = json.contains("spec") ? json["spec"] : Json::object();
    if (kind == "ffn") {
        const auto ffn = ffnFromJson(spec, place + ".spec");
        return ffn ? Result<What>(What(*ffn)) : ffn.error();
    }
    if (kind == "mixer") {
        const auto mixer = mixerFromJson(spec, place + ".spec");
        return mixer ? Result<What>(What(*mixer)) : mixer.error();
    }
    if (kind == "norm") {
        const auto norm = partOf<Norm>(json, place);
        return norm ? Result<What>(What(NormOperation{*norm})) : norm.error();
    }
    if (kind == "residual") {
        const auto residual = residualFromJson(spec, place + ".spec");
        return residual ? Result<What>(What(ResidualOperation{*residual})) : residual.error();
    }
    if (kind == "embedding") {
        const auto embedding = partOf<Embedding>(json, place);
        return embedding ? Result<What>(What(EmbeddingOperation{*embedding})) : embedding.error();
    }
    if (kind == "head") {
        HeadOperation head;
        if (const Status vocab = readSize(head.vocab, json, "vocab", place); !vocab) {
            return vocab.error();
        }
        if (const Status width = readOptionalSize(head.width, json, "embedding_width", place);
            !width) {
            return width.error();
        }
        const auto read = partOf<Head>(json, place);
        if (!read) {
            return read.error();
        }
        head.head = *read;
        return What(head);
    }
    return Error{place + ".kind: \"" + kind
                 + "\" is unknown; known are ffn, mixer, norm, residual, embedding, head"};
}

} // namespace

Json exactNumber(Count count)
{
    if (count < kLargestExactDouble && count > -Count{kLargestExactDouble}) {
        return static_cast<std::int64_t>(count);
    }
    return digits(count);
}

Json toJson(const FfnSpec& ffn)
{
    Json json;
    json["kind"] = std::string(info(ffn).id);
    writeFields(json, ffn, fields(ffn));
    if (const auto* composed = std::get_if<ComposedFfn>(&ffn)) {
        json["stages"] = Json::array();
        for (const FfnStage& stage : composed->stages) {
            json["stages"].push_back(toJson(stage.spec));
        }
    }
    return json;
}

Json toJson(const MixerSpec& mixer)
{
    Json json;
    json["kind"] = std::string(info(mixer).id);
    writeFields(json, mixer, fields(mixer));
    return json;
}

Json toJson(const Model& model)
{
    Json json;
    json["name"] = model.name;
    json["d_model"] = model.dModel;
    json["embedding"] = embeddingJson(model.embedding);
    json["blocks"] = Json::array();
    for (const BlockRun& run : model.runs) {
        json["blocks"].push_back(runJson(run));
    }
    if (model.hasEncoder()) {
        json["encoder_norm"] = normJson(model.encoderNorm);
    }
    json["final_norm"] = normJson(model.finalNorm);
    json["head"] = headJson(model.head);
    return json;
}

Json toJson(const Workload& workload)
{
    Json json;
    writeFields(json, workload, Workload::fields());
    return json;
}

Json toJson(const Scenario& scenario)
{
    return {{"model", toJson(scenario.model)}, {"workload", toJson(scenario.workload)}};
}

Json toJson(const Operation& operation)
{
    Json json;
    std::visit(OperationJson{json}, operation.what);
    json["d_model"] = operation.dModel;
    json["batch"] = operation.batch;
    json["sequence"] = operation.sequence;
    json["context"] = operation.context;
    if (operation.source > 0) {
        json["source"] = operation.source;
    }
    return json;
}

Result<FfnSpec> ffnFromJson(const Json& json, const std::string& place)
{
    return readFfn(json, place, 0);
}

Result<MixerSpec> mixerFromJson(const Json& json, const std::string& place)
{
    Result<MixerSpec> mixer = ofKind(mixerPrototypes(), json, place);
    if (!mixer) {
        return mixer;
    }
    const std::vector<Field<MixerSpec>>& known = fields(*mixer);
    if (const Status read = readFields(*mixer, known, json, place, {"kind"}); !read) {
        return read.error();
    }
    return mixer;
}

Result<Model> modelFromJson(const Json& json, const std::string& place)
{
    if (const Status object = expectObject(json, place); !object) {
        return object.error();
    }
    Model model;
    const Status steps[]{
        refuseOtherKeys(
            json,
            place,
            {"name", "d_model", "embedding", "blocks", "encoder_norm", "final_norm", "head"}),
        readNameAndWidth(model, json, place),
        readPart(model.embedding, json, "embedding", place),
        readRuns(model, json, place),
        readNorm(model.encoderNorm, json, "encoder_norm", place),
        readNorm(model.finalNorm, json, "final_norm", place),
        readPart(model.head, json, "head", place),
    };
    for (const Status& step : steps) {
        if (!step) {
            return step.error();
        }
    }
    return model;
}

Result<Workload> workloadFromJson(const Json& json, const std::string& place)
{
    if (const Status object = expectObject(json, place); !object) {
        return object.error();
    }
    Workload workload;
    if (const Status read = readFields(workload, Workload::fields(), json, place, {}); !read) {
        return read.error();
    }
    return workload;
}

Result<Scenario> scenarioFromJson(const Json& json, const std::string& place)
{
    if (const Status object = expectObject(json, place); !object) {
        return object.error();
    }
    if (!json.contains("model")) {
        return Error{place + ".model: missing"};
    }
    const Result<Model> model = modelFromJson(json["model"], place + ".model");
    if (!model) {
        return model.error();
    }
    Scenario scenario{*model, {}};
    if (json.contains("workload")) {
        const Result<Workload> workload = workloadFromJson(json["workload"], place + ".workload");
        if (!workload) {
            return workload.error();
        }
        scenario.workload = *workload;
    }
    return scenario;
}

Result<Operation> operationFromJson(const Json& json, const std::string& place)
{
    if (const Status object = expectObject(json, place); !object) {
        return object.error();
    }
    Operation operation;
    const Status steps[]{
        readSize(operation.dModel, json, "d_model", place),
        readSize(operation.batch, json, "batch", place),
        readSize(operation.sequence, json, "sequence", place),
        readSize(operation.context, json, "context", place),
        readOptionalSize(operation.source, json, "source", place),
    };
    for (const Status& step : steps) {
        if (!step) {
            return step.error();
        }
    }
    if (operation.context < operation.sequence) {
        return Error{place + ".context: " + std::to_string(operation.context)
                     + " is shorter than the sequence of " + std::to_string(operation.sequence)};
    }
    auto what = readWhat(json, place);
    if (!what) {
        return what.error();
    }
    operation.what = std::move(*what);
    return operation;
}

} // namespace flopsmith
