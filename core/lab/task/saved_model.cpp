// SPDX-License-Identifier: MIT
#include "core/lab/task/saved_model.h"

#include "core/base/printable.h"
#include "core/ffn/no_ffn.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/json/json_text.h"
#include "core/lab/plan/lab_file.h"
#include "core/lab/task/alphabet.h"
#include "core/lab/task/learner.h"
#include "core/run/model_plan.h"
#include "core/train/training_state.h"

#include <optional>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

// What a saved model says of itself.
struct TextModel
{
    LabPlan plan;
    FfnSpec ffn = NoFfn{};
    std::vector<std::string> symbols;
    int sequence = 1; ///< tokens that it sees at most
};

std::optional<int> sequenceOfText(const TaskSpec& task)
{
    if (const auto* text = std::get_if<TextTask>(&task)) {
        return text->sequence;
    }
    const auto* grammar = std::get_if<GrammarTask>(&task);
    return grammar == nullptr ? std::nullopt : std::optional(grammar->sequence);
}

Result<std::vector<std::string>> symbolsOf(const std::string& text, const std::string& path)
{
    const Json json = ownJson(text);
    std::vector<std::string> symbols;
    for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
        if (json[i].is_string()) {
            symbols.push_back(json[i].get<std::string>());
        }
    }
    if (symbols.size() < 2 || symbols.size() > Alphabet::kMaxSymbols) {
        return Error{path + ": its list of characters is damaged"};
    }
    return symbols;
}

Result<TextModel> textModelOf(const SafetensorsFile& file)
{
    const std::string path = printable(file.path());
    const SafetensorsMetadata& metadata = file.metadata();
    if (!metadata.contains("lab") || !metadata.contains("arm") || !metadata.contains("symbols")) {
        return Error{path
                     + " is no model of text that a lab kept; name one of a \".models\" "
                       "folder beside a log"};
    }
    FLOPSMITH_TRY(const LabPlan plan, readLab(metadata.at("lab"), path));
    const Arm* arm = plan.arm(metadata.at("arm"));
    const std::optional<int> sequence = sequenceOfText(plan.task);
    if (arm == nullptr || !sequence) {
        return Error{path + ": it does not say which arm of which text it is"};
    }
    FLOPSMITH_TRY(const std::vector<std::string> symbols, symbolsOf(metadata.at("symbols"), path));
    return TextModel{.plan = plan, .ffn = arm->ffn, .symbols = symbols, .sequence = *sequence};
}

template <class S>
Result<Weights<double>> weightsOf(const std::string& path, const ModelPlan& plan)
{
    FLOPSMITH_TRY(const auto saved, loadState<S>(path, plan.tensors));
    Weights<double> weights;
    for (const std::vector<S>& tensor : saved.state.weights) {
        weights.emplace_back(tensor.begin(), tensor.end());
    }
    return weights;
}

} // namespace

Result<SavedModel> savedModel(const std::string& path)
{
    FLOPSMITH_TRY(const SafetensorsFile file, SafetensorsFile::open(path));
    FLOPSMITH_TRY(const TextModel found, textModelOf(file));
    const TaskShape shape{
        .batch = 1, .sequence = found.sequence, .vocab = static_cast<int>(found.symbols.size())};
    SavedModel model{.plan = found.plan,
                     .ffn = found.ffn,
                     .scenario = labScenario(shape, found.plan.sizes, found.ffn),
                     .symbols = found.symbols,
                     .sequence = found.sequence,
                     .run = file.metadata().contains("run") ? file.metadata().at("run") : ""};
    model.scenario.workload.phase = Phase::prefill;
    FLOPSMITH_TRY(const ModelPlan plan, planOf(model.scenario));
    FLOPSMITH_TRY(Weights<double> weights,
                  found.plan.precision == LabPrecision::float64 ? weightsOf<double>(path, plan)
                                                                : weightsOf<float>(path, plan));
    model.weights = std::move(weights);
    return model;
}

} // namespace flopsmith
