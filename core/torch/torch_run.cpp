// SPDX-License-Identifier: MIT
#include "core/torch/torch_run.h"

#include "core/base/printable.h"
#include "core/base/temporary_folder.h"
#include "core/base/text_file.h"
#include "core/json/json_text.h"
#include "core/lab/run/silence_watch.h"
#include "core/lab/run/step_timing.h"
#include "core/protocol/device/command_text.h"
#include "core/protocol/process/worker_process.h"
#include "core/torch/lab_training.h"
#include "core/torch/torch_log.h"

#include <functional>
#include <optional>
#include <utility>
#include <variant>

namespace flopsmith::torch {
namespace {

constexpr Milliseconds kPatience{1'000};
constexpr Milliseconds kPatienceToSave{30'000};
constexpr Milliseconds kPatienceToImport{120'000};

using TakeLine = std::function<Result<std::optional<LabEnd>>(const Json& line)>;

// Follows train.py to its end; a request to stop is a file that it looks for.
Result<LabEnd> followed(WorkerProcess& worker,
                        const TakeLine& take,
                        const std::string& folder,
                        const RunSink& sink,
                        const std::stop_token& stop)
{
    SilenceWatch silence(sink, "train.py", kSilencePatience);
    bool isStopping = false;
    for (;;) {
        const WorkerProcess::Event event =
            isStopping ? worker.receive(kPatienceToSave) : worker.receive(kPatience, stop);
        if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
            const Json json = ownJson(line->text);
            if (!json.is_object()) {
                silence.check();
                continue; // of torchrun, or a warning
            }
            silence.heard();
            FLOPSMITH_TRY(const std::optional<LabEnd> end, take(json));
            if (end) {
                return *end;
            }
        } else if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
            return Error{"train.py " + ended->sentence};
        } else if (isStopping) {
            return LabEnd::stopped; // no answer: it is killed and continues from its last state
        } else if (std::holds_alternative<WorkerProcess::Stopped>(event)) {
            isStopping = true;
            if (!writeFile(folder + "/stop", "")) {
                return LabEnd::stopped;
            }
        } else {
            silence.check();
        }
    }
}

// Writes what train.py reads, and starts it.
Result<WorkerProcess> startedRun(const TorchCommand& command,
                                 const RunJob& job,
                                 const Training& training,
                                 const std::string& folder,
                                 const std::stop_token& stop)
{
    for (const Status& written :
         {writeTraining(folder, training), writeTrainingModel(folder, training)}) {
        if (!written) {
            return written.error();
        }
    }
    std::vector<std::string> words = command.words;
    words.insert(words.end(),
                 {folder + "/train.py",
                  "--json",
                  "--threads",
                  std::to_string(command.threads),
                  "--save-every",
                  std::to_string(job.saveEvery)});
    return WorkerProcess::start(words, stop);
}

Result<LabEnd> timedByTorch(const TorchCommand& command,
                            const RunJob& job,
                            LabTraining& lab,
                            const std::string& folder,
                            const RunSink& sink,
                            const std::stop_token& stop)
{
    lab.training.until = job.timedSteps + kUntimedSteps;
    fillBatches(lab);
    lab.training.tests.clear();
    Result<WorkerProcess> worker = startedRun(command, job, lab.training, folder, stop);
    TorchTimer timer(job, lab, sink);
    const auto take = [&timer](const Json& line) { return timer.take(line); };
    return worker ? followed(*worker, take, folder, sink, stop) : worker.error();
}

Result<LabEnd> trainedByTorch(const TorchCommand& command,
                              const RunJob& job,
                              LabTraining& lab,
                              const std::string& folder,
                              const RunSink& sink,
                              const std::stop_token& stop)
{
    const bool resumed = job.logged > 0 && continueFrom(lab, job.state, job.logged);
    fillBatches(lab);
    Result<WorkerProcess> worker = startedRun(command, job, lab.training, folder, stop);
    TorchLog log(job, lab, folder, sink);
    const Status begun = worker ? log.begin(resumed) : worker.error();
    const auto take = [&log](const Json& line) { return log.take(line); };
    return begun ? followed(*worker, take, folder, sink, stop) : begun.error();
}

Result<LabEnd> executedByTorch(const TorchCommand& command,
                               const RunJob& job,
                               const RunSink& sink,
                               const std::stop_token& stop)
{
    if (!job.plan.branches.empty()) { // also before the runs that have them: those come last
        return Error{"branches that cool down for a view are trained by the CPU kernels alone; "
                     "leave out --engine torch, or the views"};
    }
    Result<LabTraining> lab = labTraining(job.plan, job.key);
    const Result<TemporaryFolder> folder = TemporaryFolder::create("torch");
    if (!lab || !folder) {
        return lab ? folder.error() : lab.error();
    }
    return job.timedSteps > 0 ? timedByTorch(command, job, *lab, folder->path(), sink, stop)
                              : trainedByTorch(command, job, *lab, folder->path(), sink, stop);
}

} // namespace

RunExecutor executorByTorch(TorchCommand command)
{
    return [command = std::move(command)](const RunJob& job,
                                          const RunSink& sink,
                                          const std::stop_token& stop) -> Result<LabEnd> {
        Result<LabEnd> end = executedByTorch(command, job, sink, stop);
        return end ? end : Error{"arm " + job.key.arm + ": " + end.error().message};
    };
}

Status hasTorch(const TorchCommand& command)
{
    const std::string name = command.words.empty() ? "" : printable(commandText(command.words));
    FLOPSMITH_TRY(const TemporaryFolder folder, TemporaryFolder::create("torch"));
    const std::string script = folder.path() + "/has_torch.py";
    FLOPSMITH_RETURN_IF_ERROR(writeFile(script, "import torch\nprint('yes', flush=True)\n"));
    std::vector<std::string> words = command.words;
    words.push_back(script);
    Result<WorkerProcess> worker = WorkerProcess::start(words);
    const std::string what = name + " has no PyTorch (pip install torch)";
    if (!worker) {
        return Error{"--engine torch: " + worker.error().message};
    }
    const auto end = std::chrono::steady_clock::now() + kPatienceToImport;
    for (;;) {
        const Milliseconds left = leftUntil(end); // other lines without end are no answer
        const WorkerProcess::Event event =
            left.count() > 0 ? worker->receive(left) : WorkerProcess::Silent{};
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
