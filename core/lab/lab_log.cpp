// SPDX-License-Identifier: MIT
#include "core/lab/lab_log.h"

#include "core/json/json_text.h"
#include "core/lab/lab_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

namespace flopsmith {
namespace {

using LogJson = nlohmann::ordered_json;

constexpr const char* kLogKey = "flopsmith_lab_log";
constexpr int kLogFormat = 1;
constexpr std::size_t kMostRuns = 100'000;

std::string lineOf(const LogJson& json)
{
    return jsonText(json) + "\n";
}

LogJson numbersJson(std::span<const double> numbers)
{
    LogJson list = LogJson::array();
    for (const double number : numbers) {
        list.push_back(number); // not finite: null
    }
    return list;
}

// A number; null is one that is not finite.
std::optional<double> realOf(const LogJson& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end()) {
        return std::nullopt;
    }
    if (found->is_null()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::optional<std::int64_t> wholeOf(const LogJson& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer()
        ? std::optional(found->get<std::int64_t>())
        : std::nullopt;
}

// A count, which stands as text where a JSON number would not hold it.
std::optional<double> countOf(const LogJson& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string()) {
        return found == json.end() ? std::nullopt : realOf(json, key);
    }
    const std::string text = found->get<std::string>();
    double number = 0.0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<double>> listOf(const LogJson& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()) {
        return std::nullopt;
    }
    std::vector<double> numbers;
    for (const LogJson& each : *found) {
        if (!each.is_number() && !each.is_null()) {
            return std::nullopt;
        }
        numbers.push_back(each.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                         : each.get<double>());
    }
    return numbers;
}

bool applyStart(const LogJson& json, std::size_t number, LabLog& log)
{
    const auto arm = json.find("arm");
    const auto tuning = json.find("tuning");
    const auto seed = wholeOf(json, "seed");
    const auto rate = realOf(json, "rate");
    const auto steps = wholeOf(json, "start");
    const auto parameters = wholeOf(json, "parameters");
    if (arm == json.end() || !arm->is_string() || tuning == json.end() || !tuning->is_boolean()
        || !seed || !rate || !steps || !parameters || number >= kMostRuns) {
        return false;
    }
    LoggedRun run{.key = {.arm = arm->get<std::string>(),
                          .seed = static_cast<int>(*seed),
                          .rate = *rate,
                          .tuning = tuning->get<bool>()},
                  .steps = *steps,
                  .parameters = *parameters};
    log.runs.resize(std::max(log.runs.size(), number + 1));
    log.runs[number] = std::move(run);
    return true;
}

bool applyResumed(std::int64_t step, LoggedRun& run)
{
    if (step < 0) {
        return false;
    }
    const auto kept = static_cast<std::size_t>(step);
    run.losses.resize(std::min(run.losses.size(), kept));
    run.gradientNorms.resize(std::min(run.gradientNorms.size(), kept));
    while (!run.points.empty() && run.points.back().step > step) {
        run.points.pop_back();
    }
    run.end = RunEnd::open;
    return true;
}

bool applySteps(const LogJson& json, std::int64_t last, LoggedRun& run)
{
    const auto losses = listOf(json, "losses");
    const auto norms = listOf(json, "gradient_norms");
    if (!losses || !norms || losses->size() != norms->size()
        || last != static_cast<std::int64_t>(run.losses.size() + losses->size())) {
        return false;
    }
    run.losses.insert(run.losses.end(), losses->begin(), losses->end());
    run.gradientNorms.insert(run.gradientNorms.end(), norms->begin(), norms->end());
    return true;
}

bool applyPoint(const LogJson& json, std::int64_t step, LoggedRun& run)
{
    const auto flops = countOf(json, "flops");
    const auto seconds = realOf(json, "seconds");
    const auto loss = realOf(json, "loss");
    const auto score = realOf(json, "score");
    const bool isLater = run.points.empty() || run.points.back().step < step;
    if (!flops || !seconds || !loss || !score || !isLater) {
        return false;
    }
    run.points.push_back(
        {.step = step, .flops = *flops, .seconds = *seconds, .loss = *loss, .score = *score});
    return true;
}

bool applyEnd(const LogJson& json, LoggedRun& run)
{
    const LogJson& end = json.at("end");
    if (!end.is_string()) {
        return false;
    }
    run.end = end.get<std::string>() == "diverged" ? RunEnd::diverged : RunEnd::finished;
    return true;
}

} // namespace

std::string keyText(const RunKey& key)
{
    std::string text = key.arm;
    text += key.tuning ? ", tuning" : ", seed " + std::to_string(key.seed);
    return text + ", rate " + jsonText(LogJson(key.rate));
}

const LoggedRun* LabLog::run(const RunKey& key) const
{
    const auto found = std::find_if(
        runs.begin(), runs.end(), [&](const LoggedRun& run) { return run.key == key; });
    return found == runs.end() ? nullptr : &*found;
}

std::string headerLine(const LabPlan& plan, const std::string& machine)
{
    return lineOf({{kLogKey, kLogFormat}, {"machine", machine}, {"lab", labJson(plan)}});
}

std::string startLine(std::size_t run,
                      const RunKey& key,
                      std::int64_t steps,
                      std::int64_t parameters)
{
    return lineOf({{"run", run},
                   {"start", steps},
                   {"arm", key.arm},
                   {"seed", key.seed},
                   {"rate", key.rate},
                   {"tuning", key.tuning},
                   {"parameters", parameters}});
}

std::string resumedLine(std::size_t run, std::int64_t step)
{
    return lineOf({{"run", run}, {"resumed", step}});
}

std::string stepsLine(std::size_t run,
                      std::int64_t last,
                      std::span<const double> losses,
                      std::span<const double> gradientNorms)
{
    return lineOf({{"run", run},
                   {"steps", last},
                   {"losses", numbersJson(losses)},
                   {"gradient_norms", numbersJson(gradientNorms)}});
}

std::string pointLine(std::size_t run, const LoggedPoint& point, Count flops)
{
    return lineOf({{"run", run},
                   {"evaluated", point.step},
                   {"flops", exactNumber(flops)},
                   {"seconds", point.seconds},
                   {"loss", point.loss},
                   {"score", point.score}});
}

std::string endLine(std::size_t run, RunEnd end, std::int64_t step)
{
    return lineOf(
        {{"run", run}, {"end", end == RunEnd::diverged ? "diverged" : "steps"}, {"at", step}});
}

bool applyLine(std::string_view line, LabLog& log)
{
    const LogJson json = ownJson(line);
    if (!json.is_object()) {
        return false;
    }
    const auto number = wholeOf(json, "run");
    if (!number || *number < 0) {
        return false;
    }
    const auto place = static_cast<std::size_t>(*number);
    if (json.contains("start")) {
        return applyStart(json, place, log);
    }
    if (place >= log.runs.size()) {
        return false;
    }
    LoggedRun& run = log.runs[place];
    if (run.key.arm.empty()) {
        return false;
    }
    if (const auto step = wholeOf(json, "resumed")) {
        return applyResumed(*step, run);
    }
    if (const auto last = wholeOf(json, "steps")) {
        return applySteps(json, *last, run);
    }
    if (const auto step = wholeOf(json, "evaluated")) {
        return applyPoint(json, *step, run);
    }
    return json.contains("end") && applyEnd(json, run);
}

Result<LabLog> parsedLabLog(std::string_view text, const std::string& source)
{
    const std::size_t firstEnd = text.find('\n');
    const LogJson header =
        firstEnd == std::string_view::npos ? LogJson() : ownJson(text.substr(0, firstEnd));
    if (!header.is_object() || !header.contains(kLogKey) || !header.contains("lab")) {
        return Error{source + ": this is no log of a lab; the first line of one holds its plan"};
    }
    if (header.at(kLogKey) != kLogFormat) {
        return Error{source + ": this log has another version than this program reads, which is "
                     + std::to_string(kLogFormat)};
    }
    const Result<LabPlan> plan = labFromJson(header.at("lab"), source + ": lab");
    if (!plan) {
        return plan.error();
    }
    LabLog log{.plan = *plan, .machine = {}, .runs = {}};
    const auto machine = header.find("machine");
    if (machine != header.end() && machine->is_string()) {
        log.machine = machine->get<std::string>();
    }
    text.remove_prefix(firstEnd + 1);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const bool isCut = end == std::string_view::npos;
        if (isCut || !applyLine(text.substr(0, end), log)) {
            ++log.damagedLines;
        }
        text.remove_prefix(isCut ? text.size() : end + 1);
    }
    return log;
}

} // namespace flopsmith
