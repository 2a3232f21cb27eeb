// SPDX-License-Identifier: MIT
#include "core/json/json_fields.h"
#include "core/json/spec_json.h"

namespace flopsmith {
namespace {

using namespace json;

// The kind of an operation, without its sizes.
struct OperationJson
{
    Json& json;

    void operator()(const FfnSpec& ffn) const { set("ffn", toJson(ffn)); }
    void operator()(const MixerSpec& mixer) const { set("mixer", toJson(mixer)); }
    void operator()(const NormOperation& norm) const { set("norm", normJson(norm.norm)); }

    void operator()(const ResidualOperation& operation) const
    {
        const Residual& residual = operation.residual;
        Json spec{{"branches", residual.branches}, {"scale", residual.scale}};
        if (residual.factor != kResidualScale) {
            spec["factor"] = residual.factor;
        }
        set("residual", std::move(spec));
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

    void operator()(const ModelOperation& whole) const { set("model", toJson(whole.model)); }

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
    FLOPSMITH_TRY(const auto value, fieldValue(json[key], std::int64_t{1}, place + "." + key));
    size = static_cast<int>(std::get<std::int64_t>(value));
    if (size < 1) {
        return Error{place + "." + key + ": " + std::to_string(size) + " must be at least 1"};
    }
    return Done{};
}

// 0 without the key.
Status readOptionalSize(int& size,
                        const Json& json,
                        const std::string& key,
                        const std::string& place)
{
    return json.contains(key) && json[key] != 0 ? readSize(size, json, key, place) : Done{};
}

Result<Residual> residualFromJson(const Json& spec, const std::string& place)
{
    FLOPSMITH_RETURN_IF_ERROR(expectObject(spec, place));
    Residual residual;
    FLOPSMITH_RETURN_IF_ERROR(refuseOtherKeys(spec, place, {"branches", "scale", "factor"}));
    if (spec.contains("branches")) {
        FLOPSMITH_RETURN_IF_ERROR(readSize(residual.branches, spec, "branches", place));
        if (residual.branches > 2) {
            return Error{place + ".branches: " + std::to_string(residual.branches)
                         + " is too large; at most 2"};
        }
    }
    if (spec.contains("scale")) {
        FLOPSMITH_TRY(const auto scale, fieldValue(spec["scale"], false, place + ".scale"));
        residual.scale = std::get<bool>(scale);
    }
    if (spec.contains("factor")) {
        FLOPSMITH_TRY(const auto factor, fieldValue(spec["factor"], 0.0, place + ".factor"));
        residual.factor = std::get<double>(factor);
    }
    return residual;
}

template <class Part>
Result<Part> partOf(const Json& json, const std::string& place)
{
    Part part{};
    FLOPSMITH_RETURN_IF_ERROR(readPart(part, json, "spec", place));
    return part;
}

Result<decltype(Operation::what)> readWhat(const Json& json, const std::string& place)
{
    using What = decltype(Operation::what);
    const Json* named = json.find("kind");
    const std::string kind = named != nullptr && named->is_string() ? named->text() : "";
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
        FLOPSMITH_RETURN_IF_ERROR(readSize(head.vocab, json, "vocab", place));
        FLOPSMITH_RETURN_IF_ERROR(readOptionalSize(head.width, json, "embedding_width", place));
        FLOPSMITH_TRY(const auto read, partOf<Head>(json, place));
        head.head = read.computed();
        head.vocab = read.kind == HeadKind::tokens ? read.classes : head.vocab;
        return What(head);
    }
    if (kind == "model") {
        auto model = modelFromJson(spec, place + ".spec");
        return model ? Result<What>(What(ModelOperation{std::move(*model)})) : model.error();
    }
    return unknownName(place + ".kind", kind, "ffn, mixer, norm, residual, embedding, head, model");
}

} // namespace

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

Result<Operation> operationFromJson(const Json& json, const std::string& place)
{
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json, place));
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
    FLOPSMITH_TRY(auto what, readWhat(json, place));
    operation.what = std::move(what);
    return operation;
}

} // namespace flopsmith
