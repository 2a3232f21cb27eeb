// SPDX-License-Identifier: MIT
#include "core/lab/worker_run.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/protocol/process/worker_process.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

using LineJson = nlohmann::ordered_json;

constexpr Milliseconds kPatience{1'000};
constexpr Milliseconds kPatienceToSave{30'000};

std::string lineOf(const LineJson& json)
{
    return jsonText(json) + "\n";
}

// Gives a line to where it belongs; the end of the run if it says that.
std::optional<Result<LabEnd>> taken(const std::string& line, const RunSink& sink)
{
    const LineJson json = ownJson(line);
    if (!json.is_object()) {
        return Error{"the training program wrote what is no line of a log: " + excerpt(line)};
    }
    if (json.contains("ended")) {
        return json.at("ended") == "complete" ? LabEnd::complete : LabEnd::stopped;
    }
    if (json.contains("error") && json.at("error").is_string()) {
        return Error{printable(json.at("error").get<std::string>())};
    }
    if (json.contains("progress")) {
        const auto number = [&](const char* key) {
            return json.contains(key) && json.at(key).is_number() ? json.at(key).get<double>()
                                                                  : 0.0;
        };
        sink.progress({.step = static_cast<std::int64_t>(number("progress")),
                       .steps = static_cast<std::int64_t>(number("of")),
                       .loss = number("loss")});
        return std::nullopt;
    }
    if (const Status written = sink.write(line + "\n"); !written) {
        return written.error();
    }
    return std::nullopt;
}

// A run in a process.
class RemoteRun
{
public:
    RemoteRun(WorkerProcess worker, const RunSink& sink)
        : m_worker(std::move(worker))
        , m_sink(sink)
    {}

    Result<LabEnd> follow(const std::stop_token& stop)
    {
        for (;;) {
            const WorkerProcess::Event event = m_isStopping ? m_worker.receive(kPatienceToSave)
                                                            : m_worker.receive(kPatience, stop);
            if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
                if (const auto end = taken(line->text, m_sink)) {
                    return *end;
                }
            } else if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
                return Error{"the training program " + ended->sentence};
            } else if (std::holds_alternative<WorkerProcess::TooLong>(event)) {
                return Error{"the training program wrote a line that is too long"};
            } else if (m_isStopping) {
                return LabEnd::stopped; // it does not answer: it is killed, and goes on from before
            } else if (std::holds_alternative<WorkerProcess::Stopped>(event)) {
                m_isStopping = true;
                if (const Status sent = m_worker.send(kStopLine); !sent) {
                    return LabEnd::stopped;
                }
            }
        }
    }

private:
    WorkerProcess m_worker;
    const RunSink& m_sink;
    bool m_isStopping = false;
};

} // namespace

RunExecutor executorInProcess(std::vector<std::string> command)
{
    return [command = std::move(command)](const RunJob& job,
                                          const RunSink& sink,
                                          const std::stop_token& stop) -> Result<LabEnd> {
        Result<WorkerProcess> worker = WorkerProcess::start(command, stop);
        if (!worker) {
            return worker.error();
        }
        if (const Status sent = worker->send(jobLine(job)); !sent) {
            return sent.error();
        }
        Result<LabEnd> end = RemoteRun(std::move(*worker), sink).follow(stop);
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
