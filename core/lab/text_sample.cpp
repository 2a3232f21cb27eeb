// SPDX-License-Identifier: MIT
#include "core/lab/text_sample.h"

#include "core/base/printable.h"
#include "core/base/random.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/json/json_text.h"
#include "core/lab/lab_file.h"
#include "core/lab/learner.h"
#include "core/lab/task/alphabet.h"
#include "core/run/model_run.h"
#include "core/train/training_state.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <variant>

namespace flopsmith {
namespace {

constexpr int kMostCharacters = 100'000;
constexpr double kHottest = 100.0;

// What a kept model says of itself.
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
    const nlohmann::ordered_json json = ownJson(text);
    std::vector<std::string> symbols;
    for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
        if (json[i].is_string()) {
            symbols.push_back(json[i].get<std::string>());
        }
    }
    if (symbols.size() < 2 || symbols.size() > Alphabet::kMostSymbols) {
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
    const Result<LabPlan> plan = readLab(metadata.at("lab"), path);
    if (!plan) {
        return plan.error();
    }
    const Arm* arm = plan->arm(metadata.at("arm"));
    const std::optional<int> sequence = sequenceOfText(plan->task);
    if (arm == nullptr || !sequence) {
        return Error{path + ": it does not say which arm of which text it is"};
    }
    const Result<std::vector<std::string>> symbols = symbolsOf(metadata.at("symbols"), path);
    if (!symbols) {
        return symbols.error();
    }
    return TextModel{.plan = *plan, .ffn = arm->ffn, .symbols = *symbols, .sequence = *sequence};
}

// The model for one sequence of so many tokens.
Result<ModelPlan> planFor(const TextModel& model, int tokens)
{
    const TaskShape shape{
        .batch = 1, .sequence = model.sequence, .vocab = static_cast<int>(model.symbols.size())};
    Scenario scenario = labScenario(shape, model.plan.sizes, model.ffn);
    scenario.workload.phase = Phase::prefill;
    scenario.workload.sequence = tokens;
    return planOf(scenario);
}

// A token by the logits of the last row.
template <class S>
int drawnToken(std::span<const S> logits, double temperature, Random& random)
{
    const auto largest = std::max_element(logits.begin(), logits.end());
    if (temperature <= 0.0) {
        return static_cast<int>(largest - logits.begin());
    }
    std::vector<double> weights;
    double sum = 0.0;
    for (const S logit : logits) {
        const double below = static_cast<double>(logit) - static_cast<double>(*largest);
        weights.push_back(std::exp(below / temperature));
        sum += weights.back();
    }
    double left = random.uniform() * sum;
    std::size_t chosen = 0;
    while (chosen + 1 < weights.size() && left >= weights[chosen]) {
        left -= weights[chosen];
        ++chosen;
    }
    return static_cast<int>(chosen);
}

template <class S>
Result<std::string> written(const std::string& path,
                            const TextModel& model,
                            const TextRequest& request)
{
    const Result<ModelPlan> whole = planFor(model, model.sequence);
    if (!whole) {
        return whole.error();
    }
    const auto saved = loadState<S>(path, whole->tensors);
    if (!saved) {
        return saved.error();
    }
    const Alphabet alphabet(model.symbols);
    std::vector<int> tokens = alphabet.tokens(request.prompt);
    const std::string begin = alphabet.text(tokens);
    if (tokens.empty()) {
        tokens.push_back(0); // not shown
    }
    const std::size_t first = tokens.size();
    Random random(request.seed);
    for (int i = 0; i < request.characters; ++i) {
        const auto seen = std::min(tokens.size(), static_cast<std::size_t>(model.sequence));
        const Result<ModelPlan> plan = planFor(model, static_cast<int>(seen));
        if (!plan) {
            return plan.error();
        }
        const ModelInputs<S> inputs{.tokens = {tokens.end() - std::ptrdiff_t(seen), tokens.end()},
                                    .source = {},
                                    .images = {}};
        const auto run = forward<S>(*plan, saved->state.weights, inputs);
        if (!run) {
            return run.error();
        }
        const std::span<const S> logits =
            std::span<const S>(run->outputs).last(model.symbols.size());
        tokens.push_back(drawnToken<S>(logits, request.temperature, random));
    }
    return begin + alphabet.text(std::span<const int>(tokens).subspan(first));
}

} // namespace

Result<std::string> writtenText(const std::string& modelFile, const TextRequest& request)
{
    if (request.characters < 1 || request.characters > kMostCharacters) {
        return Error{"length: " + std::to_string(request.characters)
                     + " characters are not legal; it must be 1 \xE2\x80\xA6 100000"};
    }
    const bool isWarm = request.temperature >= 0.0 && request.temperature <= kHottest;
    if (!isWarm) { // nor what is no number
        return Error{"temperature must be 0 \xE2\x80\xA6 100"};
    }
    const Result<SafetensorsFile> file = SafetensorsFile::open(modelFile);
    if (!file) {
        return file.error();
    }
    const Result<TextModel> model = textModelOf(*file);
    if (!model) {
        return model.error();
    }
    return model->plan.precision == LabPrecision::float64
        ? written<double>(modelFile, *model, request)
        : written<float>(modelFile, *model, request);
}

} // namespace flopsmith
