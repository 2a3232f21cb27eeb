// SPDX-License-Identifier: MIT
#include "core/lab/checks/known_labs.h"

#include "core/ffn/dense.h"
#include "core/lab/task/closed_forms.h"

#include <cmath>
#include <utility>

namespace flopsmith {
namespace {

constexpr int kStudentWidth = 64;
constexpr double kStudentTolerance = 0.01; ///< for teachers of this width

LabPlan planFor(TaskSpec task, LabSizes sizes, std::int64_t steps, double rate)
{
    const LabPlan plan{.task = std::move(task),
                       .sizes = sizes,
                       .seeds = 1,
                       .budget = {.kind = BudgetKind::steps, .steps = steps},
                       .baseRate = rate,
                       .tunes = false,
                       .evaluateEvery = static_cast<int>(steps)};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 4 * sizes.dModel}}}).value();
}

// The score of one arm, trained alone.
Result<double> scoreOf(const LabPlan& plan,
                       const std::string& arm,
                       const RunExecutor& executor,
                       const std::stop_token& stop)
{
    LabLog log{.plan = plan, .machine = {}, .runs = {}};
    const RunSink sink{.write = [&](const LogLine& line) {
        return applyLine(line, log) ? Status(Done{})
                                    : Error{"the run wrote a line that is no part of a log"};
    }};
    const RunJob job{
        .plan = plan, .key = {.arm = arm, .seed = 1, .rate = plan.baseRate}, .saveEvery = 1e9};
    FLOPSMITH_RETURN_IF_ERROR(executor(job, sink, stop));
    if (log.runs.empty() || log.runs.front().points.empty()) {
        return Error{"the run of a check left no evaluation"};
    }
    return log.runs.front().points.back().score;
}

} // namespace

const std::vector<KnownLab>& knownLabs()
{
    static const std::vector<KnownLab> kLabs = [] {
        const LabSizes nano{.heads = 1};
        const LabSizes fourier{.heads = 1, .mixer = LabMixer::fourier};
        const LabSizes shallow{.layers = 1, .heads = 1};
        const RecallTask recall{.vocab = 32, .sequence = 32};
        const InductionTask induction{.sequence = 32};
        const RegressionTask regression{.side = 2, .inputs = 2, .test = 8'192};
        return std::vector<KnownLab>{
            {.name = "attention recalls pairs",
             .plan = planFor(recall, nano, 2'000, 3e-3),
             .bound = 0.99},
            {.name = "a Fourier mixer does not recall pairs",
             .plan = planFor(recall, fourier, 2'000, 3e-3),
             .bound = 0.5,
             .atLeast = false},
            {.name = "two layers induce",
             .plan = planFor(induction, nano, 2'000, 3e-3),
             .bound = 0.99},
            {.name = "one layer does not induce",
             .plan = planFor(induction, shallow, 2'000, 3e-3),
             .bound = 0.4,
             .atLeast = false},
            {.name = "a dense FFN memorises",
             .plan = planFor(MemoriseTask{}, nano, 400, 3e-3),
             .bound = 0.99},
            // One pair is seen of two inputs: least squares leaves half of the variance.
            {.name = "regression comes near to least squares",
             .plan = planFor(regression, nano, 4'000, 1e-3),
             .bound = 1.1 * 0.5,
             .atLeast = false}};
    }();
    return kLabs;
}

Status runStudentChecks(const RunExecutor& executor,
                        const std::function<void(const LabCheck&)>& take,
                        const std::stop_token& stop)
{
    struct Student
    {
        const char* arm;
        double rate;
    };
    const TeacherTask task;
    for (const auto& [arm, rate] : {Student{"none", 1e-2},
                                    Student{"linear", 1e-2},
                                    Student{"spectral", 1e-2},
                                    Student{"spectral_low", 1e-2},
                                    Student{"dense", 3e-2}}) {
        LabPlan plan = planFor(task, {.dModel = kStudentWidth, .heads = 1}, 1'500, rate);
        const FfnSpec ffn = armNamed(arm, kStudentWidth).value();
        plan = plannedLab(plan, {{.name = arm, .ffn = ffn}}).value();
        FLOPSMITH_TRY(const double score, scoreOf(plan, arm, executor, stop));
        if (stop.stop_requested()) {
            return Done{};
        }
        const double expected =
            predictedShare(ffn, kStudentWidth, task.widthFor(kStudentWidth), task.activation)
                .value();
        take({.name = std::string("R\xC2\xB2 of student ") + arm,
              .expected = expected,
              .measured = score,
              .tolerance = kStudentTolerance,
              .holds = std::abs(score - expected) <= kStudentTolerance});
    }
    return Done{};
}

Status runKnownLabs(const RunExecutor& executor,
                    const std::function<void(const LabCheck&)>& take,
                    const std::stop_token& stop)
{
    for (const KnownLab& known : knownLabs()) {
        if (stop.stop_requested()) {
            return Done{};
        }
        FLOPSMITH_TRY(const double score, scoreOf(known.plan, "dense", executor, stop));
        if (!stop.stop_requested()) {
            const bool reaches = score >= known.bound;
            take({.name = known.name + (known.atLeast ? " (at least)" : " (at most)"),
                  .expected = known.bound,
                  .measured = score,
                  .holds = reaches == known.atLeast});
        }
    }
    return Done{};
}

} // namespace flopsmith
