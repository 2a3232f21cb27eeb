// SPDX-License-Identifier: MIT
#include "core/lab/run_cost.h"

#include "core/json/json_text.h"
#include "core/lab/lab_file.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <string>

namespace flopsmith {
namespace {

constexpr std::size_t kMostDigits = 30; ///< of a count in a saved state

Count countOfDigits(const std::string& text)
{
    Count count = 0;
    for (const char digit : text) {
        const bool goesOn = digit >= '0' && digit <= '9' && text.size() <= kMostDigits;
        count = goesOn ? count * 10 + (digit - '0') : count;
    }
    return count;
}

double numberOf(const std::string& text)
{
    double number = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

SafetensorsMetadata stateMetadata(const LabPlan& plan,
                                  const RunKey& key,
                                  std::optional<LabView> branch,
                                  const RunCost& cost)
{
    return {{"lab", labFileText(plan)},
            {"arm", key.arm},
            {"run", keyText(key)},
            {"branch", branch ? std::string(enumName(*branch)) : std::string()},
            {"flops", digits(cost.flops)},
            {"seconds", jsonText(nlohmann::ordered_json(cost.seconds))},
            {"first_loss", jsonText(nlohmann::ordered_json(cost.first))},
            {"smoothed_loss", jsonText(nlohmann::ordered_json(cost.smoothed))}};
}

RunCost costOfMetadata(SafetensorsMetadata metadata)
{
    return {.flops = countOfDigits(metadata["flops"]),
            .seconds = numberOf(metadata["seconds"]),
            .first = numberOf(metadata["first_loss"]),
            .smoothed = numberOf(metadata["smoothed_loss"])};
}

bool isStateOf(SafetensorsMetadata metadata,
               const LabPlan& plan,
               const RunKey& key,
               std::optional<LabView> branch)
{
    SafetensorsMetadata wanted = stateMetadata(plan, key, branch, {});
    return metadata["lab"] == wanted["lab"] && metadata["run"] == wanted["run"]
        && metadata["branch"] == wanted["branch"];
}

std::size_t comparedIn(const TrainingBatch<float>& batch)
{
    std::size_t labels = 0;
    for (const int label : batch.targets.labels) {
        labels += label == kNoLabel ? 0 : 1;
    }
    return batch.targets.labels.empty() ? batch.targets.values.size() : labels;
}

std::int64_t trainedNumbers(const TrainingStart& start)
{
    std::int64_t sum = 0;
    for (const ModelTensor& tensor : start.tensors) {
        sum += tensor.shape.trainable ? tensor.shape.size() : 0;
    }
    return sum;
}

} // namespace flopsmith
