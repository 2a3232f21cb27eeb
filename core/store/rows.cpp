// SPDX-License-Identifier: MIT
#include "core/store/rows.h"

#include "core/json/json_text.h"
#include "core/store/signature.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace flopsmith::rows {
namespace {

// The ON CONFLICT clause.
std::string onConflict(const char* key, Replace replace)
{
    return std::string(" ON CONFLICT (machine, ") + key
        + ") DO UPDATE SET answer = excluded.answer, taken = excluded.taken"
        + (replace == Replace::older ? " WHERE excluded.taken > taken" : "");
}

} // namespace

std::optional<MeasureRequest> questionOf(const std::string& text)
{
    auto json = ownJson(text);
    if (!json.is_object()) {
        return std::nullopt;
    }
    json.update({{"protocol", kProtocolVersion}, {"type", "measure"}, {"id", 0}});
    const auto request = requestOf(jsonText(json));
    const auto* read = std::get_if<Request>(&request);
    const auto* question = read != nullptr ? std::get_if<MeasureRequest>(read) : nullptr;
    return question == nullptr ? std::nullopt : std::optional(*question);
}

Status write(sqlite::Database& database,
             std::int64_t machine,
             const StoredResult& result,
             Replace replace)
{
    return database.run(
        "INSERT INTO results (machine, question, answer, taken) VALUES (?, ?, ?, ?)"
            + onConflict("question", replace),
        {machine, questionText(result.question), answerText(result.measured), result.taken});
}

Status write(sqlite::Database& database,
             std::int64_t machine,
             const StoredPeaks& peaks,
             Replace replace)
{
    return database.run(
        "INSERT INTO peaks (machine, threads, answer, taken) VALUES (?, ?, ?, ?)"
            + onConflict("threads", replace),
        {machine, std::int64_t{peaks.threads}, answerText(peaks.peaks), peaks.taken});
}

std::string importedName(const StoredMachine& machine, WithDevice withDevice)
{
    constexpr std::array<std::string_view, 4> kGpus{"cuda", "rocm", "xpu", "mps"};
    const bool isGpu = std::ranges::find(kGpus, machine.described.kind) != kGpus.end();
    const std::string kind = isGpu ? "GPU" : "CPU";
    const std::string device = withDevice == WithDevice::yes ? ", " + machine.described.device : "";
    return kind + " of " + machine.origin + device + " (imported)";
}

} // namespace flopsmith::rows
