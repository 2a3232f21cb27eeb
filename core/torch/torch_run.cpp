// SPDX-License-Identifier: MIT
#include "core/torch/torch_run.h"

#include "core/base/printable.h"
#include "core/base/temporary_folder.h"
#include "core/base/text_file.h"
#include "core/json/json_text.h"
#include "core/lab/run/prepared_run.h"
#include "core/measure/samples.h"
#include "core/protocol/device/command_text.h"
#include "core/protocol/process/worker_process.h"
#include "core/torch/lab_training.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

namespace flopsmith::torch {
namespace {

namespace fs = std::filesystem;
using LineJson = nlohmann::ordered_json;

constexpr double kLogEvery = 0.5; ///< seconds
constexpr int kUntimedSteps = 5; ///< before those that are timed
constexpr double kShortestStep = 1e-9; ///< seconds, of a clock that shows none
constexpr Milliseconds kPatience{1'000};
constexpr Milliseconds kPatienceToSave{30'000};

// What is no number, as a loss that is not finite, is NaN.
double numberIn(const LineJson& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>()
                                                     : std::numeric_limits<double>::quiet_NaN();
}

/// Turns what train.py says into lines of the log, and its states into those of the lab.
class TorchLog
{
public:
    TorchLog(const RunJob& job, const LabTraining& lab, std::string folder, const RunSink& sink)
        : m_job(job)
        , m_lab(lab)
        , m_folder(std::move(folder))
        , m_sink(sink)
        , m_cost(lab.cost)
        , m_step(lab.training.state.step)
    {}

    Status begin(bool resumed) const
    {
        return m_sink.write(
            resumed ? resumedLine(m_job.number, m_step)
                    : startLine(
                        m_job.number, m_job.key, m_lab.steps, m_lab.parameters, m_lab.calibration));
    }

    /// The end of the run if the line says that.
    Result<std::optional<LabEnd>> take(const LineJson& line)
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
        if (line.contains("ended") && line.at("ended").is_string()) {
            return end(line.at("ended").get<std::string>());
        }
        return Error{"train.py wrote what this program does not know: " + excerpt(jsonText(line))};
    }

private:
    static Result<std::optional<LabEnd>> after(const Status& done)
    {
        return done ? Result<std::optional<LabEnd>>(std::nullopt) : done.error();
    }

    Status takeStep(const LineJson& line)
    {
        const auto& batches = m_lab.training.batches;
        const std::int64_t place = m_step - m_lab.training.state.step;
        if (place >= std::ssize(batches)) {
            return Error{"train.py took more steps than it has batches"};
        }
        m_losses.push_back(numberIn(line, "loss"));
        m_norms.push_back(numberIn(line, "norm"));
        m_cost.flops += m_lab.stepCost.flops(comparedIn(batches[static_cast<std::size_t>(place)]));
        m_cost.seconds = numberIn(line, "seconds");
        m_cost.smoothed = numberIn(line, "smoothed");
        m_cost.first = ++m_step == 1 ? m_losses.back() : m_cost.first;
        m_sink.progress({.step = m_step, .steps = m_lab.steps, .loss = m_cost.smoothed});
        return m_cost.seconds - m_logged < kLogEvery ? Status(Done{}) : logSteps();
    }

    Status logSteps()
    {
        if (m_losses.empty()) {
            return Done{};
        }
        const Status done = m_sink.write(
            stepsLine(m_job.number, m_step, {.losses = m_losses, .gradientNorms = m_norms}));
        m_losses.clear();
        m_norms.clear();
        m_logged = m_cost.seconds;
        return done;
    }

    Status takePoint(const LineJson& line)
    {
        if (Status done = logSteps(); !done) {
            return done;
        }
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
    Status takeState()
    {
        if (Status done = logSteps(); !done || m_job.state.empty()) {
            return done;
        }
        return saveAs(m_job.state, {});
    }

    Status saveAs(const std::string& path, const std::vector<std::string>& symbols) const
    {
        const Result<SavedTraining> saved = savedTraining(m_folder, m_lab.training);
        return saved ? saveLabState(m_lab, path, saved->state, m_cost, symbols)
                     : Status(saved.error());
    }

    Result<std::optional<LabEnd>> end(const std::string& why)
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
        std::error_code ignored;
        fs::remove(m_job.state, ignored);
        return done ? Result<std::optional<LabEnd>>(LabEnd::complete) : done.error();
    }

    Status keepModel() const
    {
        const std::vector<std::string> symbols = m_lab.task->symbols();
        if (m_job.model.empty() || m_job.key.tuning || symbols.empty()) {
            return Done{};
        }
        std::error_code failed;
        fs::create_directories(fs::path(m_job.model).parent_path(), failed);
        return failed ? Status(Error{printable(m_job.model)
                                     + ": its folder cannot be made: " + failed.message()})
                      : saveAs(m_job.model, symbols);
    }

    const RunJob& m_job;
    const LabTraining& m_lab;
    std::string m_folder;
    const RunSink& m_sink;
    RunCost m_cost;
    std::int64_t m_step = 0;
    double m_logged = 0.0; ///< seconds of the run when its steps were logged
    std::vector<double> m_losses; ///< of the steps that are not logged
    std::vector<double> m_norms;
};

/// Turns what train.py says into the time of an arm's steps.
class TorchTimer
{
public:
    TorchTimer(const RunJob& job, const LabTraining& lab, const RunSink& sink)
        : m_job(job)
        , m_lab(lab)
        , m_sink(sink)
    {}

    Result<std::optional<LabEnd>> take(const LineJson& line)
    {
        if (line.contains("step") && line.contains("loss")) {
            const double seconds = numberIn(line, "seconds"); // of all steps so far
            m_steps.push_back(seconds - m_seconds);
            m_seconds = seconds;
        }
        if (!line.contains("ended")) {
            return std::optional<LabEnd>();
        }
        if (std::ssize(m_steps) <= kUntimedSteps) {
            return std::optional(LabEnd::stopped);
        }
        const Samples timed(std::vector<double>(m_steps.begin() + kUntimedSteps, m_steps.end()));
        const ArmTiming timing{.steps = std::ssize(m_steps) - kUntimedSteps,
                               .stepSeconds = std::max(timed.median(), kShortestStep)};
        const Count flops = m_lab.stepCost.flops(comparedIn(m_lab.training.batches.front()));
        const Status done = m_sink.write(timingLine(m_job.key.arm, timing, flops));
        return done ? Result<std::optional<LabEnd>>(LabEnd::complete) : done.error();
    }

private:
    const RunJob& m_job;
    const LabTraining& m_lab;
    const RunSink& m_sink;
    double m_seconds = 0.0;
    std::vector<double> m_steps; ///< seconds of each
};

using TakeLine = std::function<Result<std::optional<LabEnd>>(const LineJson& line)>;

// Follows train.py to its end; a request to stop is a file that it looks for.
Result<LabEnd> followed(WorkerProcess& worker,
                        const TakeLine& take,
                        const std::string& folder,
                        const std::stop_token& stop)
{
    bool isStopping = false;
    for (;;) {
        const WorkerProcess::Event event =
            isStopping ? worker.receive(kPatienceToSave) : worker.receive(kPatience, stop);
        if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
            const LineJson json = ownJson(line->text);
            if (!json.is_object()) {
                continue; // of torchrun, or a warning
            }
            const Result<std::optional<LabEnd>> end = take(json);
            if (!end) {
                return end.error();
            }
            if (*end) {
                return **end;
            }
        } else if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
            return Error{"train.py " + ended->sentence};
        } else if (isStopping) {
            return LabEnd::stopped; // it does not answer: it is killed, and goes on from before
        } else if (std::holds_alternative<WorkerProcess::Stopped>(event)) {
            isStopping = true;
            if (!writeFile(folder + "/stop", "")) {
                return LabEnd::stopped;
            }
        }
    }
}

Result<LabEnd> trainedByTorch(const TorchCommand& command,
                              const RunJob& job,
                              const RunSink& sink,
                              const std::stop_token& stop)
{
    if (!job.branches.empty()) {
        return Error{"branches that cool down for a view are trained by the CPU kernels alone; "
                     "leave out --engine torch, or the views"};
    }
    Result<LabTraining> lab = labTraining(job.plan, job.key);
    const Result<TemporaryFolder> folder = TemporaryFolder::create("torch");
    if (!lab || !folder) {
        return lab ? folder.error() : lab.error();
    }
    const bool isTiming = job.timedSteps > 0;
    const bool resumed = !isTiming && job.logged > 0 && continueFrom(*lab, job.state, job.logged);
    if (isTiming) {
        lab->training.until = job.timedSteps + kUntimedSteps;
    }
    fillBatches(*lab);
    if (isTiming) {
        lab->training.tests.clear();
    }
    for (const Status& written : {writeTraining(folder->path(), lab->training),
                                  writeTrainingModel(folder->path(), lab->training)}) {
        if (!written) {
            return written.error();
        }
    }
    TorchLog log(job, *lab, folder->path(), sink);
    std::vector<std::string> words = command.words;
    words.insert(words.end(),
                 {folder->path() + "/train.py",
                  "--json",
                  "--threads",
                  std::to_string(command.threads),
                  "--save-every",
                  std::to_string(job.saveEvery)});
    Result<WorkerProcess> worker = WorkerProcess::start(words, stop);
    if (!worker) {
        return worker.error();
    }
    if (isTiming) {
        TorchTimer timer(job, *lab, sink);
        return followed(
            *worker,
            [&timer](const LineJson& line) { return timer.take(line); },
            folder->path(),
            stop);
    }
    const Status begun = log.begin(resumed);
    return begun
        ? followed(
            *worker, [&log](const LineJson& line) { return log.take(line); }, folder->path(), stop)
        : begun.error();
}

} // namespace

