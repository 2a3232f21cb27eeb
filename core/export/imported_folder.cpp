// SPDX-License-Identifier: MIT
#include "core/export/imported_folder.h"

#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/export/files/new_folder.h"
#include "core/export/native_weights.h"
#include "core/export/torch/tensors/expected_outputs.h"
#include "core/io/project/project_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

// The folder and its config; the user may have named either.
struct NativeFolder
{
    std::string folder;
    std::string config;
};

NativeFolder nativeFolder(const std::string& from)
{
    std::error_code ignored;
    if (fs::is_directory(from, ignored)) {
        return {from, (fs::path(from) / "config.json").string()};
    }
    const std::string parent = fs::path(from).parent_path().string();
    return {parent.empty() ? "." : parent, from};
}

Result<ImportedConfig> configOf(const NativeFolder& native, DoubtfulSize doubtful)
{
    FLOPSMITH_TRY(const std::string text, textOfFile(native.config));
    const Result<Json> json = parsedJson(text, native.config);
    return json ? importedConfig(*json, native.config, doubtful) : json.error();
}

// Sequences no longer than the table of positions.
Scenario scenarioOf(const ImportedConfig& config)
{
    Scenario scenario{config.model, {.precision = config.precision}};
    const Embedding& embedding = config.model.embedding;
    if (!embedding.readsPatches() && embedding.positions == Positions::learned) {
        scenario.workload.sequence =
            std::min(scenario.workload.sequence, embedding.positionTableRows());
    }
    return scenario;
}

std::string knownFamilies()
{
    std::string list;
    for (const NativeFamily& family : nativeFamilies()) {
        list += (list.empty() ? "" : ", ") + std::string(family.modelType);
    }
    return list;
}

Result<SafetensorsFolder> checkpointIn(const std::string& folder)
{
    std::error_code ignored;
    Result<SafetensorsFolder> checkpoint = SafetensorsFolder::open(folder);
    if (!checkpoint && fs::exists(fs::path(folder) / "pytorch_model.bin", ignored)) {
        return Error{folder
                     + ": its weights are a pickle (pytorch_model.bin), which is not read; save "
                       "them as safetensors"};
    }
    return checkpoint;
}

Result<const NativeFamily*> familyOf(const ImportedConfig& config, const NativeFolder& native)
{
    const NativeFamily* family = nativeFamily(config.modelType);
    if (family == nullptr) {
        return Error{native.config + ": weights of " + config.modelType
                     + " are not imported; those of these families are: " + knownFamilies()};
    }
    if (!config.leftOut.empty()) {
        return Error{native.config
                     + ": the weights would give other outputs here: " + config.leftOut.front()};
    }
    return family;
}

// Reads the tensor when its first chunk is requested and drops it after the last.
template <class T>
TensorChunks<T> convertedChunks(const ConvertedTensor& tensor, std::vector<std::string>& notes)
{
    auto values = std::make_shared<std::vector<T>>();
    return [&tensor, &notes, values](std::uint64_t first, std::span<T> chunk) -> Status {
        if (first == 0) {
            FLOPSMITH_TRY(std::vector<T> read, valuesOf<T>(tensor, &notes));
            *values = std::move(read);
        }
        std::copy_n(
            values->begin() + static_cast<std::ptrdiff_t>(first), chunk.size(), chunk.begin());
        if (first + chunk.size() == values->size()) {
            *values = {};
        }
        return Done{};
    };
}

Status writeTensors(const std::string& folder,
                    const ConvertedWeights& weights,
                    std::vector<std::string>& notes)
{
    std::vector<TensorToWrite> tensors;
    for (const ConvertedTensor& tensor : weights.tensors) {
        const bool isDouble = tensor.type == TensorType::f64;
        tensors.push_back({tensor.stored.name,
                           tensor.type,
                           tensor.stored.shape,
                           isDouble ? TensorSource(convertedChunks<double>(tensor, notes))
                                    : TensorSource(convertedChunks<float>(tensor, notes))});
    }
    const auto written =
        writeSafetensorsFolder(folder, tensors, {{"format", "pt"}, {"flopsmith", "1"}});
    return written ? Status(Done{}) : Status(written.error());
}

Status writeDesign(const std::string& folder, const Scenario& scenario)
{
    Project project;
    project.scenario = scenario;
    return writeFile(folder + "/design.flopsmith", projectText(project));
}

