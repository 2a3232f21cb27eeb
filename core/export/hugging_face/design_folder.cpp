// SPDX-License-Identifier: MIT
#include "core/export/hugging_face/design_folder.h"

#include "core/base/markdown.h"
#include "core/base/text_file.h"
#include "core/export/files/lazy_chunks.h"
#include "core/export/files/new_folder.h"
#include "core/export/hugging_face/custom_code.h"
#include "core/export/torch/executed_products.h"
#include "core/export/torch/tensors/expected_outputs.h"
#include "core/export/torch/tensors/weight_source.h"
#include "core/io/hugging_face/weights/native_tensors.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace flopsmith {
namespace {

using torch::StoredTensor;

// Rows of one of our tensors as the library stores them.
std::vector<float> nativeValues(const std::vector<float>& ours,
                                const TensorShape& shape,
                                const NativeTensor& native)
{
    const auto rows = static_cast<std::size_t>(native.rows);
    const std::size_t inner = ours.size() / static_cast<std::size_t>(shape.front());
    const auto first = ours.begin() + static_cast<std::ptrdiff_t>(native.firstRow * inner);
    std::vector<float> values(first, first + static_cast<std::ptrdiff_t>(rows * inner));
    if (native.form == NativeForm::lessOne) {
        for (float& value : values) {
            value -= 1.0F;
        }
    } else if (native.form == NativeForm::transposed) {
        std::vector<float> transposed(values.size());
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < inner; ++column) {
                transposed[column * rows + row] = values[row * inner + column];
            }
        }
        return transposed;
    }
    return values;
}

// All tensors under the names of the family. Errors: one that the family does not have.
Result<std::vector<TensorToWrite>> nativeTensorsToWrite(const NativeFamily& family,
                                                        const Model& model,
                                                        const ModelPlan& plan,
                                                        const std::vector<StoredTensor>& stored,
                                                        const HuggingFaceOptions& options)
{
    const torch::WeightSource weights{.seed = options.seed};
    const auto shared = std::make_shared<const ModelPlan>(plan);
    std::vector<TensorToWrite> tensors;
    for (const StoredTensor& ours : stored) {
        FLOPSMITH_TRY(const auto natives, nativeTensors(family, model, ours.name, ours.shape));
        for (const NativeTensor& native : natives) {
            const auto make = [=] {
                return nativeValues(
                    torch::storedValues(*shared, ours, weights), ours.shape, native);
            };
            for (const std::string& name : native.written) {
                tensors.push_back(
                    {name, TensorType::f32, native.shape, lazyChunks(make, options.stop)});
            }
        }
    }
    return tensors;
}

Status writeTensors(const std::string& folder, const std::vector<TensorToWrite>& tensors)
{
    const auto written = writeSafetensorsFolder(folder, tensors, {{"format", "pt"}});
    return written ? Status(Done{}) : Status(written.error());
}

std::int64_t tensorBytes(std::int64_t elements, TensorType type)
{
    return elements * static_cast<std::int64_t>(bytesPerElement(type));
}

// Numbers that the library's classes of a family have twice.
std::int64_t copiedElements(const NativeFit& fit,
                            const Model& model,
                            const std::vector<StoredTensor>& stored)
{
    std::int64_t elements = 0;
    const NativeFamily* family = fit.fits() ? nativeFamily(fit.modelType) : nullptr;
    for (std::size_t i = 0; family != nullptr && i < stored.size(); ++i) {
        const auto natives = nativeTensors(*family, model, stored[i].name, stored[i].shape);
        for (const NativeTensor& native : natives ? *natives : std::vector<NativeTensor>{}) {
            const auto each = static_cast<std::int64_t>(elementsOf(native.shape, 1).value_or(0));
            elements += (std::ssize(native.written) - 1) * each;
        }
    }
    return elements;
}

HuggingFaceFolder folderOf(const Model& model,
                           const ModelPlan& plan,
                           const std::vector<StoredTensor>& stored,
                           const HuggingFaceOptions& options)
{
    HuggingFaceFolder folder{.fit = nativeFit(model)};
    folder.parameters = torch::storedParameters(stored, plan);
    if (!options.weights) {
        return folder;
    }
    folder.bytes =
        tensorBytes(torch::storedNumbers(stored, plan) + copiedElements(folder.fit, model, stored),
                    TensorType::f32);
    for (const torch::TorchBuffer& buffer : torch::storedBuffers(model)) {
        folder.bytes += tensorBytes(std::ssize(buffer.values), TensorType::i64);
    }
    return folder;
}

