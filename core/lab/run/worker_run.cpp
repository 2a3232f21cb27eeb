// SPDX-License-Identifier: MIT
#include "core/lab/run/worker_run.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/protocol/process/worker_process.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

constexpr Milliseconds kPatience{1'000};
constexpr Milliseconds kPatienceToSave{30'000};
constexpr Milliseconds kPatienceForControl{40}; ///< what a person notices is above that

std::string lineOf(const Json& json)
{
    return jsonText(json) + "\n";
}

// The last step that a line of the log has; 0 without one.
std::int64_t lastStepOf(const LogLine& line)
{
    const Json* steps = line.content().find("steps");
    return steps != nullptr && steps->is_number_integer() ? steps->get<std::int64_t>() : 0;
}

double numberIn(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    return found != nullptr && found->is_number() ? found->get<double>() : 0.0;
}

// Passes a line on; the result if it ends the run.
std::optional<Result<LabEnd>> passedOn(const std::string& text,
                                       const RunJob& job,
                                       const RunSink& sink)
{
    const LogLine line = LogLine::parsed(text);
    const Json& json = line.content();
    if (!json.is_object()) {
        return Error{"the training program wrote what is no line of a log: " + excerpt(text)};
    }
    if (json.contains("ended")) {
        return json.at("ended") == "complete" ? LabEnd::complete : LabEnd::stopped;
    }
    if (json.contains("error") && json.at("error").is_string()) {
        return Error{printable(json.at("error").text())};
    }
    if (json.contains("progress")) {
        sink.progress({.step = static_cast<std::int64_t>(numberIn(json, "progress")),
                       .steps = static_cast<std::int64_t>(numberIn(json, "of")),
                       .loss = numberIn(json, "loss")});
        return std::nullopt;
    }
    if (!isLineOf(line, job.number, job.key)) {
        return Error{"the training program wrote what is no line of its run: " + excerpt(text)};
    }
    FLOPSMITH_RETURN_IF_ERROR(sink.write(line));
    return std::nullopt;
}

// A run in a process.
class RemoteRun
{
public:
    /// `sent`: the state of the control that the program knows.
    RemoteRun(WorkerProcess worker,
              const RunJob& job,
              const RunSink& sink,
              SilenceWatch::Duration patience,
              std::shared_ptr<RunControl> control,
              const RunControl::State& sent)
        : m_worker(std::move(worker))
        , m_job(job)
        , m_sink(sink)
        , m_silence(sink, "the training program", patience)
        , m_control(std::move(control))
        , m_sent(sent)
    {}

    Result<LabEnd> follow(const std::stop_token& stop)
    {
        for (;;) {
            if (!m_isStopping) {
                passOn();
            }
            const WorkerProcess::Event event = m_isStopping
                ? m_worker.receive(kPatienceToSave)
                : m_worker.receive(m_control != nullptr ? kPatienceForControl : kPatience, stop);
            if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
                m_silence.heard();
                if (const auto end = passedOn(line->text, m_job, m_sink)) {
                    return *end;
                }
            } else if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
                m_hasDied = true;
                return Error{"the training program " + ended->sentence};
            } else if (std::holds_alternative<WorkerProcess::TooLong>(event)) {
                return Error{"the training program wrote a line that is too long"};
            } else if (m_isStopping) {
                return LabEnd::stopped; // no answer: it is killed and continues from its last state
            } else if (std::holds_alternative<WorkerProcess::Stopped>(event)) {
                m_isStopping = true;
                if (const Status sent = m_worker.send(kStopLine); !sent) {
                    return LabEnd::stopped;
                }
            } else if (m_sent.paused) {
                m_silence.heard(); // it is silent because it waits
            } else {
                m_silence.check();
            }
        }
    }

    /// Whether it ended without saying why.
    bool hasDied() const { return m_hasDied; }

    /// How many of the single steps requested so far are behind it: sent, or not for it to take.
    std::int64_t sentSingles() const { return m_sent.singles; }

private:
    // If sending fails the program has ended, which receive() reports; a single step is then the next
    // program's.
    void passOn()
    {
        if (m_control == nullptr) {
            return;
        }
        const RunControl::State now = m_control->state();
        while (m_sent.singles < now.singles && m_worker.send(kStepLine)) {
            ++m_sent.singles;
            m_sent.paused = true;
        }
        if (m_sent.paused != now.paused) {
            m_worker.send(now.paused ? kPauseLine : kResumeLine).ok();
            m_sent.paused = now.paused;
        }
    }

    WorkerProcess m_worker;
    const RunJob& m_job;
    const RunSink& m_sink;
    SilenceWatch m_silence;
    std::shared_ptr<RunControl> m_control;
    RunControl::State m_sent;
    bool m_isStopping = false;
    bool m_hasDied = false;
};

