// SPDX-License-Identifier: MIT
#include "core/io/reading.h"

#include "core/base/file_suffix.h"
#include "core/base/text_file.h"
#include "core/io/other_input.h"
#include "core/json/json_text.h"
#include "core/json/nearest_names.h"
#include "core/json/spec_json.h"
#include "core/model/presets.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

Error unknownName(const std::string& name)
{
    constexpr std::size_t kLongestName = 200; // a longer name is no typing mistake
    const std::string shown =
        name.size() > kLongestName ? name.substr(0, kLongestName) + "\xE2\x80\xA6" : name;
    if (const auto other = otherName(shown)) {
        return {*other};
    }
    const std::filesystem::path path(shown);
    const bool isFile =
        path.extension() == ".json" || path.extension() == kProjectSuffix || path.has_parent_path();
    if (isFile) {
        return {shown + ": there is no such file"};
    }
    std::vector<std::string_view> ids;
    for (const Preset& preset : presets()) {
        ids.push_back(preset.id);
    }
    return {shown + ": neither a preset nor a file; the nearest presets are "
            + nearestNames(shown, std::move(ids)) + " (flopsmith presets lists all)"};
}

bool looksLikeConfig(const Json& json)
{
    const auto has = [&json](const char* key) { return json.contains(key); };
    return json.is_object() && (has("model_type") || has("architectures") || has("vocab_size"));
}

// A config.json of a model that has code of its own holds its design under the same key.
bool isProject(const Json& json)
{
    return json.is_object() && json.contains("flopsmith")
        && !(json.contains("model_type") && json["model_type"] == "flopsmith");
}

} // namespace

Result<Loaded> modelOfText(std::string_view text,
                           const std::string& source,
                           Illegal illegal,
                           DoubtfulSize doubtful)
{
    FLOPSMITH_TRY(const Json json, parsedJson(withFiniteLimits(text), source));
    if (isProject(json)) {
        Loaded loaded{.from = LoadedFrom::project};
        FLOPSMITH_TRY(const Project project, projectFromJson(json, source, illegal, &loaded.notes));
        loaded.project = project;
        return loaded;
    }
    if (const auto other = otherJson(json, source)) {
        return Error{*other};
    }
    if (!looksLikeConfig(json)) {
        return Error{source
                     + ": neither a Flopsmith file (it has the key \"flopsmith\") nor a Hugging "
                       "Face config.json (it has \"model_type\" or \"architectures\")"};
    }
    FLOPSMITH_TRY(const ImportedConfig imported, importedConfig(json, source, doubtful));
    Loaded loaded{.from = LoadedFrom::config, .notes = imported.notes};
    loaded.project.scenario.model = imported.model;
    loaded.project.scenario.workload.precision = imported.precision;
    return loaded;
}

namespace {

// The config in a model's folder, or in an adapter's folder the file that identifies it as one.
Result<Loaded> modelOfFolder(const std::string& folder, Illegal illegal, DoubtfulSize doubtful)
{
    for (const char* name : {"config.json", "design.flopsmith", "adapter_config.json"}) {
        const std::string file = (std::filesystem::path(folder) / name).string();
        std::error_code failed;
        if (std::filesystem::is_regular_file(file, failed)) {
            return loadModel(file, illegal, doubtful);
        }
    }
    return Error{otherFolder(folder)};
}

} // namespace

Result<Loaded> loadModel(const std::string& nameOrPath, Illegal illegal, DoubtfulSize doubtful)
{
    if (const Preset* preset = findPreset(nameOrPath)) {
        Loaded loaded;
        loaded.project.scenario = preset->scenario();
        return loaded;
    }
    std::error_code failed;
    if (!std::filesystem::exists(nameOrPath, failed)) {
        return unknownName(nameOrPath);
    }
    if (std::filesystem::is_directory(nameOrPath, failed)) {
        return modelOfFolder(nameOrPath, illegal, doubtful);
    }
    if (const auto other = otherFile(nameOrPath)) {
        return Error{*other};
    }
    const Result<std::string> text = textOfFile(nameOrPath);
    return text ? modelOfText(*text, nameOrPath, illegal, doubtful) : text.error();
}

} // namespace flopsmith
