// SPDX-License-Identifier: MIT
#include "core/lab/run/training_run.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/lab/lab_run.h"
#include "core/lab/run/prepared_run.h"
#include "core/lab/run/run_state.h"
#include "core/measure/samples.h"
#include "core/train/trainer.h"
#include "core/train/training_state.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

constexpr double kLogEvery = 0.5; ///< seconds
constexpr int kUntimedSteps = 5; ///< before those that are timed
constexpr double kShortestStep = 1e-9; ///< seconds, of a clock that shows none

template <class S>
std::vector<TrainingBatch<S>> batchesAs(const std::vector<TrainingBatch<float>>& batches)
{
    std::vector<TrainingBatch<S>> result;
    for (const TrainingBatch<float>& batch : batches) {
        result.push_back(batchAs<S>(batch));
    }
    return result;
}

// One norm for the tensors of each part, in the order of the model.
std::vector<PartNorm> partNorms(const std::vector<ModelTensor>& tensors,
                                std::span<const double> norms)
{
    std::vector<PartNorm> parts;
    for (std::size_t i = 0; i < norms.size(); ++i) {
        if (!tensors[i].shape.trainable) {
            continue;
        }
        const std::string& path = tensors[i].path;
        const std::size_t end = path.rfind('/');
        const std::string part = end == std::string::npos ? path : path.substr(0, end);
        const auto found = std::ranges::find(parts, part, &PartNorm::part);
        if (found == parts.end()) {
            parts.push_back({.part = part, .norm = norms[i]});
        } else {
            found->norm = std::hypot(found->norm, norms[i]);
        }
    }
    if (parts.size() > 1) {
        return parts;
    }
    parts.clear(); // an FFN alone: its tensors
    for (std::size_t i = 0; i < norms.size(); ++i) {
        if (tensors[i].shape.trainable) {
            parts.push_back({.part = tensors[i].path, .norm = norms[i]});
        }
    }
    return parts;
}

/// One run from its first or its saved step to its end.
template <class S>
class LabRun
{
public:
    static Result<std::unique_ptr<LabRun>> create(const RunJob& job,
                                                  const Engine<S>& engine,
                                                  const Engine<float>& teachers,
                                                  const RunSink& sink,
                                                  const Clock& clock,
                                                  RunControl* control)
    {
        Result<PreparedRun<S>> prepared = preparedRun<S>(job.plan, job.key, engine, teachers);
        if (!prepared) {
            return prepared.error();
        }
        std::unique_ptr<LabRun> run(new LabRun(job, sink, clock, std::move(*prepared)));
        run->m_control = control;
        run->m_singles = control != nullptr ? control->join() : 0;
        return run;
    }

    Result<LabEnd> run(const std::stop_token& stop)
    {
        if (const Status begun = begin(); !begun) {
            return begun.error();
        }
        Result<Course> course = withBranches(stop);
        if (course && *course == Course::reached) {
            course = trainTo(m_steps, stop);
        }
        if (!course) {
            return course.error();
        }
        return *course == Course::stopped
            ? LabEnd::stopped
            : finish(*course == Course::reached ? RunEnd::finished : RunEnd::diverged);
    }

    /// Measures steps in place of training.
    Result<LabEnd> time(const std::stop_token& stop)
    {
        std::vector<double> seconds;
        while (std::ssize(seconds) < m_job.timedSteps + kUntimedSteps) {
            if (stop.stop_requested()) {
                return LabEnd::stopped;
            }
            const TrainingBatch<S> batch = batchAs<S>(m_task->training(std::ssize(seconds) + 1));
            const double began = m_clock();
            const Result<StepReport> report = m_trainer.step(batch);
            seconds.push_back(m_clock() - began);
            if (!report) {
                return report.error();
            }
        }
        seconds.erase(seconds.begin(), seconds.begin() + kUntimedSteps);
        const ArmTiming timing{.steps = m_job.timedSteps,
                               .stepSeconds = std::max(medianOf(seconds), kShortestStep)};
        const Status done = m_sink.write(timingLine(m_job.key.arm, timing, m_stepFlops));
        return done ? Result<LabEnd>(LabEnd::complete) : done.error();
    }

private:
    LabRun(const RunJob& job, const RunSink& sink, const Clock& clock, PreparedRun<S> run)
        : m_job(job)
        , m_sink(sink)
        , m_clock(clock)
        , m_task(std::move(run.task))
        , m_cost(run.learner.cost)
        , m_trainer(run.learner.start, run.learner.executor, run.settings)
        , m_stepFlops(run.stepFlops)
        , m_steps(run.steps)
        , m_end(run.steps)
        , m_parameters(run.parameters)
        , m_tests(batchesAs<S>(m_task->test()))
    {
        for (const Calibration& each : run.learner.start.calibrations) {
            m_calibration[each.path] = each.factor;
        }
    }

