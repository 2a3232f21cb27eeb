// SPDX-License-Identifier: MIT
#include "core/io/project/block_clip.h"

#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/parameter/legal_structure.h"

namespace flopsmith {
namespace {

constexpr const char* kClipKey = "flopsmith_blocks";
constexpr const char* kClipPlace = "clipboard";

Error noBlocks()
{
    return {"The clipboard holds no blocks of a model and no design: copy blocks in a stack, the "
            "text of a config.json, or a share code"};
}

Status checkClipFormat(const Json& format)
{
    if (!format.is_number_integer() || format.get<std::int64_t>() < 1) {
        return Error{"clipboard.flopsmith_blocks: expected the version of the format, 1"};
    }
    if (format.get<std::int64_t>() > kClipFormat) {
        return Error{"The blocks on the clipboard have format " + jsonText(format)
                     + ", this program reads up to " + std::to_string(kClipFormat)
                     + "; paste them into a newer Flopsmith"};
    }
    return Done{};
}

// The rest is read as a part of a model; other keys of a model are unknown here.
Status checkClipKeys(const Json& json)
{
    for (const auto& item : json.items()) {
        if (item.key() != "d_model" && item.key() != "blocks") {
            return Error{std::string(kClipPlace) + "." + item.key()
                         + ": no such key here; known are flopsmith_blocks, d_model, blocks"};
        }
    }
    return Done{};
}

Status checkClipSizes(const Model& model)
{
    if (model.dModel < 1 || model.dModel > kWidestModel) {
        return Error{"clipboard.d_model: " + std::to_string(model.dModel)
                     + " is not legal; legal is 1 \xE2\x80\xA6 " + std::to_string(kWidestModel)};
    }
    std::int64_t blocks = 0;
    for (const BlockRun& run : model.runs) {
        if (run.repeat < 1) {
            return Error{"clipboard.blocks: a run of " + std::to_string(run.repeat)
                         + " blocks; it needs at least one"};
        }
        blocks += run.repeat;
    }
    if (blocks == 0) {
        return Error{"clipboard.blocks: the list is empty"};
    }
    if (blocks > kMaxLayers) {
        return Error{"clipboard.blocks: " + std::to_string(blocks)
                     + " blocks are too many; a model has at most " + std::to_string(kMaxLayers)};
    }
    return Done{};
}

Result<BlockClip> clipFromJson(Json json)
{
    if (!json.is_object() || !json.contains(kClipKey)) {
        return noBlocks();
    }
    FLOPSMITH_RETURN_IF_ERROR(checkClipFormat(json[kClipKey]));
    json.erase(kClipKey);
    FLOPSMITH_RETURN_IF_ERROR(checkClipKeys(json));
    FLOPSMITH_TRY(const Model model, modelFromJson(json, kClipPlace));
    FLOPSMITH_RETURN_IF_ERROR(checkClipSizes(model));
    return BlockClip{model.dModel, model.runs};
}

} // namespace

std::string clipText(const BlockClip& clip)
{
    Model model;
    model.runs = clip.runs;
    Json json;
    json[kClipKey] = kClipFormat;
    json["d_model"] = clip.dModel;
    json["blocks"] = toJson(model)["blocks"];
    return jsonText(json, 2) + "\n";
}

Result<BlockClip> parsedClip(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '{') {
        return noBlocks();
    }
    const Result<Json> json = parsedJson(text, kClipPlace);
    return json ? clipFromJson(*json) : json.error();
}

} // namespace flopsmith