RunExecutor executorByTorch(TorchCommand command)
{
    return [command = std::move(command)](const RunJob& job,
                                          const RunSink& sink,
                                          const std::stop_token& stop) -> Result<LabEnd> {
        Result<LabEnd> end = trainedByTorch(command, job, sink, stop);
        return end ? end : Error{"arm " + job.key.arm + ": " + end.error().message};
    };
}

Status hasTorch(const TorchCommand& command)
{
    const std::string name = command.words.empty() ? "" : printable(commandText(command.words));
    const Result<TemporaryFolder> folder = TemporaryFolder::create("torch");
    if (!folder) {
        return folder.error();
    }
    const std::string script = folder->path() + "/has_torch.py";
    if (Status written = writeFile(script, "import torch\nprint('yes', flush=True)\n"); !written) {
        return written;
    }
    std::vector<std::string> words = command.words;
    words.push_back(script);
    Result<WorkerProcess> worker = WorkerProcess::start(words);
    const std::string what = name + " has no PyTorch (pip install torch)";
    if (!worker) {
        return Error{"--engine torch: " + worker.error().message};
    }
    for (;;) {
        const WorkerProcess::Event event = worker->receive(Milliseconds(120'000));
        if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
            if (line->text == "yes") {
                return Done{};
            }
        } else {
            return Error{"--engine torch: " + what};
        }
    }
}

} // namespace flopsmith::torch