// A checkpoint of another task may have thousands of unexpected tensors.
void addUnexpected(const std::vector<std::string>& unexpected, std::vector<std::string>& notes)
{
    constexpr std::size_t kShown = 20;
    const std::size_t shown = std::min(unexpected.size(), kShown);
    notes.insert(
        notes.end(), unexpected.begin(), unexpected.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < unexpected.size()) {
        notes.push_back("and " + std::to_string(unexpected.size() - shown)
                        + " more tensors that the model does not have");
    }
}

// Weight files that were not read, such as a second one that no index names.
void addUnreadFiles(const std::string& folder,
                    const SafetensorsFolder& checkpoint,
                    std::vector<std::string>& notes)
{
    std::vector<std::string> unread;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
        const auto isIt = [&](const SafetensorsFile& file) {
            std::error_code different;
            return fs::equivalent(file.path(), entry.path(), different);
        };
        if (entry.path().extension() == ".safetensors"
            && std::ranges::none_of(checkpoint.files(), isIt)) {
            unread.push_back(excerpt(entry.path().filename().string()));
        }
    }
    std::ranges::sort(unread);
    const std::string read = fs::path(checkpoint.files().front().path()).filename().string();
    for (const std::string& name : unread) {
        notes.push_back(name + " is not read: the weights are those of " + read
                        + (checkpoint.files().size() > 1 ? " and the other files of its index"
                                                         : ", and no index names another file"));
    }
}

// If a config ties a head for which the checkpoint has another matrix, that matrix is used, as in
// the library.
Status untieOtherHead(const NativeFamily& family,
                      const SafetensorsFolder& checkpoint,
                      Model& model,
                      std::vector<std::string>& notes)
{
    FLOPSMITH_TRY(const std::optional<std::string> other, otherHead(family, model, checkpoint));
    if (other) {
        model.head.tied = false;
        notes.push_back(*other
                        + " is not the table of tokens, to which the config ties the head: it is "
                          "used, and the head is untied");
    }
    return Done{};
}

// Design and weights; no weights if some do not fit, which `imported` then reports.
Status writeWeights(const NativeFolder& native,
                    const ImportedConfig& config,
                    Scenario scenario,
                    const std::string& to,
                    ExistingFolder existing,
                    ImportedFolder& imported)
{
    FLOPSMITH_TRY(const NativeFamily* family, familyOf(config, native));
    FLOPSMITH_TRY(const SafetensorsFolder checkpoint, checkpointIn(native.folder));
    addUnreadFiles(native.folder, checkpoint, imported.notes);
    FLOPSMITH_RETURN_IF_ERROR(untieOtherHead(*family, checkpoint, scenario.model, imported.notes));
    FLOPSMITH_TRY(const ModelPlan plan, planOf(torch::checkedScenario(scenario)));
    FLOPSMITH_TRY(const ConvertedWeights weights,
                  convertedWeights(*family, scenario.model, plan, checkpoint));
    addUnexpected(weights.unexpected, imported.notes);
    imported.problems = weights.problems;
    if (!imported.problems.empty()) {
        return Done{};
    }
    for (const ConvertedTensor& tensor : weights.tensors) {
        imported.parameters += plan.tensors[tensor.stored.tensor].shape.size();
    }
    return writeNewFolder(to, existing, [&](const std::string& folder) {
        const Status tensors = writeTensors(folder, weights, imported.notes);
        return tensors ? writeDesign(folder, scenario) : tensors;
    });
}

} // namespace

Result<ImportedFolder> importFolder(const std::string& from,
                                    const std::string& to,
                                    const FolderImportOptions& options)
{
    const NativeFolder native = nativeFolder(from);
    FLOPSMITH_TRY(const ImportedConfig config, configOf(native, options.doubtful));
    const Scenario scenario = scenarioOf(config);
    const ExistingFolder existing =
        options.overwrite ? ExistingFolder::writeInto : ExistingFolder::refuse;
    ImportedFolder imported{.name = config.model.name, .notes = config.notes};
    const Status written = options.weights
        ? writeWeights(native, config, scenario, to, existing, imported)
        : writeNewFolder(
            to, existing, [&](const std::string& folder) { return writeDesign(folder, scenario); });
    if (!written) {
        return written.error();
    }
    return imported;
}

} // namespace flopsmith
