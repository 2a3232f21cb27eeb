// SPDX-License-Identifier: MIT
#include "core/export/torch/design_folder.h"

#include "core/base/markdown.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/export/files/alphabet_file.h"
#include "core/export/files/folder_verdict.h"
#include "core/export/files/new_folder.h"
#include "core/export/torch/class_list.h"
#include "core/export/torch/executed_products.h"
#include "core/export/torch/model_source.h"
#include "core/export/torch/tensors/expected_outputs.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/export/torch/tensors/weight_source.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/measure/memory.h"

#include <new>

namespace flopsmith::torch {
namespace {

std::string tiedText(const Model& model)
{
    std::string text;
    for (const auto& [name, stored] : tiedTensors(model)) {
        text += (text.empty() ? "" : ",") + name + "=" + stored;
    }
    return text;
}

std::string readmeText(const Scenario& scenario,
                       const DesignFolder& made,
                       const DesignFolderOptions& options)
{
    std::string text = "# " + markdownWords(scenario.model.name)
        + "\n\nA design of Flopsmith as a program for PyTorch 1.13 "
          "or later. It has "
        + std::to_string(made.parameters) + " parameters.\n\n"
        + "* `model.py`: the model as one class, `Model`, with a class for each kind of part.\n"
        + "* `design.flopsmith`: the same design, to be opened by Flopsmith.\n";
    if (options.weights) {
        const bool isTrained = options.source.trained != nullptr;
        text += std::string("* `model.safetensors`: its parameters, ")
            + (isTrained ? "as a lab trained them" : "drawn at random")
            + ", and the lists that Flopsmith drew from seeds. Matrices that two parts use are "
              "stored once.\n";
    }
    if (!options.symbols.empty()) {
        text += "* `alphabet.json`: the character of each token.\n";
    }
    text += options.moreText;
    if (made.expected) {
        text += std::string("* `expected.safetensors`: inputs, and the outputs")
            + (made.gradients ? " and gradients" : "")
            + " that Flopsmith's reference computed from them in double precision.\n"
              "* `check.py`: runs the model and compares.\n\n"
              "    python check.py\n\n"
            + std::string(kNotCheckedYet) + "\n";
    } else {
        text += "\nNo outputs were computed to compare with.\n";
    }
    text += productsText(scenario);
    return text + "\nThe generated text belongs to you; its classes are under the MIT licence.\n";
}

Status writeTexts(const std::string& folder,
                  const Project& project,
                  const std::string& source,
                  const DesignFolder& made,
                  const DesignFolderOptions& options)
{
    std::vector<std::pair<std::string, std::string>> texts = {
        {"model.py", source},
        {"design.flopsmith", projectText(project)},
        {"README.md", readmeText(project.scenario, made, options)}};
    if (!options.symbols.empty()) {
        texts.emplace_back(std::string(kAlphabetFile), alphabetText(options.symbols));
    }
    if (made.expected) {
        texts.emplace_back("check.py", std::string(templateAt("export/check.py").value_or("")));
    }
    for (const auto& [name, text] : texts) {
        FLOPSMITH_RETURN_IF_ERROR(writeFile(folder + "/" + name, text));
    }
    return Done{};
}

// A model as its files have it.
struct StoredModel
{
    Scenario scenario;
    ModelPlan plan;
    std::vector<StoredTensor> stored;
    DesignFolder made;
};

std::int64_t bytesOf(std::int64_t elements, TensorType type)
{
    return elements * static_cast<std::int64_t>(bytesPerElement(type));
}

std::int64_t modelBytes(const StoredModel& model)
{
    std::int64_t bytes = bytesOf(storedNumbers(model.stored, model.plan), TensorType::f32);
    for (const TorchBuffer& buffer : storedBuffers(model.scenario.model)) {
        bytes += bytesOf(std::ssize(buffer.values), TensorType::i64);
    }
    return bytes;
}

Result<StoredModel> storedModel(const Scenario& scenario, const DesignFolderOptions& options)
{
    StoredModel model{.scenario = checkedScenario(scenario), .plan = {}, .stored = {}, .made = {}};
    FLOPSMITH_TRY(ModelPlan plan, planOf(model.scenario));
    model.plan = std::move(plan);
    FLOPSMITH_TRY(auto stored, storedTensors(model.scenario.model, model.plan));
    model.stored = std::move(stored);
    DesignFolder& made = model.made;
    made.parameters = storedParameters(model.stored, model.plan);
    made.expected =
        options.weights && (options.gradients || made.parameters <= kMaxCheckedParameters);
    made.gradients = made.expected && (options.gradients || made.parameters <= kMaxGradients);
    if (options.weights) {
        made.bytes = modelBytes(model);
    }
    if (made.expected) {
        const std::int64_t weights =
            bytesOf(storedNumbers(model.stored, model.plan), TensorType::f64);
        made.bytes += expectedBytes(model.plan, model.stored, made.gradients);
        made.memory = made.gradients ? 2 * weights : weights;
    }
    return model;
}

Status fitsInFreeMemory(const DesignFolder& folder)
{
    if (fitsInMemory("", folder.memory, availableMemoryBytes())) {
        return Done{};
    }
    const bool asked = folder.parameters > kMaxGradients && folder.gradients;
    return Error{
        "computing outputs to compare with needs " + bytesText(static_cast<double>(folder.memory))
        + " of memory, which are not free; export without " + (asked ? "gradients" : "weights")};
}

Status writeWeights(const std::string& folder,
                    const StoredModel& model,
                    const DesignFolderOptions& options)
{
    std::vector<TensorToWrite> tensors =
        tensorsToWrite(model.plan, model.stored, options.source, options.stop);
    const std::vector<TorchBuffer> buffers = storedBuffers(model.scenario.model);
    for (const TorchBuffer& buffer : buffers) {
        tensors.push_back({buffer.name,
                           TensorType::i64,
                           buffer.shape,
                           std::span<const std::int64_t>(buffer.values)});
    }
    const auto written = writeSafetensorsFolder(
        folder,
        tensors,
        {{"format", "pt"}, {"flopsmith", "1"}, {"tied", tiedText(model.scenario.model)}});
    return written ? Status(Done{}) : Status(written.error());
}

// Writes all files into a folder that is there.
Result<DesignFolder> writeAllFiles(const std::string& folder,
                                   const Project& project,
                                   const DesignFolderOptions& options)
{
    FLOPSMITH_TRY(const std::string source, modelSource(checkedScenario(project.scenario)));
    FLOPSMITH_TRY(const StoredModel model, storedModel(project.scenario, options));
    const DesignFolder& made = model.made;
    FLOPSMITH_RETURN_IF_ERROR(fitsInFreeMemory(made));
    if (options.weights) {
        FLOPSMITH_RETURN_IF_ERROR(writeWeights(folder, model, options));
    }
    if (made.expected) {
        FLOPSMITH_RETURN_IF_ERROR(writeExpected(folder + "/expected.safetensors",
                                                model.plan,
                                                model.stored,
                                                options.source,
                                                made.gradients,
                                                options.stop));
    }
    Status status = writeTexts(folder, project, source, made, options);
    if (status && options.more) {
        status = options.more(folder);
    }
    return status ? Result<DesignFolder>(made) : status.error();
}

Result<DesignFolder> writeFiles(const std::string& folder,
                                const Project& project,
                                const DesignFolderOptions& options)
{
    try {
        return writeAllFiles(folder, project, options);
    } catch (const std::bad_alloc&) {
        return Error{"there is not enough memory to run the model; export without weights"};
    }
}

} // namespace

Result<DesignFolder> plannedDesignFolder(const Scenario& scenario,
                                         const DesignFolderOptions& options)
{
    const Result<StoredModel> model = storedModel(scenario, options);
    return model ? Result<DesignFolder>(model->made) : model.error();
}

Result<DesignFolder> writeDesignFolder(const std::string& folder,
                                       const Project& project,
                                       const DesignFolderOptions& options)
{
    DesignFolder made;
    const Status written = writeNewFolder(
        folder,
        options.overwrite ? ExistingFolder::writeInto : ExistingFolder::refuse,
        [&](const std::string& place) -> Status {
            FLOPSMITH_TRY(const DesignFolder files, writeFiles(place, project, options));
            made = files;
            return Done{};
        });
    if (!written) {
        return written.error();
    }
    return made;
}

} // namespace flopsmith::torch
