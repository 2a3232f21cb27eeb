// SPDX-License-Identifier: MIT
#include "core/torch/torch_log.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/lab/run/step_timing.h"

#include <filesystem>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

namespace flopsmith::torch {
namespace {

namespace fs = std::filesystem;

constexpr double kLogEvery = 0.5; ///< seconds

// What is no number, as a loss that is not finite, is NaN.
double numberIn(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    return found != nullptr && found->is_number() ? found->get<double>()
                                                  : std::numeric_limits<double>::quiet_NaN();
}

// Why train.py ended, if the line says that it did: "finished", "diverged" or "stopped".
std::optional<std::string> endIn(const Json& json)
{
    const Json* found = json.find("ended");
    return found != nullptr && found->is_string() ? std::optional(found->get<std::string>())
                                                  : std::nullopt;
}

Result<std::optional<LabEnd>> after(const Status& done)
{
    return done ? Result<std::optional<LabEnd>>(std::nullopt) : done.error();
}

} // namespace

TorchLog::TorchLog(const RunJob& job,
                   const LabTraining& lab,
                   std::string folder,
                   const RunSink& sink)
    : m_job(job)
    , m_lab(lab)
    , m_folder(std::move(folder))
    , m_sink(sink)
    , m_cost(lab.cost)
    , m_step(lab.training.state.step)
{}

Status TorchLog::begin(bool resumed) const
{
    return m_sink.write(
        resumed
            ? resumedLine(m_job.number, m_step)
            : startLine(m_job.number, m_job.key, m_lab.steps, m_lab.parameters, m_lab.calibration));
}

Result<std::optional<LabEnd>> TorchLog::take(const Json& line)
{
    if (line.contains("step") && line.contains("loss")) {
        return after(takeStep(line));
    }
    if (line.contains("evaluated")) {
        return after(takePoint(line));
    }
    if (line.contains("saved")) {
        return after(takeState());
    }
    if (const std::optional<std::string> why = endIn(line)) {
        return end(*why);
    }
    return Error{"train.py wrote what this program does not know: " + excerpt(jsonText(line))};
}

Status TorchLog::takeStep(const Json& line)
{
    const auto& batches = m_lab.training.batches;
    const std::int64_t place = m_step - m_lab.training.state.step;
    if (place >= std::ssize(batches)) {
        return Error{"train.py took more steps than it has batches"};
    }
    m_unlogged.losses.push_back(numberIn(line, "loss"));
    m_unlogged.gradientNorms.push_back(numberIn(line, "norm"));
    m_cost.flops += m_lab.stepCost.flops(comparedIn(batches[static_cast<std::size_t>(place)]));
    m_cost.seconds = numberIn(line, "seconds");
    m_cost.smoothed = numberIn(line, "smoothed");
    m_cost.first = ++m_step == 1 ? m_unlogged.losses.back() : m_cost.first;
    m_sink.progress({.step = m_step, .steps = m_lab.steps, .loss = m_cost.smoothed});
    return m_cost.seconds - m_logged < kLogEvery ? Status(Done{}) : logSteps();
}

Status TorchLog::logSteps()
{
    if (m_unlogged.count() == 0) {
        return Done{};
    }
    const Status done = m_sink.write(stepsLine(m_job.number, m_step, m_unlogged));
    m_unlogged = {};
    m_logged = m_cost.seconds;
    return done;
}

Status TorchLog::takePoint(const Json& line)
{
    FLOPSMITH_RETURN_IF_ERROR(logSteps());
    const double loss = numberIn(line, "loss");
    const bool isShare = info(m_lab.plan.task).score == Score::accuracy;
    const LoggedPoint point{.step = m_step,
                            .flops = toDouble(m_cost.flops),
                            .seconds = m_cost.seconds,
                            .loss = loss,
                            .score = isShare ? numberIn(line, "right") : loss};
    return m_sink.write(pointLine(m_job.number, point, m_cost.flops));
}

// The log first: it must reach what is saved.
Status TorchLog::takeState()
{
    if (Status done = logSteps(); !done || m_job.state.empty()) {
        return done;
    }
    return saveAs(m_job.state, {});
}

Status TorchLog::saveAs(const std::string& path, const std::vector<std::string>& symbols) const
{
    const Result<SavedTraining> saved = savedTraining(m_folder, m_lab.training);
    return saved ? saveLabState(m_lab, path, saved->state, m_cost, symbols) : Status(saved.error());
}

Result<std::optional<LabEnd>> TorchLog::end(const std::string& why)
{
    if (why == "stopped") {
        const Status saved = takeState();
        return saved ? Result<std::optional<LabEnd>>(LabEnd::stopped) : saved.error();
    }
    Status done = logSteps();
    if (done && why == "finished") {
        done = keepModel();
    }
    if (done) {
        const RunEnd end = why == "finished" ? RunEnd::finished : RunEnd::diverged;
        done = m_sink.write(endLine(m_job.number, end, m_step));
    }
    if (!done) { // the state is what remains
        return done.error();
    }
    std::error_code ignored;
    fs::remove(m_job.state, ignored);
    return std::optional(LabEnd::complete);
}

Status TorchLog::keepModel() const
{
    const std::vector<std::string> symbols = m_lab.task->symbols();
    if (m_job.model.empty() || m_job.key.seed == 0 || symbols.empty()) {
        return Done{};
    }
    std::error_code failed;
    fs::create_directories(fs::path(m_job.model).parent_path(), failed);
    return failed
        ? Status(Error{printable(m_job.model) + ": its folder cannot be made: " + failed.message()})
        : saveAs(m_job.model, symbols);
}

TorchTimer::TorchTimer(const RunJob& job, const LabTraining& lab, const RunSink& sink)
    : m_job(job)
    , m_lab(lab)
    , m_sink(sink)
{}

Result<std::optional<LabEnd>> TorchTimer::take(const Json& line)
{
    if (line.contains("step") && line.contains("loss")) {
        const double total = numberIn(line, "seconds");
        m_seconds.push_back(total - m_total);
        m_total = total;
    }
    const std::optional<std::string> why = endIn(line);
    if (!why) {
        return std::optional<LabEnd>();
    }
    // What diverged would diverge again: its steps are all that can be timed.
    if (*why == "stopped" || std::ssize(m_seconds) <= kUntimedSteps) {
        return std::optional(LabEnd::stopped);
    }
    const Count flops = m_lab.stepCost.flops(comparedIn(m_lab.training.batches.front()));
    const Status done = m_sink.write(timingLine(m_job.key.arm, armTiming(m_seconds), flops));
    return done ? Result<std::optional<LabEnd>>(LabEnd::complete) : done.error();
}

} // namespace flopsmith::torch
