// SPDX-License-Identifier: MIT
#include "core/lab/log/lab_log.h"

#include "core/json/json_text.h"
#include "core/lab/plan/lab_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::array kLists{&LoggedSteps::losses,
                            &LoggedSteps::gradientNorms,
                            &LoggedSteps::balanceLosses,
                            &LoggedSteps::loadEntropies};

// A number. One that is not finite is null in a file, and NaN here.
std::optional<double> realOf(const Json* json)
{
    if (json == nullptr || !(json->is_number() || json->is_null())) {
        return std::nullopt;
    }
    const double number = json->is_null() ? 0.0 : json->get<double>();
    const bool isFinite = json->is_number() && std::isfinite(number);
    return isFinite ? number : std::numeric_limits<double>::quiet_NaN();
}

std::optional<double> realOf(const Json& json, const char* key)
{
    return realOf(json.find(key));
}

std::optional<std::int64_t> wholeOf(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    return found != nullptr && found->is_number_integer()
        ? std::optional(found->get<std::int64_t>())
        : std::nullopt;
}

// A text, or none.
std::string textIn(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

// A count; text where a JSON number would not hold it.
std::optional<double> countOf(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    if (found == nullptr || !found->is_string()) {
        return found == nullptr ? std::nullopt : realOf(json, key);
    }
    const std::string text = found->get<std::string>();
    double number = 0.0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<double>> listOf(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    if (found == nullptr || !found->is_array()) {
        return std::nullopt;
    }
    std::vector<double> numbers;
    for (const Json& each : *found) {
        const std::optional<double> number = realOf(&each);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

// The run that a line starts.
std::optional<LoggedRun> startedRun(const Json& json)
{
    const Json* arm = json.find("arm");
    const Json* tuning = json.find("tuning");
    const auto seed = wholeOf(json, "seed");
    const auto rate = realOf(json, "rate");
    const auto steps = wholeOf(json, "start");
    const auto parameters = wholeOf(json, "parameters");
    if (arm == nullptr || !arm->is_string() || tuning == nullptr || !tuning->is_boolean() || !seed
        || !rate || !steps || !parameters) {
        return std::nullopt;
    }
    LoggedRun run;
    run.key = {.arm = arm->text(),
               .seed = static_cast<int>(*seed),
               .rate = *rate,
               .tuning = tuning->get<bool>()};
    run.steps = *steps;
    run.parameters = *parameters;
    if (const Json* factors = json.find("calibration");
        factors != nullptr && factors->is_object()) {
        for (const JsonMember& factor : factors->items()) {
            run.calibration[factor.key()] =
                factor.value().is_number() ? factor.value().get<double>() : 0.0;
        }
    }
    return run;
}

bool applyStart(const Json& json, std::size_t number, LabLog& log)
{
    std::optional<LoggedRun> run = startedRun(json);
    if (!run || number >= kMaxLoggedRuns) {
        return false;
    }
    log.runs.resize(std::max(log.runs.size(), number + 1));
    log.runs[number] = std::move(*run);
    return true;
}

// Of a run or of a branch that begins after step `from`.
template <class Part>
bool applyResumed(std::int64_t step, std::int64_t from, Part& part)
{
    if (step < from) {
        return false;
    }
    part.curves.truncate(step - from);
    while (!part.points.empty() && part.points.back().step > step) {
        part.points.pop_back();
    }
    part.end = RunEnd::open;
    return true;
}

template <class Part>
bool applySteps(const Json& json, std::int64_t last, std::int64_t from, Part& part)
{
    auto losses = listOf(json, "losses");
    auto norms = listOf(json, "gradient_norms");
    if (!losses || !norms || losses->size() != norms->size()
        || last != from + part.curves.count() + std::ssize(*losses)) {
        return false;
    }
    part.curves.append(
        {.losses = std::move(*losses),
         .gradientNorms = std::move(*norms),
         .balanceLosses = listOf(json, "balance_losses").value_or(std::vector<double>()),
         .loadEntropies = listOf(json, "load_entropies").value_or(std::vector<double>())});
    return true;
}

template <class Part>
bool applyPoint(const Json& json, std::int64_t step, Part& part)
{
    const auto flops = countOf(json, "flops");
    const auto seconds = realOf(json, "seconds");
    const auto loss = realOf(json, "loss");
    const auto score = realOf(json, "score");
    const bool isLater = part.points.empty() || part.points.back().step < step;
    if (!flops || !seconds || !loss || !score || !isLater) {
        return false;
    }
    part.points.push_back(
        {.step = step, .flops = *flops, .seconds = *seconds, .loss = *loss, .score = *score});
    return true;
}

// Replaces the norms of an earlier step.
bool applyParts(const Json& json, LoggedRun& run)
{
    const auto norms = listOf(json, "gradient_norms");
    const Json* names = json.find("parts");
    if (!norms || names == nullptr || !names->is_array() || names->size() != norms->size()) {
        return false;
    }
    std::vector<PartNorm> parts;
    for (std::size_t i = 0; i < norms->size(); ++i) {
        if (!(*names)[i].is_string()) {
            return false;
        }
        parts.push_back({.part = (*names)[i].get<std::string>(), .norm = (*norms)[i]});
    }
    run.parts = std::move(parts);
    return true;
}

template <class Part>
bool applyEnd(const Json& json, Part& part)
{
    const Json& end = json.at("end");
    if (!end.is_string()) {
        return false;
    }
    part.end = end.get<std::string>() == "diverged" ? RunEnd::diverged : RunEnd::finished;
    return true;
}

// What a run and its branches have lines of alike.
template <class Part>
bool applyToPart(const Json& json, std::int64_t from, Part& part)
{
    if (const auto step = wholeOf(json, "resumed")) {
        return applyResumed(*step, from, part);
    }
    if (const auto last = wholeOf(json, "steps")) {
        return applySteps(json, *last, from, part);
    }
    if (const auto step = wholeOf(json, "evaluated")) {
        return applyPoint(json, *step, part);
    }
    return json.contains("end") && applyEnd(json, part);
}

bool applyToBranch(const Json& json, LoggedRun& run)
{
    const std::optional<LabView> view = viewNamed(textIn(json, "branch"));
    if (!view) {
        return false;
    }
    const auto found = std::ranges::find(run.branches, *view, &LoggedBranch::view);
    const auto from = wholeOf(json, "from");
    if (!from) {
        return found != run.branches.end() && applyToPart(json, found->from, *found);
    }
    const auto steps = wholeOf(json, "until");
    if (!steps || *from < 0 || *steps < *from) {
        return false;
    }
    LoggedBranch branch;
    branch.view = *view;
    branch.from = *from;
    branch.steps = *steps;
    if (found == run.branches.end()) {
        run.branches.push_back(std::move(branch));
    } else {
        *found = std::move(branch);
    }
    return true;
}

std::optional<ArmTiming> timingIn(const Json& json)
{
    const auto steps = wholeOf(json, "steps");
    const auto seconds = realOf(json, "step_seconds");
    const auto flops = countOf(json, "step_flops");
    const bool isTime = seconds && *seconds > 0.0 && std::isfinite(*seconds);
    if (!steps || !isTime || !flops || !(*flops >= 0.0)) {
        return std::nullopt;
    }
    return ArmTiming{.steps = *steps, .stepSeconds = *seconds, .stepFlops = *flops};
}

bool applyTiming(const Json& json, LabLog& log)
{
    const std::string arm = textIn(json, "timed");
    const std::optional<ArmTiming> timing = timingIn(json);
    if (arm.empty() || !timing) {
        return false;
    }
    log.timings[arm] = *timing;
    return true;
}

} // namespace

void LoggedSteps::append(const LoggedSteps& more)
{
    for (const auto list : kLists) {
        (this->*list).insert((this->*list).end(), (more.*list).begin(), (more.*list).end());
    }
}

void LoggedSteps::truncate(std::int64_t count)
{
    for (const auto list : kLists) {
        (this->*list).resize(std::min((this->*list).size(), static_cast<std::size_t>(count)));
    }
}

const LoggedBranch* LoggedRun::branch(LabView view) const
{
    const auto found = std::ranges::find(branches, view, &LoggedBranch::view);
    return found == branches.end() ? nullptr : &*found;
}

const LoggedRun* LabLog::run(const RunKey& key) const
{
    const auto found = std::find_if(
        runs.begin(), runs.end(), [&](const LoggedRun& run) { return run.key == key; });
    return found == runs.end() ? nullptr : &*found;
}

bool applyLine(const LogLine& line, LabLog& log)
{
    const Json& json = line.content();
    if (!json.is_object()) {
        return false;
    }
    if (json.contains("timed")) {
        return applyTiming(json, log);
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
    if (json.contains("branch")) {
        return applyToBranch(json, run);
    }
    if (const auto step = wholeOf(json, "resumed")) {
        std::erase_if(run.branches, [&](const LoggedBranch& each) { return each.from > *step; });
    }
    if (json.contains("parts")) {
        return applyParts(json, run);
    }
    return applyToPart(json, 0, run);
}

bool isLineOf(const LogLine& line, std::size_t number, const RunKey& key)
{
    const Json& json = line.content();
    if (!json.is_object()) {
        return false;
    }
    if (json.contains("timed")) {
        return textIn(json, "timed") == key.arm && timingIn(json);
    }
    if (wholeOf(json, "run") != std::int64_t(number)) {
        return false;
    }
    if (json.contains("start")) {
        const std::optional<LoggedRun> run = startedRun(json);
        return number < kMaxLoggedRuns && run && run->key == key;
    }
    constexpr std::array kOthers{"branch", "resumed", "steps", "evaluated", "parts", "end"};
    return std::ranges::any_of(kOthers, [&](const char* name) { return json.contains(name); });
}

Result<LabLog> parsedLabLog(std::string_view text, const std::string& source)
{
    const std::size_t firstEnd = text.find('\n');
    const Json header =
        firstEnd == std::string_view::npos ? Json() : ownJson(text.substr(0, firstEnd));
    if (!header.is_object() || !header.contains(kLogKey) || !header.contains("lab")) {
        return Error{source + ": this is no log of a lab; the first line of one holds its plan"};
    }
    if (header.at(kLogKey) != kLogFormat) {
        return Error{source + ": this log has another version than this program reads, which is "
                     + std::to_string(kLogFormat)};
    }
    FLOPSMITH_TRY(const LabPlan plan, labFromJson(header.at("lab"), source + ": lab"));
    LabLog log{.plan = plan, .machine = {}, .runs = {}};
    log.machine = textIn(header, "machine");
    log.program = textIn(header, "program");
    text.remove_prefix(firstEnd + 1);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const bool isCut = end == std::string_view::npos;
        if (isCut || !applyLine(LogLine::parsed(text.substr(0, end)), log)) {
            ++log.damagedLines;
        }
        text.remove_prefix(isCut ? text.size() : end + 1);
    }
    return log;
}

} // namespace flopsmith
