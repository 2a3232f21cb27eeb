// SPDX-License-Identifier: MIT
#include "core/export/torch/design_folder.h"

#include "core/base/text_file.h"
#include "core/export/alphabet_file.h"
#include "core/export/new_folder.h"
#include "core/export/torch/class_list.h"
#include "core/export/torch/expected_outputs.h"
#include "core/export/torch/model_source.h"
#include "core/export/torch/stored_tensors.h"
#include "core/export/torch/weight_source.h"
#include "core/io/safetensors/safetensors_writer.h"

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

Status writeWeights(const std::string& folder,
                    const Model& model,
                    const ModelPlan& plan,
                    const std::vector<StoredTensor>& stored,
                    const WeightSource& source)
{
    std::vector<TensorToWrite> tensors = tensorsToWrite(plan, stored, source);
    const std::vector<TorchBuffer> buffers = storedBuffers(model);
    for (const TorchBuffer& buffer : buffers) {
        tensors.push_back({buffer.name,
                           TensorType::i64,
                           buffer.shape,
                           std::span<const std::int64_t>(buffer.values)});
    }
    const auto written = writeSafetensorsFolder(
        folder, tensors, {{"format", "pt"}, {"flopsmith", "1"}, {"tied", tiedText(model)}});
    return written ? Status(Done{}) : Status(written.error());
}

std::string readmeText(const Model& model,
                       const DesignFolder& made,
                       const DesignFolderOptions& options)
{
    std::string text = "# " + model.name
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
    if (made.expected) {
        text += std::string("* `expected.safetensors`: inputs, and the outputs")
            + (made.gradients ? " and gradients" : "")
            + " that Flopsmith's reference computed from them in double precision.\n"
              "* `check.py`: runs the model and compares. It was not run here.\n\n"
              "    python check.py\n";
    } else {
        text += "\nNo outputs were computed to compare with.\n";
    }
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
        {"README.md", readmeText(project.scenario.model, made, options)}};
    if (!options.symbols.empty()) {
        texts.emplace_back(std::string(kAlphabetFile), alphabetText(options.symbols));
    }
    if (made.expected) {
        texts.emplace_back("check.py", std::string(templateAt("export/check.py").value_or("")));
    }
    for (const auto& [name, text] : texts) {
        if (Status status = writeFile(folder + "/" + name, text); !status) {
            return status;
        }
    }
    return Done{};
}

// Writes all files into a folder that is there.
Result<DesignFolder> writeFiles(const std::string& folder,
                                const Project& project,
                                const DesignFolderOptions& options)
{
    const Scenario scenario = checkedScenario(project.scenario);
    const Result<std::string> source = modelSource(scenario);
    if (!source) {
        return source.error();
    }
    const Result<ModelPlan> plan = planOf(scenario);
    if (!plan) {
        return plan.error();
    }
    const auto stored = storedTensors(scenario.model, *plan);
    if (!stored) {
        return stored.error();
    }
    DesignFolder made;
    for (const StoredTensor& tensor : *stored) {
        made.parameters += plan->tensors[tensor.tensor].shape.size();
    }
    made.expected =
        options.weights && (options.gradients || made.parameters <= kMostCheckedParameters);
    made.gradients = made.expected && (options.gradients || made.parameters <= kMostGradients);
    if (options.weights) {
        if (Status status = writeWeights(folder, scenario.model, *plan, *stored, options.source);
            !status) {
            return status.error();
        }
    }
    if (made.expected) {
        if (Status status = writeExpected(
                folder + "/expected.safetensors", *plan, *stored, options.source, made.gradients);
            !status) {
            return status.error();
        }
    }
    if (Status status = writeTexts(folder, project, *source, made, options); !status) {
        return status.error();
    }
    return made;
}

} // namespace

Result<DesignFolder> writeDesignFolder(const std::string& folder,
                                       const Project& project,
                                       const DesignFolderOptions& options)
{
    DesignFolder made;
    const Status written =
        writeNewFolder(folder,
                       options.overwrite ? ExistingFolder::writeInto : ExistingFolder::refuse,
                       [&](const std::string& place) -> Status {
                           const Result<DesignFolder> files = writeFiles(place, project, options);
                           if (!files) {
                               return files.error();
                           }
                           made = *files;
                           return Done{};
                       });
    if (!written) {
        return written.error();
    }
    return made;
}

} // namespace flopsmith::torch
