// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/import.h"

#include "core/base/printable.h"
#include "core/io/hugging_face/common.h"
#include "core/io/hugging_face/config/precision_reader.h"
#include "core/io/hugging_face/family.h"
#include "core/io/hugging_face/values.h"
#include "core/io/project/project_file.h"
#include "core/json/json.h"
#include "core/json/nearest_names.h"
#include "core/mixer/attention.h"
#include "core/mixer/mixer.h"
#include "core/parameter/validation.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace flopsmith {
namespace {

constexpr const char* kAllFamilies = " (flopsmith families lists all)";

std::string nearestTypes(std::string_view name)
{
    constexpr std::size_t kLongestName = 100; // a longer name is no typing mistake
    std::vector<std::string_view> types;
    for (const Family* family : families()) {
        types.push_back(family->modelType);
    }
    return nearestNames(name.substr(0, kLongestName), std::move(types));
}

// The one class that `architectures` names; empty if it names none.
Result<std::string> namedArchitecture(const Json& json)
{
    if (!json.contains("architectures") || json["architectures"].is_null()
        || json["architectures"].empty()) {
        return std::string{};
    }
    const Json& names = json["architectures"];
    if (!names.is_array() || names.size() != 1 || !names[0].is_string()) {
        return Error{"architectures: expected a list with one name in quotes"};
    }
    return names[0].get<std::string>();
}

Result<const Family*> familyNamed(const Json& type)
{
    if (!type.is_string()) {
        return json::wrongType("model_type", type, "a name in quotes");
    }
    const auto name = type.get<std::string>();
    for (const Family* family : families()) {
        if (family->modelType == name) {
            return family;
        }
    }
    return Error{"model_type: " + json::shownValue(type)
                 + " is not supported; the nearest that are: " + nearestTypes(name) + kAllFamilies};
}

// An error for a model of several parts whose config holds each under its own key.
std::optional<Error> partInside(const Json& json)
{
    for (const char* part : {"text_config", "llm_config", "language_config", "vision_config"}) {
        if (!json["model_type"].is_string() || !json.contains(part) || !json[part].is_object()
            || !json[part].contains("model_type")) {
            continue;
        }
        const Result<const Family*> inside = familyNamed(json[part]["model_type"]);
        if (inside) {
            return Error{"model_type: \"" + excerpt(json["model_type"].text())
                         + "\" is a model of several parts, which are not counted together; its "
                         + part + " (" + std::string((*inside)->modelType)
                         + ") opens when it is saved as a config.json of its own"};
        }
    }
    return std::nullopt;
}

// The only family with this class.
Result<const Family*> familyWith(const std::string& architecture)
{
    const Family* found = nullptr;
    for (const Family* family : families()) {
        if (!family->architecture(architecture)) {
            continue;
        }
        if (found != nullptr) {
            return Error{"model_type: missing, and " + architecture + " can be "
                         + std::string(found->modelType) + " or " + std::string(family->modelType)};
        }
        found = family;
    }
    if (found == nullptr) {
        return Error{
            std::string("model_type: missing, and neither architectures nor the name of the "
                        "file tells the family")
            + kAllFamilies};
    }
    return found;
}

// The family whose name is part of the file's or its folder's name, as the library guesses it for
// very old files; the longest if there are several. Null if there is none.
const Family* familyInName(const std::string& source)
{
    const std::filesystem::path path(source);
    std::string name = (path.parent_path().filename() / path.filename()).string();
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    const Family* longest = nullptr;
    for (const Family* family : families()) {
        const bool longer =
            longest == nullptr || family->modelType.size() > longest->modelType.size();
        if (longer && name.find(family->modelType) != std::string::npos) {
            longest = family;
        }
    }
    return longest;
}

struct Chosen
{
    const Family* family = nullptr;
    bool guessed = false;
};

Result<Chosen> familyOf(const Json& json,
                        const std::string& architecture,
                        const std::string& source)
{
    const bool named = json.contains("model_type") && !json["model_type"].is_null();
    const Family* guess = named || !architecture.empty() ? nullptr : familyInName(source);
    if (guess != nullptr) {
        return Chosen{guess, true};
    }
    const Result<const Family*> found =
        named ? familyNamed(json["model_type"]) : familyWith(architecture);
    if (!found && named) {
        if (const auto inside = partInside(json)) {
            return *inside;
        }
    }
    return found ? Result<Chosen>(Chosen{*found}) : found.error();
}

Error unknownClass(const Family& family, std::string_view name)
{
    std::string known;
    for (const Architecture& each : family.architectures) {
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    return Error{"architectures: " + json::shownValue(Json(name)) + " is not supported for "
                 + std::string(family.modelType) + "; supported: " + known};
}

Result<Architecture> architectureOf(const Family& family,
                                    const std::string& name,
                                    ConfigReader& config)
{
    if (name.empty()) {
        const Architecture& usual = family.architectures.front();
        config.note("architectures is missing: " + std::string(usual.name) + " assumed");
        return usual;
    }
    const std::optional<Architecture> found = family.architecture(name);
    return found ? Result<Architecture>(*found) : unknownClass(family, name);
}

// The head of a class that sorts every token, where the family has made none of its own. The class of
// a sequence is computed so by decoders alone.
Status setTokenHead(ConfigReader& config,
                    const Family& family,
                    const Architecture& architecture,
                    Model& model)
{
    if (architecture.head != HeadKind::tokens || model.head.transform) {
        return Done{};
    }
    const bool isEncoder = std::ranges::any_of(
        model.runs, [](const BlockRun& run) { return seesLaterTokens(run.block.mixer); });
    const bool isOfSequence = architecture.name.ends_with(kSequenceClasses);
    if (model.embedding.readsPatches() || (isEncoder && isOfSequence)) {
        return unknownClass(family, architecture.name);
    }
    model.head = tokenHead(config, architecture);
    if (!isEncoder && architecture.name.ends_with(kAnswerClasses)) {
        model.head.classes = 2; // where the answer begins and ends, whatever labels the file has
    }
    return Done{};
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
    for (const char* key : {"quantization_config", "compression_config"}) {
        config.ignoreNoting({key}, "not imported; set weight_bits to what it stores");
    }
}

// The keys of the language model. If these have a section of their own, the keys around it belong
// to another part of the model; the file's tie_word_embeddings applies to the whole.
Result<Json> languageModel(const Json& json, const Family& family)
{
    if (family.section == nullptr || !json.contains(family.section)) {
        return json;
    }
    Json section = json[family.section];
    if (!section.is_object()) {
        return json::wrongType(family.section, section, "an object { … }");
    }
    if (json.contains("tie_word_embeddings")) {
        section["tie_word_embeddings"] = json["tie_word_embeddings"];
    }
    if (!section.contains("dtype") && !section.contains("torch_dtype")) {
        for (const char* key : {"dtype", "torch_dtype"}) {
            if (json.contains(key)) {
                section[key] = json[key];
            }
        }
    }
    return section;
}

// The image part exists even if the file does not mention it, with its class's sizes.
void readAround(const Json& json, const Family& family, std::vector<std::string>& notes)
{
    constexpr const char* kLanguageAlone =
        "not imported; what is counted is the language model alone";
    if (family.section == nullptr) {
        return;
    }
    if (!json.contains("vision_config") || json["vision_config"].is_null()) {
        notes.push_back(std::string("the image part: ") + kLanguageAlone);
    }
    if (!json.contains(family.section)) {
        return;
    }
    ConfigReader around(json);
    around.ignore({family.section, "tie_word_embeddings", "mm_tokens_per_image"});
    around.ignoreNoting({"vision_config", "audio_config"}, kLanguageAlone);
    noteQuantisation(around);
    around.ignoreInherited();
    for (const std::string& note : around.notes()) {
        notes.push_back(note);
    }
}

// The first illegal value; equal blocks would repeat it.
Status possible(const Model& model)
{
    for (const BlockRun& run : model.runs) {
        const auto* attention = get_if<Attention>(&run.block.mixer);
        if (attention != nullptr && attention->headDim == 0
            && model.dModel % attention->heads != 0) {
            return Error{"heads: " + std::to_string(attention->heads) + " do not divide the width "
                         + std::to_string(model.dModel)};
        }
    }
    for (const Problem& problem : problems({model, {}})) {
        if (problem.severity == Problem::Severity::error) {
            return Error{problem.key + ": " + problem.message};
        }
    }
    return Done{};
}

// The model of a family from the keys of its language model.
Result<ImportedConfig> read(const Json& language,
                            const Chosen& chosen,
                            const std::string& architectureName,
                            DoubtfulSize doubtful)
{
    const Family& family = *chosen.family;
    ConfigReader config(language);
    if (chosen.guessed) {
        config.note("model_type is missing: " + std::string(family.modelType)
                    + " assumed, because the file is called so");
    }
    FLOPSMITH_TRY(const Architecture architecture,
                  architectureOf(family, architectureName, config));
    ImportedConfig imported{.model = family.import(config, architecture),
                            .modelType = std::string(family.modelType)};
    FLOPSMITH_RETURN_IF_ERROR(setTokenHead(config, family, architecture, imported.model));
    readValues(config, family, imported.model);
    imported.precision = readPrecision(config);
    if (!family.twoStacks) {
        config.requireFlag("is_encoder_decoder", false, "this family has one stack");
    }
    config.ignoreInherited();
    if (const Status sure = config.undoubted(); !sure && doubtful == DoubtfulSize::refuse) {
        return sure.error();
    }
    FLOPSMITH_RETURN_IF_ERROR(config.status());
    imported.notes = config.notes();
    imported.leftOut = config.leftOut();
    return imported;
}

Result<ImportedConfig> import(const Json& json, const std::string& source, DoubtfulSize doubtful)
{
    FLOPSMITH_TRY(const std::string name, namedArchitecture(json));
    FLOPSMITH_TRY(const Chosen chosen, familyOf(json, name, source));
    FLOPSMITH_TRY(const Json language, languageModel(json, *chosen.family));
    Result<ImportedConfig> imported = read(language, chosen, name, doubtful);
    if (!imported) {
        return imported;
    }
    Model& model = imported.value().model;
    model.name = modelName(*chosen.family, source);
    model.patterns = foundPatterns(model.runs);
    readAround(json, *chosen.family, imported.value().notes);
    const Status legal = possible(model);
    return legal ? imported : legal.error();
}

// A folder that this program wrote for a model outside of all families.
Result<ImportedConfig> ownDesign(const Json& json, const std::string& source)
{
    if (!json.contains("flopsmith")) {
        return Error{source + ": flopsmith is missing; it holds the design of this model_type"};
    }
    FLOPSMITH_TRY(const Project project,
                  projectFromJson(json["flopsmith"], source + ": flopsmith"));
    return ImportedConfig{.model = project.scenario.model,
                          .precision = project.scenario.workload.precision,
                          .modelType = "flopsmith"};
}

} // namespace

Result<ImportedConfig> importedConfig(const Json& json,
                                      const std::string& source,
                                      DoubtfulSize doubtful)
{
    if (!json.is_object()) {
        return Error{source + ": expected an object { \xE2\x80\xA6 }"};
    }
    if (json.contains("model_type") && json["model_type"] == "flopsmith") {
        return ownDesign(json, source);
    }
    const Result<ImportedConfig> imported = import(json, source, doubtful);
    return imported ? imported : Error{source + ": " + imported.error().message};
}

} // namespace flopsmith
