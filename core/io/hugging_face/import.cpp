// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/import.h"

#include "core/io/hugging_face/family.h"
#include "core/model/validation.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace flopsmith {
namespace {

using Json = nlohmann::ordered_json;

std::string supportedTypes()
{
    std::string list;
    for (const Family* family : families()) {
        list += (list.empty() ? "" : ", ") + std::string(family->modelType);
    }
    return list;
}

// The one class that `architectures` names; empty if it names none.
Result<std::string> namedArchitecture(const Json& json)
{
    if (!json.contains("architectures") || json["architectures"].is_null()) {
        return std::string{};
    }
    const Json& names = json["architectures"];
    if (!names.is_array() || names.size() != 1 || !names[0].is_string()) {
        return Error{"architectures: expected a list with one name in quotes"};
    }
    return names[0].get<std::string>();
}

const Architecture* architectureIn(const Family& family, const std::string& name)
{
    const auto found = std::find_if(family.architectures.begin(),
                                    family.architectures.end(),
                                    [&name](const Architecture& a) { return a.name == name; });
    return found == family.architectures.end() ? nullptr : &*found;
}

Result<const Family*> familyOf(const Json& json, const std::string& architecture)
{
    if (json.contains("model_type") && !json["model_type"].is_null()) {
        if (!json["model_type"].is_string()) {
            return Error{"model_type: expected a name in quotes"};
        }
        const auto type = json["model_type"].get<std::string>();
        for (const Family* family : families()) {
            if (family->modelType == type) {
                return family;
            }
        }
        return Error{"model_type: \"" + type + "\" is not supported; supported are "
                     + supportedTypes()};
    }
    for (const Family* family : families()) {
        if (architectureIn(*family, architecture) != nullptr) {
            return family;
        }
    }
    return Error{"model_type: missing, and architectures does not tell the family; supported are "
                 + supportedTypes()};
}

Result<HeadKind> headOf(const Family& family, const std::string& architecture, ConfigReader& config)
{
    if (architecture.empty()) {
        const Architecture& usual = family.architectures.front();
        config.note("architectures is missing: " + std::string(usual.name) + " assumed");
        return usual.head;
    }
    if (const Architecture* found = architectureIn(family, architecture)) {
        return found->head;
    }
    std::string known;
    for (const Architecture& each : family.architectures) {
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    return Error{"architectures: \"" + architecture + "\" is not supported for "
                 + std::string(family.modelType) + "; supported: " + known};
}

// The folder of a config.json is usually called like the model.
std::string modelName(const Family& family, const std::string& source)
{
    const std::filesystem::path path(source);
    const std::string stem = path.stem().string();
    const std::string folder = path.parent_path().filename().string();
    if (stem != "config" && !stem.empty()) {
        return stem;
    }
    return folder.empty() || folder == "." || folder == ".." ? std::string(family.title) : folder;
}

void noteQuantisation(ConfigReader& config)
{
    if (config.has("quantization_config")) {
        config.ignore({"quantization_config"});
        config.note("quantization_config is not imported: set weight_bits to what it stores");
    }
}

Result<ImportedConfig> import(const Json& json, const std::string& source)
{
    const Result<std::string> architecture = namedArchitecture(json);
    if (!architecture) {
        return architecture.error();
    }
    const Result<const Family*> family = familyOf(json, *architecture);
    if (!family) {
        return family.error();
    }
    ConfigReader config(json);
    const Result<HeadKind> head = headOf(**family, *architecture, config);
    if (!head) {
        return head.error();
    }
    config.refuseFlag("is_encoder_decoder", "models with two stacks are not imported");
    ImportedConfig imported{(*family)->import(config, *head)};
    noteQuantisation(config);
    if (const Status read = config.status(); !read) {
        return read.error();
    }
    imported.model.name = modelName(**family, source);
    imported.notes = config.notes();
    if (const Status legal = validated({imported.model, {}}); !legal) {
        return legal.error();
    }
    return imported;
}

} // namespace

Result<ImportedConfig> importedConfig(const Json& json, const std::string& source)
{
    if (!json.is_object()) {
        return Error{source + ": expected an object { \xE2\x80\xA6 }"};
    }
    const Result<ImportedConfig> imported = import(json, source);
    return imported ? imported : Error{source + ": " + imported.error().message};
}

} // namespace flopsmith
