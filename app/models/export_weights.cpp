// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/export_weights.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/export/weights_file.h"
#include "core/lab/task/saved_model.h"

#include <filesystem>
#include <memory>
#include <utility>

namespace flopsmith::app {
namespace {

struct WeightsOptions
{
    std::string from;
    std::string file;
    std::string dtype;
};

std::optional<TensorType> typeOf(const WeightsOptions& options)
{
    if (options.dtype.empty()) {
        return std::nullopt;
    }
    return options.dtype == "bf16" ? TensorType::bf16 : TensorType::f32;
}

// A model of the lab under the names of the exported program; other tensors keep theirs.
Result<WeightsFile> weightsFile(const WeightsOptions& options)
{
    std::error_code ignored;
    const bool isFolder = std::filesystem::is_directory(options.from, ignored);
    FLOPSMITH_TRY(const auto files, SafetensorsFolder::open(options.from));
    if (isFolder || !files.metadata().contains("lab")) {
        return copyWeightsFile(options.file, files, typeOf(options));
    }
    FLOPSMITH_TRY(SavedModel saved, savedModel(options.from));
    torch::WeightSource weights;
    weights.trained = std::make_shared<const Weights<double>>(std::move(saved.weights));
    return writeWeightsFile(
        options.file, saved.scenario, weights, typeOf(options).value_or(TensorType::f32));
}

std::string sentence(const std::string& path, const WeightsFile& made)
{
    std::string text = path + ": " + std::to_string(made.elements) + " numbers in "
        + std::to_string(made.tensors) + " tensors";
    if (made.written.rounding > 0.0) {
        text += "; the largest rounding error is " + percentText(made.written.rounding) + ", in "
            + made.written.roundedTensor;
    }
    return text + "\n";
}

Outcome exportWeights(const WeightsOptions& options)
{
    const Result<WeightsFile> made = weightsFile(options);
    return made ? Outcome::success(printableLines(sentence(options.file, *made)))
                : Outcome::badInput(made.error());
}

} // namespace

void addWeightsExport(const ArgumentParser& exporting, Command& chosen)
{
    auto options = std::make_shared<WeightsOptions>();
    const ArgumentParser command = exporting.addCommand(
        "safetensors", "Weights as one file: a model that a lab kept, or an exported folder");
    command
        .addOption("CHECKPOINT",
                   options->from,
                   "A file of the folder LOG.models of a lab, or a folder of safetensors")
        .required();
    command.addOption("-o,--output", options->file, "The file to write").required();
    command
        .addOption("--dtype",
                   options->dtype,
                   "Of real numbers: f32, or bf16, which says how much is lost; without it as they "
                   "are")
        .oneOf({"f32", "bf16"})
        .typeName("NAME");
    command.callback(
        [options, &chosen] { chosen = [options] { return exportWeights(*options); }; });
    command.footer("Example: flopsmith export safetensors x --dtype bf16 -o small.safetensors");
}

} // namespace flopsmith::app
