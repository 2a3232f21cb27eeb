// SPDX-License-Identifier: MIT
#include "core/ffn/composed.h"
#include "core/json/json_fields.h"
#include "core/json/spec_json.h"

#include <set>

namespace flopsmith {
namespace {

using namespace json;

constexpr std::size_t kMaxStages = 32; // far above every real model

// The prototype whose id is the object's "kind".
template <class Variant>
Result<Variant> ofKind(const std::vector<Variant>& prototypes,
                       const Json& json,
                       const std::string& place)
{
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json, place));
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
    return unknownName(place + ".kind", kind, known);
}

Result<FfnSpec> readFfn(const Json& json,
                        const std::string& place,
                        int depth,
                        UnknownKeys* unknown);

// Stages of an FFN at all depths.
std::size_t stageCount(const FfnSpec& ffn)
{
    const auto* composed = get_if<ComposedFfn>(&ffn);
    std::size_t count = 0;
    if (composed != nullptr) {
        for (const FfnStage& stage : composed->stages) {
            count += 1 + stageCount(stage.spec);
        }
    }
    return count;
}

Status readStages(ComposedFfn& composed,
                  const Json& json,
                  const std::string& place,
                  int depth,
                  UnknownKeys* unknown)
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
        FLOPSMITH_TRY(
            const FfnSpec stage,
            readFfn(stages[i], place + ".stages[" + std::to_string(i) + "]", depth + 1, unknown));
        composed.stages.push_back({stage});
        if (stageCount(composed) > kMaxStages) {
            return Error{place + ".stages: more than " + std::to_string(kMaxStages)
                         + " stages in one FFN"};
        }
    }
    return Done{};
}

Result<FfnSpec> readFfn(const Json& json, const std::string& place, int depth, UnknownKeys* unknown)
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
    if (auto* composed = get_if<ComposedFfn>(&*ffn)) {
        others.insert("stages");
        FLOPSMITH_RETURN_IF_ERROR(readStages(*composed, json, place, depth, unknown));
    }
    FLOPSMITH_RETURN_IF_ERROR(
        readFieldsAndValues(*ffn, fields(*ffn), json, place, others, unknown));
    return ffn;
}

} // namespace

Json toJson(const FfnSpec& ffn)
{
    Json json;
    json["kind"] = std::string(info(ffn).id);
    writeFields(json, ffn, fields(ffn));
    writeValues(json, ffn, ffnPrototypes().at(ffn.index()));
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
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
    writeValues(json, mixer, mixerPrototypes().at(mixer.index()));
    return json;
}

Result<FfnSpec> ffnFromJson(const Json& json, const std::string& place, UnknownKeys* unknown)
{
    return readFfn(json, place, 0, unknown);
}

Result<MixerSpec> mixerFromJson(const Json& json, const std::string& place, UnknownKeys* unknown)
{
    Result<MixerSpec> mixer = ofKind(mixerPrototypes(), json, place);
    if (!mixer) {
        return mixer;
    }
    FLOPSMITH_RETURN_IF_ERROR(
        readFieldsAndValues(*mixer, fields(*mixer), json, place, {"kind"}, unknown));
    return mixer;
}

} // namespace flopsmith
