// SPDX-License-Identifier: MIT
#include "core/lab/training_run.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/lab/lab_file.h"
#include "core/lab/learner.h"
#include "core/train/trainer.h"
#include "core/train/training_state.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

constexpr double kSmoothing = 0.9;
constexpr double kLogEvery = 0.5; ///< seconds
constexpr double kDivergence = 1.0; ///< above the first loss
constexpr std::size_t kMostDigits = 30; ///< of a count in a saved state

template <class S>
std::vector<TrainingBatch<S>> batchesAs(const std::vector<TrainingBatch<float>>& batches)
{
    std::vector<TrainingBatch<S>> result;
    for (const TrainingBatch<float>& batch : batches) {
        result.push_back(batchAs<S>(batch));
    }
    return result;
}

std::size_t comparedIn(const TrainingBatch<float>& batch)
{
    std::size_t labels = 0;
    for (const int label : batch.targets.labels) {
        labels += label == kNoLabel ? 0 : 1;
    }
    return batch.targets.labels.empty() ? batch.targets.values.size() : labels;
}

std::int64_t trainedNumbers(const TrainingStart& start)
{
    std::int64_t sum = 0;
    for (const ModelTensor& tensor : start.tensors) {
        sum += tensor.shape.trainable ? tensor.shape.size() : 0;
    }
    return sum;
}

// What a saved state belongs to, and what the run had cost by then.
struct RunCost
{
    Count flops = 0;
    double seconds = 0.0;
    double first = 0.0; ///< loss of the first step
    double smoothed = 0.0; ///< loss, by which divergence is seen
};

SafetensorsMetadata metadataOf(const LabPlan& plan, const RunKey& key, const RunCost& cost)
{
    return {{"lab", labFileText(plan)},
            {"arm", key.arm},
            {"run", keyText(key)},
            {"flops", digits(cost.flops)},
            {"seconds", jsonText(nlohmann::ordered_json(cost.seconds))},
            {"first_loss", jsonText(nlohmann::ordered_json(cost.first))},
            {"smoothed_loss", jsonText(nlohmann::ordered_json(cost.smoothed))}};
}

Count countOfDigits(const std::string& text)
{
    Count count = 0;
    for (const char digit : text) {
        const bool goesOn = digit >= '0' && digit <= '9' && text.size() <= kMostDigits;
        count = goesOn ? count * 10 + (digit - '0') : count;
    }
    return count;
}

double numberOf(const std::string& text)
{
    double number = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
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
                                                  const Clock& clock)
    {
        const LabPlan& plan = job.plan;
        const RunKey& key = job.key;
        if (plan.arm(key.arm) == nullptr) {
            return Error{"the lab has no arm " + excerpt(key.arm)};
        }
        Result<std::unique_ptr<Task>> task =
            makeTask(plan.task, plan.sizes.dModel, static_cast<std::uint64_t>(key.seed), teachers);
        if (!task) {
            return task.error();
        }
        const FfnSpec& ffn = plan.arm(key.arm)->ffn;
        const auto seed = static_cast<std::uint64_t>(key.seed);
        // Counts do not depend on the length of the schedule.
        const Result<Learner<S>> learner =
            learnerOf<S>(**task, plan.sizes, ffn, settingsOf(plan, key.rate, 1), seed, engine);
        if (!learner) {
            return learner.error();
        }
        const Count stepFlops = learner->cost.flops(comparedIn((*task)->training(1)));
        const std::int64_t steps = stepsWithin(plan, stepFlops, key.tuning);
        Trainer<S> trainer(learner->start, learner->executor, settingsOf(plan, key.rate, steps));
        return std::unique_ptr<LabRun>(
            new LabRun(job, sink, clock, std::move(*task), *learner, std::move(trainer), steps));
    }

    Result<LabEnd> run(const std::stop_token& stop)
    {
        if (const Status begun = begin(); !begun) {
            return begun.error();
        }
        while (step() < m_steps) {
            if (stop.stop_requested()) {
                const Status saved = save();
                return saved ? Result<LabEnd>(LabEnd::stopped) : saved.error();
            }
            const Result<bool> goesOn = takeStep();
            if (!goesOn) {
                return goesOn.error();
            }
            if (!*goesOn) {
                return finish(RunEnd::diverged);
            }
        }
        return finish(RunEnd::finished);
    }