    std::int64_t step() const { return m_trainer.state().step; }
    const LabPlan& plan() const { return m_job.plan; }

    enum class Course { reached, stopped, diverged };

    Result<Course> trainTo(std::int64_t last, const std::stop_token& stop)
    {
        while (step() < last) {
            const Result<bool> mayStep = awaitStep(stop);
            if (!mayStep) {
                return mayStep.error();
            }
            if (!*mayStep) {
                const Status saved = save();
                return saved ? Result<Course>(Course::stopped) : saved.error();
            }
            const Result<bool> goesOn = takeStep();
            if (!goesOn) {
                return goesOn.error();
            }
            if (!*goesOn) {
                return Course::diverged;
            }
        }
        return Course::reached;
    }

    // Up to the last branch, and all of them.
    Result<Course> withBranches(const std::stop_token& stop)
    {
        for (const JobBranch& branch : m_job.branches) {
            const Schedule schedule = scheduleOf(branch);
            const std::int64_t from = branch.steps - schedule.cooldownSteps();
            const bool isDone = branch.done && from <= m_resumedAt;
            if (isDone || from < step() || branch.steps >= m_steps) {
                continue;
            }
            Result<Course> course = trainTo(from, stop);
            if (course && *course == Course::reached) {
                course = coolDown(branch, schedule, stop);
            }
            if (!course || *course != Course::reached) {
                return course;
            }
        }
        return Course::reached;
    }

    Schedule scheduleOf(const JobBranch& branch) const
    {
        Schedule schedule = m_trainer.settings().schedule;
        schedule.steps = branch.steps;
        return schedule;
    }

    // From here to the end of a branch, and back. The state here is saved, so that a run that is
    // stopped in a branch goes on from it.
    Result<Course> coolDown(const JobBranch& branch,
                            const Schedule& schedule,
                            const std::stop_token& stop)
    {
        if (const Status saved = save(); !saved) {
            return saved.error();
        }
        const TrainingState<S> here = m_trainer.state();
        const RunCost spent = m_spent;
        const Schedule own = m_trainer.settings().schedule;
        m_branch = branch.view;
        m_branchFrom = here.step;
        m_end = branch.steps;
        m_trainer.setSchedule(schedule);
        Status begun = beginBranch(branch);
        if (begun && here.step == branch.steps) {
            begun = evaluate(); // too short to cool down
        }
        Result<Course> course = begun ? trainTo(branch.steps, stop) : begun.error();
        if (!course || *course == Course::stopped) {
            return course;
        }
        const Status ended =
            endPart(*course == Course::reached ? RunEnd::finished : RunEnd::diverged);
        std::error_code ignored;
        fs::remove(stateFile(), ignored);
        m_branch.reset();
        m_end = m_steps;
        m_logged = here.step;
        m_spent = spent;
        m_trainer.setSchedule(own);
        const Status restored = ended ? m_trainer.restore(here) : ended;
        return restored ? Result<Course>(Course::reached) : restored.error();
    }

    Status beginBranch(const JobBranch& branch)
    {
        const std::int64_t from = step();
        const bool isLogged = branch.logged > 0 && from == m_resumedAt;
        if (isLogged && resume(from + branch.logged)) {
            m_logged = step();
            return m_sink.write(resumedLine(part(), step()));
        }
        m_logged = from;
        return m_sink.write(branchLine(part(), from, branch.steps));
    }

    RunPart part() const { return {m_job.number, m_branch}; }

    std::string stateFile() const
    {
        return m_job.state.empty() || !m_branch ? m_job.state : m_job.state + ".branch";
    }

    // False to stop. What was learned until here is logged and saved before it waits.
    Result<bool> awaitStep(const std::stop_token& stop)
    {
        if (m_control != nullptr && m_control->holds(m_singles)) {
            if (const Status saved = save(); !saved) {
                return saved.error();
            }
        }
        return m_control != nullptr ? m_control->awaitStep(m_singles, stop)
                                    : !stop.stop_requested();
    }

