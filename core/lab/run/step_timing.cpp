// SPDX-License-Identifier: MIT
#include "core/lab/run/step_timing.h"

#include "core/measure/samples.h"
#include "core/train/trainer.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace flopsmith {
namespace {

constexpr double kShortestStep = 1e-9; ///< seconds, of a clock that shows none

} // namespace

ArmTiming armTiming(std::span<const double> seconds)
{
    const std::span<const double> timed = seconds.subspan(kUntimedSteps);
    return {.steps = std::ssize(timed), .stepSeconds = std::max(medianOf(timed), kShortestStep)};
}

template <class S>
Result<LabEnd> timeSteps(const RunJob& job,
                         const PreparedRun<S>& run,
                         const RunSink& sink,
                         const Clock& clock,
                         const std::stop_token& stop)
{
    Trainer<S> trainer(run.learner.start, run.learner.executor, run.settings);
    std::vector<double> seconds;
    while (std::ssize(seconds) < job.timedSteps + kUntimedSteps) {
        if (stop.stop_requested()) {
            return LabEnd::stopped;
        }
        const TrainingBatch<S> batch = batchAs<S>(run.task->training(std::ssize(seconds) + 1));
        const double began = clock();
        const Result<StepReport> report = trainer.step(batch);
        seconds.push_back(clock() - began);
        if (!report) {
            return report.error();
        }
    }
    const Status done = sink.write(timingLine(job.key.arm, armTiming(seconds), run.stepFlops));
    return done ? Result<LabEnd>(LabEnd::complete) : done.error();
}

template Result<LabEnd> timeSteps<float>(const RunJob&,
                                         const PreparedRun<float>&,
                                         const RunSink&,
                                         const Clock&,
                                         const std::stop_token&);
template Result<LabEnd> timeSteps<double>(const RunJob&,
                                          const PreparedRun<double>&,
                                          const RunSink&,
                                          const Clock&,
                                          const std::stop_token&);

} // namespace flopsmith