// A run by as many programs as it takes.
class PersistentRun
{
public:
    PersistentRun(const std::vector<std::string>& command,
                  const RunSink& sink,
                  SilenceWatch::Duration patience,
                  std::shared_ptr<RunControl> control)
        : m_command(command)
        , m_sink(sink)
        , m_patience(patience)
        , m_control(std::move(control))
    {}

    Result<LabEnd> run(RunJob job, const std::stop_token& stop)
    {
        m_sentSingles = m_control != nullptr ? m_control->join() : 0;
        for (;;) {
            const std::int64_t before = job.logged;
            bool hasDied = false;
            const Result<LabEnd> end = runOnce(job, stop, hasDied);
            if (!hasDied || job.logged <= before || stop.stop_requested()) {
                return end;
            }
        }
    }

private:
    Result<LabEnd> runOnce(RunJob& job, const std::stop_token& stop, bool& hasDied)
    {
        FLOPSMITH_TRY(WorkerProcess worker, WorkerProcess::start(m_command, stop));
        RunControl::State sent{.paused = false, .singles = m_sentSingles};
        if (m_control != nullptr) {
            sent.paused = m_control->state().paused;
        }
        job.paused = sent.paused;
        FLOPSMITH_RETURN_IF_ERROR(worker.send(jobLine(job)));
        const RunSink sink{.write =
                               [&](const LogLine& line) {
                                   job.logged = std::max(job.logged, lastStepOf(line));
                                   return m_sink.write(line);
                               },
                           .progress = m_sink.progress,
                           .note = m_sink.note};
        const RunJob asked = job; // which the lines of the log move on
        RemoteRun remote(std::move(worker), asked, sink, m_patience, m_control, sent);
        Result<LabEnd> end = remote.follow(stop);
        hasDied = remote.hasDied();
        m_sentSingles = remote.sentSingles();
        return end;
    }

    const std::vector<std::string>& m_command;
    const RunSink& m_sink;
    SilenceWatch::Duration m_patience;
    std::shared_ptr<RunControl> m_control;
    std::int64_t m_sentSingles = 0; ///< single steps that the next program does not take
};

} // namespace

RunExecutor executorInProcess(std::vector<std::string> command,
                              std::shared_ptr<RunControl> control,
                              SilenceWatch::Duration patience)
{
    return [command = std::move(command), control = std::move(control), patience](
               const RunJob& job, const RunSink& sink, const std::stop_token& stop) {
        Result<LabEnd> end = PersistentRun(command, sink, patience, control).run(job, stop);
        return end ? end : Error{"arm " + job.key.arm + ": " + end.error().message};
    };
}

std::string progressLine(const RunProgress& progress)
{
    return lineOf({{"progress", progress.step}, {"of", progress.steps}, {"loss", progress.loss}});
}

std::string endedLine(LabEnd end)
{
    return lineOf({{"ended", end == LabEnd::complete ? "complete" : "stopped"}});
}

std::string errorLine(const Error& error)
{
    return lineOf({{"error", error.message}});
}

} // namespace flopsmith