    // Goes on from a saved state, or begins with an evaluation of the untrained model.
    Status begin()
    {
        m_lastSave = m_clock();
        m_lastLog = m_lastSave;
        if (m_job.logged > 0 && resume(m_job.logged)) {
            m_logged = step();
            m_resumedAt = step();
            return m_sink.write(resumedLine(part(), step()));
        }
        if (Status done = m_sink.write(
                startLine(m_job.number, m_job.key, m_steps, m_parameters, m_calibration));
            !done) {
            return done;
        }
        return evaluate();
    }

    // False if there is no state of this run, or the log does not reach it.
    bool resume(std::int64_t logged)
    {
        std::error_code ignored;
        if (m_job.state.empty() || !fs::exists(stateFile(), ignored)) {
            return false;
        }
        Result<SavedState<S>> saved = loadState<S>(stateFile(), m_trainer.tensors());
        if (!saved || saved->state.step > logged || saved->state.step > m_end
            || !isOfRun(saved->metadata, plan(), m_job.key, m_branch)) {
            return false;
        }
        m_spent = runCost(saved->metadata);
        return m_trainer.restore(std::move(saved->state)).ok();
    }

    void smooth(double loss)
    {
        m_spent.smoothed = kRunSmoothing * m_spent.smoothed + (1.0 - kRunSmoothing) * loss;
    }

    // False if the run has diverged.
    Result<bool> takeStep()
    {
        const TrainingBatch<S> batch = batchAs<S>(m_task->training(step() + 1));
        const bool isSingle = m_control != nullptr && m_control->state().paused;
        const NormDetail detail =
            isSingle || isEvaluated(step() + 1) ? NormDetail::perTensor : NormDetail::total;
        const double began = m_clock();
        const Result<StepReport> report = m_trainer.step(batch, detail);
        m_spent.seconds += m_clock() - began;
        if (!report) {
            return report.error();
        }
        m_said.losses.push_back(report->loss);
        m_said.gradientNorms.push_back(report->gradientNorm);
        if (report->loadEntropy) {
            m_said.balanceLosses.push_back(report->balanceLoss);
            m_said.loadEntropies.push_back(*report->loadEntropy);
        }
        if (report->step == 1) {
            m_spent.first = report->loss;
            m_spent.smoothed = report->loss;
        }
        smooth(report->loss);
        if (!report->changed || m_spent.smoothed > m_spent.first + kRunDivergence) {
            return false;
        }
        m_spent.flops += m_cost.flops(report->compared);
        m_sink.progress(
            {.step = m_branch ? m_branchFrom : step(), .steps = m_steps, .loss = m_spent.smoothed});
        m_parts.clear();
        if (!m_branch && !report->tensorNorms.empty()) {
            m_parts = partNorms(m_trainer.tensors(), report->tensorNorms);
        }
        return kept();
    }

    bool isEvaluated(std::int64_t step) const
    {
        return step % plan().evaluateEvery == 0 || step == m_end;
    }

    // Logs what is due.
    Result<bool> kept()
    {
        Status done = m_parts.empty() ? Status(Done{}) : logParts();
        if (done && isEvaluated(step())) {
            done = evaluate();
        }
        const double now = m_clock();
        if (done && step() < m_end && now - m_lastSave >= m_job.saveEvery) {
            done = save();
        } else if (done && now - m_lastLog >= kLogEvery) {
            done = logSteps(step());
            m_lastLog = now;
        }
        return done ? Result<bool>(true) : done.error();
    }

    Status logSteps(std::int64_t last)
    {
        if (m_said.losses.empty()) {
            return Done{};
        }
        const Status done = m_sink.write(stepsLine(part(), last, m_said));
        m_said = {};
        m_logged = last;
        return done;
    }

    // After the steps that they belong to.
    Status logParts()
    {
        if (const Status done = logSteps(step()); !done) {
            return done;
        }
        return m_sink.write(partsLine(m_job.number, step(), m_parts));
    }

    Status evaluate()
    {
        if (Status done = logSteps(step()); !done) {
            return done;
        }
        const Result<TestScore> score = testScore<S>(m_trainer, m_tests, info(plan().task).score);
        if (!score) {
            return score.error();
        }
        const LoggedPoint point{.step = step(),
                                .flops = toDouble(m_spent.flops),
                                .seconds = m_spent.seconds,
                                .loss = score->loss,
                                .score = score->score};
        return m_sink.write(pointLine(part(), point, m_spent.flops));
    }