private:
    LabRun(const RunJob& job,
           const RunSink& sink,
           const Clock& clock,
           std::unique_ptr<Task> task,
           const Learner<S>& learner,
           Trainer<S> trainer,
           std::int64_t steps)
        : m_job(job)
        , m_sink(sink)
        , m_clock(clock)
        , m_task(std::move(task))
        , m_cost(learner.cost)
        , m_trainer(std::move(trainer))
        , m_steps(steps)
        , m_parameters(trainedNumbers(learner.start))
        , m_tests(batchesAs<S>(m_task->test()))
    {}

    std::int64_t step() const { return m_trainer.state().step; }
    const LabPlan& plan() const { return m_job.plan; }

    // Goes on from a saved state, or begins with an evaluation of the untrained model.
    Status begin()
    {
        m_lastSave = m_clock();
        m_lastLog = m_lastSave;
        if (m_job.logged > 0 && resume()) {
            m_logged = step();
            return m_sink.write(resumedLine(m_job.number, step()));
        }
        if (Status done = m_sink.write(startLine(m_job.number, m_job.key, m_steps, m_parameters));
            !done) {
            return done;
        }
        return evaluate();
    }

    // False if there is no state of this run, or the log does not reach it.
    bool resume()
    {
        std::error_code ignored;
        if (m_job.state.empty() || !fs::exists(m_job.state, ignored)) {
            return false;
        }
        Result<SavedState<S>> saved = loadState<S>(m_job.state, m_trainer.tensors());
        if (!saved || saved->state.step > m_job.logged || saved->state.step > m_steps) {
            return false;
        }
        const SafetensorsMetadata wanted = metadataOf(plan(), m_job.key, {});
        for (const char* key : {"lab", "run"}) {
            if (saved->metadata[key] != wanted.at(key)) {
                return false;
            }
        }
        m_spent = {.flops = countOfDigits(saved->metadata["flops"]),
                   .seconds = numberOf(saved->metadata["seconds"]),
                   .first = numberOf(saved->metadata["first_loss"]),
                   .smoothed = numberOf(saved->metadata["smoothed_loss"])};
        return m_trainer.restore(std::move(saved->state)).ok();
    }

    void smooth(double loss)
    {
        m_spent.smoothed = kSmoothing * m_spent.smoothed + (1.0 - kSmoothing) * loss;
    }

    // False if the run has diverged.
    Result<bool> takeStep()
    {
        const TrainingBatch<S> batch = batchAs<S>(m_task->training(step() + 1));
        const double began = m_clock();
        const Result<StepReport> report = m_trainer.step(batch);
        m_spent.seconds += m_clock() - began;
        if (!report) {
            return report.error();
        }
        m_losses.push_back(report->loss);
        m_norms.push_back(report->gradientNorm);
        if (report->step == 1) {
            m_spent.first = report->loss;
            m_spent.smoothed = report->loss;
        }
        smooth(report->loss);
        if (!report->changed || m_spent.smoothed > m_spent.first + kDivergence) {
            return false;
        }
        m_spent.flops += m_cost.flops(report->compared);
        m_sink.progress({.step = step(), .steps = m_steps, .loss = m_spent.smoothed});
        return kept(step() % plan().evaluateEvery == 0 || step() == m_steps);
    }

    // Logs what is due.
    Result<bool> kept(bool isEvaluated)
    {
        Status done = Done{};
        if (isEvaluated) {
            done = evaluate();
        }
        const double now = m_clock();
        if (done && step() < m_steps && now - m_lastSave >= m_job.saveEvery) {
            done = save();
        } else if (done && now - m_lastLog >= kLogEvery) {
            done = logSteps(step());
            m_lastLog = now;
        }
        return done ? Result<bool>(true) : done.error();
    }

    Status logSteps(std::int64_t last)
    {
        if (m_losses.empty()) {
            return Done{};
        }
        const Status done = m_sink.write(stepsLine(m_job.number, last, m_losses, m_norms));
        m_losses.clear();
        m_norms.clear();
        m_logged = last;
        return done;
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
        return m_sink.write(pointLine(m_job.number, point, m_spent.flops));
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
        return saveState<S>(m_job.state,
                            m_trainer.tensors(),
                            m_trainer.state(),
                            metadataOf(plan(), m_job.key, m_spent));
    }

    Result<LabEnd> finish(RunEnd end)
    {
        // The step that was not finite is logged, though it changed nothing.
        const std::int64_t logged = step() + (end == RunEnd::diverged ? unchangedSteps() : 0);
        Status done = logSteps(logged);
        const bool isWanted = !m_job.model.empty() && !m_job.key.tuning;
        if (done && end == RunEnd::finished && isWanted && !m_task->symbols().empty()) {
            done = saveModel();
        }
        if (done) {
            done = m_sink.write(endLine(m_job.number, end, step()));
        }
        std::error_code ignored;
        fs::remove(m_job.state, ignored);
        return done ? Result<LabEnd>(LabEnd::complete) : done.error();
    }

    // Losses of steps that the state does not have.
    std::int64_t unchangedSteps() const { return m_logged + std::ssize(m_losses) - step(); }

    Status saveModel()
    {
        const fs::path path = m_job.model;
        std::error_code failed;
        fs::create_directories(path.parent_path(), failed);
        if (failed) {
            return Error{printable(path.parent_path().string())
                         + ": cannot be made: " + failed.message()};
        }
        SafetensorsMetadata metadata = metadataOf(plan(), m_job.key, m_spent);
        metadata["symbols"] = jsonText(nlohmann::ordered_json(m_task->symbols()));
        return saveState<S>(path.string(), m_trainer.tensors(), m_trainer.state(), metadata);
    }

    RunJob m_job;
    const RunSink& m_sink;
    const Clock& m_clock;
    std::unique_ptr<Task> m_task;
    StepCost m_cost;
    Trainer<S> m_trainer;
    std::int64_t m_steps;
    std::int64_t m_parameters;
    std::vector<TrainingBatch<S>> m_tests;
    RunCost m_spent;
    std::int64_t m_logged = 0; ///< steps that the log has
    std::vector<double> m_losses; ///< of the steps behind them
    std::vector<double> m_norms;
    double m_lastSave = 0.0;
    double m_lastLog = 0.0;
};

template <class S>
Result<LabEnd> trained(const RunJob& job,
                       const Engine<S>& engine,
                       const Engine<float>& teachers,
                       const RunSink& sink,
                       const Clock& clock,
                       const std::stop_token& stop)
{
    const Result<std::unique_ptr<LabRun<S>>> run =
        LabRun<S>::create(job, engine, teachers, sink, clock);
    return run ? (*run)->run(stop) : run.error();
}

} // namespace

Result<LabEnd> trainRun(const RunJob& job,
                        const Engines& engines,
                        const RunSink& sink,
                        const Clock& clock,
                        const std::stop_token& stop)
{
    return job.plan.precision == LabPrecision::float64
        ? trained<double>(job, engines.float64, engines.float32, sink, clock, stop)
        : trained<float>(job, engines.float32, engines.float32, sink, clock, stop);
}

} // namespace flopsmith
