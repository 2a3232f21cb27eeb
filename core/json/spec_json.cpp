// SPDX-License-Identifier: MIT
#include "core/json/spec_json.h"

#include "core/base/printable.h"
#include "core/json/json_fields.h"
#include "core/json/json_text.h"
#include "core/json/pattern_json.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

using namespace json;

// Far above every real model, and low enough that no file fills the memory.
constexpr std::size_t kMaxRuns = 4'096;

// A part of a block that can be muted.
struct MutablePart
{
    std::string_view key;
    bool Block::*muted;
    bool (Block::*holds)() const;
};

constexpr std::array<MutablePart, 3> kMutableParts{{
    {"mixer", &Block::mixerMuted, &Block::holdsMixer},
    {"cross", &Block::crossMuted, &Block::holdsCross},
    {"ffn", &Block::ffnMuted, &Block::holdsFfn},
}};

Json mutedJson(const Block& block)
{
    Json muted = Json::array();
    for (const MutablePart& part : kMutableParts) {
        if (block.*part.muted) {
            muted.push_back(std::string(part.key));
        }
    }
    return muted;
}

Json runJson(const BlockRun& run)
{
    Json json;
    json["repeat"] = run.repeat;
    writeFields(json, run.block, Block::fields());
    writeValues(json, run.block, Block{});
    json["mixer"] = toJson(run.block.mixer);
    if (run.block.holdsCross()) {
        json["cross"] = toJson(run.block.cross);
    }
    json["ffn"] = toJson(run.block.ffn);
    if (run.block.hasMutedPart()) {
        json["mute"] = mutedJson(run.block);
    }
    return json;
}

Status readMixer(MixerSpec& mixer,
                 const Json& json,
                 const std::string& key,
                 const std::string& place,
                 UnknownKeys* unknown)
{
    if (!json.contains(key)) {
        return Done{};
    }
    FLOPSMITH_TRY(const MixerSpec read, mixerFromJson(json[key], place + "." + key, unknown));
    mixer = read;
    return Done{};
}

// Reads which parts are muted; the parts themselves are read already.
Status readMuted(Block& block, const Json& json, const std::string& place)
{
    if (!json.contains("mute")) {
        return Done{};
    }
    const std::string where = place + ".mute";
    const Json& muted = json["mute"];
    if (!muted.is_array()) {
        return wrongType(where, muted, "a list [ … ]");
    }
    for (const Json& name : muted) {
        const auto* const part = std::find_if(
            kMutableParts.begin(), kMutableParts.end(), [&name](const MutablePart& each) {
                return name.is_string() && name.text() == each.key;
            });
        if (part == kMutableParts.end()) {
            return Error{where + ": " + excerpt(jsonText(name))
                         + " is no part of a block; known are \"mixer\", \"cross\", \"ffn\""};
        }
        if (!(block.*part->holds)()) {
            return Error{where + ": the block has no " + std::string(part->key) + " to mute"};
        }
        block.*part->muted = true;
    }
    return Done{};
}

Result<BlockRun> readRun(const Json& json, const std::string& place, UnknownKeys* unknown)
{
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json, place));
    BlockRun run;
    if (json.contains("repeat")) {
        FLOPSMITH_TRY(const auto repeat,
                      fieldValue(json["repeat"], std::int64_t{1}, place + ".repeat"));
        run.repeat = static_cast<int>(std::get<std::int64_t>(repeat));
    }
    FLOPSMITH_RETURN_IF_ERROR(readFieldsAndValues(run.block,
                                                  Block::fields(),
                                                  json,
                                                  place,
                                                  {"repeat", "mixer", "cross", "ffn", "mute"},
                                                  unknown));
    const Status mixers[]{readMixer(run.block.mixer, json, "mixer", place, unknown),
                          readMixer(run.block.cross, json, "cross", place, unknown)};
    for (const Status& read : mixers) {
        if (!read) {
            return read.error();
        }
    }
    if (json.contains("ffn")) {
        FLOPSMITH_TRY(const FfnSpec ffn, ffnFromJson(json["ffn"], place + ".ffn", unknown));
        run.block.ffn = ffn;
    }
    FLOPSMITH_RETURN_IF_ERROR(readMuted(run.block, json, place));
    return run;
}