std::string configText(const Json& config)
{
    return jsonText(config, 2) + "\n";
}

struct TextFile
{
    std::string name;
    std::string text;
};

std::string introduction(const Model& model, const HuggingFaceFolder& made, bool weights)
{
    return "# " + markdownWords(model.name)
        + "\n\nA design of Flopsmith as a folder of the Hugging Face library: "
        + std::to_string(made.parameters) + " parameters"
        + (weights ? ", drawn at random.\n" : ", which are not here.\n");
}

// How the library makes the model: with the weights of the folder, or with new ones.
std::string loadingText(const std::string& autoClass, bool weights, bool ownCode)
{
    const std::string trust = ownCode ? ", trust_remote_code=True" : "";
    if (weights) {
        return "    from transformers import " + autoClass + "\n    model = " + autoClass
            + ".from_pretrained(\".\"" + trust + ")\n";
    }
    return "    from transformers import AutoConfig, " + autoClass
        + "\n    config = AutoConfig.from_pretrained(\".\"" + trust + ")\n    model = " + autoClass
        + ".from_config(config" + trust + ")\n";
}

std::string nativeReadme(const Model& model, const HuggingFaceFolder& made, bool weights)
{
    return introduction(model, made, weights) + "\nThe family is " + made.fit.title
        + ": no code but the library's is needed.\n\n"
        + loadingText(nativeAutoClass(made.fit.modelType, model), weights, false)
        + "\nThere is no tokenizer. `design.flopsmith` is the same design, to be opened by "
          "Flopsmith.\nWhat was generated belongs to you.\n";
}

std::string customReadme(const Scenario& scenario,
                         const HuggingFaceFolder& made,
                         const CustomUse& use,
                         bool weights)
{
    std::string text = introduction(scenario.model, made, weights)
        + "\nNo family of the library has this model, so its code is here and is loaded only "
          "where that is allowed:\n\n"
        + loadingText(use.autoClass, weights, true) + "\n" + use.sentence
        + "\nThere is no tokenizer. `design.flopsmith` is the same design, to be opened by "
          "Flopsmith.\nWhat was generated belongs to you; its classes are under the MIT licence.\n"
        + torch::productsText(scenario) + "\nThe nearest family is " + made.fit.title
        + ". What differs:\n\n";
    for (const std::string& difference : made.fit.differences) {
        text += "* " + difference + "\n";
    }
    return text;
}

// Written weights have 32 bits; a config alone gives the design's own width.
std::string_view torchDtype(const Scenario& scenario, const HuggingFaceOptions& options)
{
    constexpr int kHalf = 16;
    const bool isHalf = !options.weights && scenario.workload.precision.weightBits <= kHalf;
    return isHalf ? "bfloat16" : "float32";
}

Json nativeConfigOf(const NativeFit& fit,
                    const Scenario& scenario,
                    const HuggingFaceOptions& options)
{
    Json config = nativeConfig(fit.modelType, scenario.model);
    config["torch_dtype"] = torchDtype(scenario, options);
    return config;
}

// The model's plan and its tensors, and where they are written.
class FolderWriter
{
public:
    FolderWriter(const std::string& folder,
                 const Project& project,
                 const HuggingFaceOptions& options,
                 ModelPlan plan,
                 std::vector<StoredTensor> stored)
        : m_folder(folder)
        , m_project(project)
        , m_options(options)
        , m_plan(std::move(plan))
        , m_stored(std::move(stored))
    {}