    // The log first: it must reach what is saved.
    Status save()
    {
        if (m_job.state.empty()) {
            return logSteps(step());
        }
        if (Status done = logSteps(step()); !done) {
            return done;
        }
        m_lastSave = m_clock();
        return saveTo(stateFile());
    }

    // Logs the end of the run, or of the branch.
    Status endPart(RunEnd end)
    {
        // The step that was not finite is logged, though it changed nothing.
        const std::int64_t logged = step() + (end == RunEnd::diverged ? unchangedSteps() : 0);
        const Status done = logSteps(logged);
        return done ? m_sink.write(endLine(part(), end, step())) : done;
    }

    Result<LabEnd> finish(RunEnd end)
    {
        const bool isWanted = !m_job.model.empty() && !m_job.key.tuning;
        Status done = Done{};
        if (end == RunEnd::finished && isWanted && !m_task->symbols().empty()) {
            done = saveModel();
        }
        if (done) {
            done = endPart(end);
        }
        std::error_code ignored;
        fs::remove(m_job.state, ignored);
        return done ? Result<LabEnd>(LabEnd::complete) : done.error();
    }

    // Losses of steps that the state does not have.
    std::int64_t unchangedSteps() const { return m_logged + std::ssize(m_said.losses) - step(); }

    Status saveModel()
    {
        const fs::path path = m_job.model;
        std::error_code failed;
        fs::create_directories(path.parent_path(), failed);
        if (failed) {
            return Error{printable(path.parent_path().string())
                         + ": cannot be made: " + failed.message()};
        }
        return saveTo(path.string());
    }

    // With what its tokens stand for, so that a model of text can write.
    Status saveTo(const std::string& path) const
    {
        SafetensorsMetadata metadata = runMetadata(plan(), m_job.key, m_spent, m_branch);
        if (const std::vector<std::string> symbols = m_task->symbols(); !symbols.empty()) {
            metadata["symbols"] = jsonText(nlohmann::ordered_json(symbols));
        }
        return saveState<S>(path, m_trainer.tensors(), m_trainer.state(), metadata);
    }

    RunJob m_job;
    const RunSink& m_sink;
    const Clock& m_clock;
    std::unique_ptr<Task> m_task;
    StepCost m_cost;
    Trainer<S> m_trainer;
    Count m_stepFlops; ///< lens exact
    std::int64_t m_steps; ///< of the run
    std::int64_t m_end; ///< of the run, or of the branch
    std::optional<LabView> m_branch; ///< that is being trained
    std::int64_t m_branchFrom = 0;
    std::int64_t m_resumedAt = 0;
    std::int64_t m_parameters;
    std::vector<TrainingBatch<S>> m_tests;
    std::map<std::string, double> m_calibration;
    RunCost m_spent;
    std::int64_t m_logged = 0; ///< steps that the log has
    LoggedSteps m_said; ///< of the steps behind them
    std::vector<PartNorm> m_parts; ///< of the last step, if it was looked at closely
    double m_lastSave = 0.0;
    double m_lastLog = 0.0;
    RunControl* m_control = nullptr;
    std::int64_t m_singles = 0; ///< single steps that it took
};

template <class S>
Result<LabEnd> trained(const RunJob& job,
                       const Engine<S>& engine,
                       const Engine<float>& teachers,
                       const RunSink& sink,
                       const Clock& clock,
                       const std::stop_token& stop,
                       RunControl* control)
{
    const Result<std::unique_ptr<LabRun<S>>> run =
        LabRun<S>::create(job, engine, teachers, sink, clock, control);
    if (!run) {
        return run.error();
    }
    return job.timedSteps > 0 ? (*run)->time(stop) : (*run)->run(stop);
}

} // namespace

Result<LabEnd> trainRun(const RunJob& job,
                        const Engines& engines,
                        const RunSink& sink,
                        const Clock& clock,
                        const std::stop_token& stop,
                        RunControl* control)
{
    return job.plan.precision == LabPrecision::float64
        ? trained<double>(job, engines.float64, engines.float32, sink, clock, stop, control)
        : trained<float>(job, engines.float32, engines.float32, sink, clock, stop, control);
}

} // namespace flopsmith