Status readRuns(Model& model, const Json& json, const std::string& place, UnknownKeys* unknown)
{
    if (!json.contains("blocks")) {
        return Error{place + ".blocks: missing; it lists the runs of blocks"};
    }
    if (!json["blocks"].is_array()) {
        return wrongType(place + ".blocks", json["blocks"], "a list [ … ]");
    }
    if (json["blocks"].size() > kMaxRuns) {
        return Error{place + ".blocks: " + std::to_string(json["blocks"].size())
                     + " runs of blocks are too many; at most " + std::to_string(kMaxRuns)};
    }
    for (std::size_t i = 0; i < json["blocks"].size(); ++i) {
        FLOPSMITH_TRY(
            const BlockRun run,
            readRun(json["blocks"][i], place + ".blocks[" + std::to_string(i) + "]", unknown));
        model.runs.push_back(run);
    }
    return Done{};
}

Status readBlocks(Model& model, const Json& json, const std::string& place, UnknownKeys* unknown)
{
    const Status runs = readRuns(model, json, place, unknown);
    return runs ? readPatterns(model, json, place, unknown) : runs;
}

Status readNameAndWidth(Model& model, const Json& json, const std::string& place)
{
    if (json.contains("name")) {
        FLOPSMITH_TRY(const auto name, fieldValue(json["name"], std::string{}, place + ".name"));
        model.name = std::get<std::string>(name);
        if (model.name.size() > kLongestModelName) {
            return json::tooLong(place + ".name", json["name"], kLongestModelName);
        }
    }
    if (!json.contains("d_model")) {
        return Error{place + ".d_model: missing"};
    }
    FLOPSMITH_TRY(const auto width,
                  fieldValue(json["d_model"], std::int64_t{1}, place + ".d_model"));
    model.dModel = static_cast<int>(std::get<std::int64_t>(width));
    return Done{};
}

} // namespace

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
    if (!model.patterns.empty()) {
        json["patterns"] = patternsJson(model);
    }
    if (model.hasEncoder() || model.encoderNorm != Norm{}) {
        json["encoder_norm"] = normJson(model.encoderNorm);
    }
    json["final_norm"] = normJson(model.finalNorm);
    json["head"] = headJson(model.head);
    return json;
}

// A format of its own that no kind of weights has is left out.
Json toJson(const Workload& workload)
{
    constexpr std::array<const char*, 7> kOwnFormats{"expert_bits",
                                                     "expert_group",
                                                     "expert_group_bits",
                                                     "embedding_bits",
                                                     "head_bits",
                                                     "vector_bits",
                                                     "gradient_bits"};
    Json json;
    writeFields(json, workload, Workload::fields());
    static const Json kUsual = [] {
        Json usual;
        writeFields(usual, Workload{}, Workload::fields());
        return usual;
    }();
    for (const char* key : kOwnFormats) {
        if (json[key] == kUsual[key]) {
            json.erase(key);
        }
    }
    return json;
}

Json toJson(const Scenario& scenario)
{
    return {{"model", toJson(scenario.model)}, {"workload", toJson(scenario.workload)}};
}

Result<Model> modelFromJson(const Json& json, const std::string& place, UnknownKeys* unknown)
{
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json, place));
    Model model;
    const Status steps[]{
        refuseOtherKeys(json,
                        place,
                        {"name",
                         "d_model",
                         "embedding",
                         "blocks",
                         "patterns",
                         "encoder_norm",
                         "final_norm",
                         "head"},
                        unknown),
        readNameAndWidth(model, json, place),
        readPart(model.embedding, json, "embedding", place, unknown),
        readBlocks(model, json, place, unknown),
        readNorm(model.encoderNorm, json, "encoder_norm", place, unknown),
        readNorm(model.finalNorm, json, "final_norm", place, unknown),
        readPart(model.head, json, "head", place, unknown),
    };
    for (const Status& step : steps) {
        if (!step) {
            return step.error();
        }
    }
    return model;
}

Result<Workload> workloadFromJson(const Json& json, const std::string& place, UnknownKeys* unknown)
{
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json, place));
    Workload workload;
    FLOPSMITH_RETURN_IF_ERROR(readFields(workload, Workload::fields(), json, place, {}, unknown));
    return workload;
}

Result<Scenario> scenarioFromJson(const Json& json, const std::string& place)
{
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json, place));
    if (!json.contains("model")) {
        return Error{place + ".model: missing"};
    }
    FLOPSMITH_TRY(const Model model, modelFromJson(json["model"], place + ".model"));
    Scenario scenario{model, {}};
    if (json.contains("workload")) {
        FLOPSMITH_TRY(const Workload workload,
                      workloadFromJson(json["workload"], place + ".workload"));
        scenario.workload = workload;
    }
    return scenario;
}

} // namespace flopsmith