    Result<HuggingFaceFolder> write()
    {
        const HuggingFaceFolder made =
            folderOf(m_project.scenario.model, m_plan, m_stored, m_options);
        const Status done = made.fit.fits() ? writeNative(made) : writeCustom(made);
        return done ? Result<HuggingFaceFolder>(made) : done.error();
    }

private:
    Status writeNative(const HuggingFaceFolder& made)
    {
        const Model& model = m_project.scenario.model;
        const NativeFamily& family = *nativeFamily(made.fit.modelType);
        FLOPSMITH_TRY(const auto tensors,
                      nativeTensorsToWrite(family, model, m_plan, m_stored, m_options));
        if (m_options.weights) {
            FLOPSMITH_RETURN_IF_ERROR(writeTensors(m_folder, tensors));
        }
        const Json config = nativeConfigOf(made.fit, m_project.scenario, m_options);
        return writeTexts({{"config.json", configText(config)},
                           {"README.md", nativeReadme(model, made, m_options.weights)}});
    }

    Status writeCustom(const HuggingFaceFolder& made)
    {
        const Model& model = m_project.scenario.model;
        FLOPSMITH_TRY(const std::string modeling,
                      customModeling(torch::checkedScenario(m_project.scenario)));
        if (m_options.weights) {
            std::vector<TensorToWrite> tensors = torch::tensorsToWrite(
                m_plan, m_stored, torch::WeightSource{.seed = m_options.seed}, m_options.stop);
            const std::vector<torch::TorchBuffer> buffers = torch::storedBuffers(model);
            for (const torch::TorchBuffer& buffer : buffers) {
                tensors.push_back({buffer.name,
                                   TensorType::i64,
                                   buffer.shape,
                                   std::span<const std::int64_t>(buffer.values)});
            }
            for (TensorToWrite& tensor : tensors) {
                tensor.name.insert(0, kCustomPrefix);
            }
            FLOPSMITH_RETURN_IF_ERROR(writeTensors(m_folder, tensors));
        }
        Json config = customConfig(m_project);
        config["torch_dtype"] = torchDtype(m_project.scenario, m_options);
        const std::string readme = customReadme(
            m_project.scenario, made, customUse(m_project.scenario.model), m_options.weights);
        return writeTexts({{"config.json", configText(config)},
                           {"configuration_flopsmith.py", customConfiguration()},
                           {"modeling_flopsmith.py", modeling},
                           {"README.md", readme}});
    }

    Status writeTexts(std::vector<TextFile> files)
    {
        files.push_back({"design.flopsmith", projectText(m_project)});
        for (const TextFile& file : files) {
            FLOPSMITH_RETURN_IF_ERROR(writeFile(m_folder + "/" + file.name, file.text));
        }
        return Done{};
    }

    std::string m_folder;
    const Project& m_project;
    HuggingFaceOptions m_options;
    ModelPlan m_plan;
    std::vector<StoredTensor> m_stored;
};

} // namespace

Result<HuggingFaceFolder> plannedHuggingFaceFolder(const Scenario& scenario,
                                                   const HuggingFaceOptions& options)
{
    FLOPSMITH_TRY(const ModelPlan plan, planOf(torch::checkedScenario(scenario)));
    const auto stored = torch::storedTensors(scenario.model, plan);
    return stored ? Result<HuggingFaceFolder>(folderOf(scenario.model, plan, *stored, options))
                  : stored.error();
}

Result<std::string> huggingFaceProgram(const Scenario& scenario, const HuggingFaceOptions& options)
{
    const NativeFit fit = nativeFit(scenario.model);
    return fit.fits() ? configText(nativeConfigOf(fit, scenario, options))
                      : customModeling(torch::checkedScenario(scenario));
}

Result<HuggingFaceFolder> writeHuggingFaceFolder(const std::string& folder,
                                                 const Project& project,
                                                 const HuggingFaceOptions& options)
{
    FLOPSMITH_TRY(const ModelPlan plan, planOf(torch::checkedScenario(project.scenario)));
    FLOPSMITH_TRY(const auto stored, torch::storedTensors(project.scenario.model, plan));
    HuggingFaceFolder made;
    const Status written =
        writeNewFolder(folder,
                       options.overwrite ? ExistingFolder::writeInto : ExistingFolder::refuse,
                       [&](const std::string& place) -> Status {
                           FolderWriter writer(place, project, options, plan, stored);
                           FLOPSMITH_TRY(const HuggingFaceFolder files, writer.write());
                           made = files;
                           return Done{};
                       });
    return written ? Result<HuggingFaceFolder>(made) : written.error();
}

} // namespace flopsmith
