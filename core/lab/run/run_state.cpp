// SPDX-License-Identifier: MIT
#include "core/lab/run/run_state.h"

#include "core/json/json_text.h"
#include "core/lab/plan/lab_file.h"

#include <charconv>
#include <string>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxDigits = 30; ///< of a count

Count countOfDigits(const std::string& text)
{
    Count count = 0;
    for (const char digit : text) {
        const bool goesOn = digit >= '0' && digit <= '9' && text.size() <= kMaxDigits;
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

std::string textOf(const SafetensorsMetadata& metadata, const char* key)
{
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
}

} // namespace

SafetensorsMetadata runMetadata(const LabPlan& plan,
                                const RunKey& key,
                                const RunCost& cost,
                                std::optional<LabView> branch)
{
    return {{"lab", labFileText(plan)},
            {"arm", key.arm},
            {"run", keyText(key)},
            {"seed", std::to_string(key.seed)},
            {"rate", jsonText(Json(key.rate))},
            {"tuning", key.tuning ? "yes" : "no"},
            {"branch", branch ? std::string(enumName(*branch)) : std::string()},
            {"flops", digits(cost.flops)},
            {"seconds", jsonText(Json(cost.seconds))},
            {"first_loss", jsonText(Json(cost.first))},
            {"smoothed_loss", jsonText(Json(cost.smoothed))}};
}

bool isOfRun(const SafetensorsMetadata& metadata,
             const LabPlan& plan,
             const RunKey& key,
             std::optional<LabView> branch)
{
    const SafetensorsMetadata wanted = runMetadata(plan, key, {}, branch);
    return runKey(metadata) == key && textOf(metadata, "lab") == wanted.at("lab")
        && textOf(metadata, "branch") == wanted.at("branch");
}

std::optional<RunKey> runKey(const SafetensorsMetadata& metadata)
{
    for (const char* key : {"arm", "seed", "rate", "tuning"}) {
        if (!metadata.contains(key)) {
            return std::nullopt;
        }
    }
    return RunKey{.arm = metadata.at("arm"),
                  .seed = static_cast<int>(numberOf(metadata.at("seed"))),
                  .rate = numberOf(metadata.at("rate")),
                  .tuning = metadata.at("tuning") == "yes"};
}

RunCost runCost(const SafetensorsMetadata& metadata)
{
    return {.flops = countOfDigits(textOf(metadata, "flops")),
            .seconds = numberOf(textOf(metadata, "seconds")),
            .first = numberOf(textOf(metadata, "first_loss")),
            .smoothed = numberOf(textOf(metadata, "smoothed_loss"))};
}

} // namespace flopsmith
