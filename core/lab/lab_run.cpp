// SPDX-License-Identifier: MIT
#include "core/lab/lab_run.h"

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
};

SafetensorsMetadata metadataOf(const LabPlan& plan, const RunKey& key, const RunCost& cost)
{
    return {{"lab", labFileText(plan)},
            {"arm", key.arm},
            {"run", keyText(key)},
            {"flops", digits(cost.flops)},
            {"seconds", jsonText(nlohmann::ordered_json(cost.seconds))}};
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
    static Result<std::unique_ptr<LabRun>> create(LabLogFile& file,
                                                  const RunKey& key,
                                                  const LabSettings& settings)
    {
        const LabPlan& plan = file.log().plan;
        Result<std::unique_ptr<Task>> task =
            makeTask(plan.task, plan.sizes.dModel, static_cast<std::uint64_t>(key.seed));
        if (!task) {
            return task.error();
        }
        const FfnSpec& ffn = plan.arm(key.arm)->ffn;
        const auto seed = static_cast<std::uint64_t>(key.seed);
        // Counts do not depend on the length of the schedule.
        const Result<Learner<S>> learner =
            learnerOf<S>(**task, plan.sizes, ffn, settingsOf(plan, key.rate, 1), seed);
        if (!learner) {
            return Error{"arm " + key.arm + ": " + learner.error().message};
        }
        const Count stepFlops = learner->cost.flops(comparedIn((*task)->training(1)));
        const std::int64_t steps = stepsWithin(plan, stepFlops, key.tuning);
        Trainer<S> trainer(learner->start, learner->executor, settingsOf(plan, key.rate, steps));
        return std::unique_ptr<LabRun>(
            new LabRun(file, key, settings, std::move(*task), *learner, std::move(trainer), steps));
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
    LabRun(LabLogFile& file,
           RunKey key,
           const LabSettings& settings,
           std::unique_ptr<Task> task,
           const Learner<S>& learner,
           Trainer<S> trainer,
           std::int64_t steps)
        : m_file(file)
        , m_key(std::move(key))
        , m_settings(settings)
        , m_task(std::move(task))
        , m_cost(learner.cost)
        , m_trainer(std::move(trainer))
        , m_steps(steps)
        , m_parameters(trainedNumbers(learner.start))
        , m_tests(batchesAs<S>(m_task->test()))
        , m_runs(countRuns(file.log()))
    {}

    std::int64_t step() const { return m_trainer.state().step; }
    const LabPlan& plan() const { return m_file.log().plan; }

    // Goes on from a saved state, or begins with an evaluation of the untrained model.
    Status begin()
    {
        const std::vector<LoggedRun>& runs = m_file.log().runs;
        m_number = 0;
        while (m_number < runs.size() && !(runs[m_number].key == m_key)) {
            ++m_number;
        }
        m_lastSave = m_settings.clock();
        if (m_number < runs.size() && resume(runs[m_number])) {
            return m_file.append(resumedLine(m_number, step()));
        }
        if (Status done = m_file.append(startLine(m_number, m_key, m_steps, m_parameters)); !done) {
            return done;
        }
        return evaluate();
    }

    // False if there is no state of this run, or the log does not reach it.
    bool resume(const LoggedRun& logged)
    {
        const std::string path = statePath(m_file.path());
        std::error_code ignored;
        if (logged.losses.empty() || logged.steps != m_steps || !fs::exists(path, ignored)) {
            return false;
        }
        Result<SavedState<S>> saved = loadState<S>(path, m_trainer.tensors());
        if (!saved || saved->state.step > std::ssize(logged.losses)) {
            return false;
        }
        const SafetensorsMetadata wanted = metadataOf(plan(), m_key, {});
        for (const char* key : {"lab", "run"}) {
            if (saved->metadata[key] != wanted.at(key)) {
                return false;
            }
        }
        m_spent = {.flops = countOfDigits(saved->metadata["flops"]),
                   .seconds = numberOf(saved->metadata["seconds"])};
        m_first = logged.losses.front();
        m_smoothed = m_first;
        for (std::int64_t i = 0; i < saved->state.step; ++i) {
            smooth(logged.losses[static_cast<std::size_t>(i)]);
        }
        return m_trainer.restore(std::move(saved->state)).ok();
    }

    void smooth(double loss) { m_smoothed = kSmoothing * m_smoothed + (1.0 - kSmoothing) * loss; }

    // False if the run has diverged.
    Result<bool> takeStep()
    {
        const TrainingBatch<S> batch = batchAs<S>(m_task->training(step() + 1));
        const double began = m_settings.clock();
        const Result<StepReport> report = m_trainer.step(batch);
        m_spent.seconds += m_settings.clock() - began;
        if (!report) {
            return report.error();
        }
        m_losses.push_back(report->loss);
        m_norms.push_back(report->gradientNorm);
        if (report->step == 1) {
            m_first = report->loss;
            m_smoothed = report->loss;
        }
        smooth(report->loss);
        if (!report->changed || m_smoothed > m_first + kDivergence) {
            return false;
        }
        m_spent.flops += m_cost.flops(report->compared);
        m_settings.progress(
            {.key = m_key, .step = step(), .steps = m_steps, .loss = m_smoothed, .runs = m_runs});
        return kept(step() % plan().evaluateEvery == 0 || step() == m_steps);
    }

    // Logs what is due.
    Result<bool> kept(bool isEvaluated)
    {
        Status done = Done{};
        if (isEvaluated) {
            done = evaluate();
        }
        if (done && step() < m_steps && m_settings.clock() - m_lastSave >= m_settings.saveEvery) {
            done = save();
        }
        return done ? Result<bool>(true) : done.error();
    }

    Status logSteps(std::int64_t last)
    {
        if (m_losses.empty()) {
            return Done{};
        }
        const Status done = m_file.append(stepsLine(m_number, last, m_losses, m_norms));
        m_losses.clear();
        m_norms.clear();
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
        return m_file.append(pointLine(m_number, point, m_spent.flops));
    }

    // The log first: it must reach what is saved.
    Status save()
    {
        if (Status done = logSteps(step()); !done) {
            return done;
        }
        m_lastSave = m_settings.clock();
        return saveState<S>(statePath(m_file.path()),
                            m_trainer.tensors(),
                            m_trainer.state(),
                            metadataOf(plan(), m_key, m_spent));
    }

    Result<LabEnd> finish(RunEnd end)
    {
        // The step that was not finite is logged, though it changed nothing.
        const std::int64_t logged = step() + (end == RunEnd::diverged ? unchangedSteps() : 0);
        Status done = logSteps(logged);
        if (done && end == RunEnd::finished && !m_key.tuning && !m_task->symbols().empty()) {
            done = saveModel();
        }
        if (done) {
            done = m_file.append(endLine(m_number, end, step()));
        }
        std::error_code ignored;
        fs::remove(statePath(m_file.path()), ignored);
        return done ? Result<LabEnd>(LabEnd::complete) : done.error();
    }

    // Losses of steps that the state does not have.
    std::int64_t unchangedSteps() const
    {
        const LoggedRun& run = m_file.log().runs[m_number];
        return std::ssize(run.losses) + std::ssize(m_losses) - step();
    }

    Status saveModel()
    {
        const fs::path path = modelPath(m_file.path(), m_key);
        std::error_code failed;
        fs::create_directories(path.parent_path(), failed);
        if (failed) {
            return Error{printable(path.parent_path().string())
                         + ": cannot be made: " + failed.message()};
        }
        SafetensorsMetadata metadata = metadataOf(plan(), m_key, m_spent);
        metadata["symbols"] = jsonText(nlohmann::ordered_json(m_task->symbols()));
        return saveState<S>(path.string(), m_trainer.tensors(), m_trainer.state(), metadata);
    }

    LabLogFile& m_file;
    RunKey m_key;
    const LabSettings& m_settings;
    std::unique_ptr<Task> m_task;
    StepCost m_cost;
    Trainer<S> m_trainer;
    std::int64_t m_steps;
    std::int64_t m_parameters;
    std::vector<TrainingBatch<S>> m_tests;
    LabProgressCount m_runs;
    std::size_t m_number = 0; ///< in the log
    RunCost m_spent;
    std::vector<double> m_losses; ///< of steps that are not logged yet
    std::vector<double> m_norms;
    double m_first = 0.0; ///< loss of the first step
    double m_smoothed = 0.0;
    double m_lastSave = 0.0;
};

template <class S>
Result<LabEnd> executed(LabLogFile& file,
                        const RunKey& key,
                        const LabSettings& settings,
                        const std::stop_token& stop)
{
    const Result<std::unique_ptr<LabRun<S>>> run = LabRun<S>::create(file, key, settings);
    return run ? (*run)->run(stop) : run.error();
}

} // namespace

std::string statePath(const std::string& logPath)
{
    return logPath + ".state";
}

std::string modelPath(const std::string& logPath, const RunKey& key)
{
    std::string name = key.arm;
    for (char& letter : name) {
        const bool isPlain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
            || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
        letter = isPlain ? letter : '_';
    }
    return logPath + ".models/" + name + "-" + std::to_string(key.seed) + ".safetensors";
}

Result<LabEnd> runLab(LabLogFile& file, const LabSettings& settings, std::stop_token stop)
{
    while (const std::optional<RunKey> key = nextRun(file.log())) {
        if (stop.stop_requested()) {
            return LabEnd::stopped;
        }
        const Result<LabEnd> end = file.log().plan.precision == LabPrecision::float64
            ? executed<double>(file, *key, settings, stop)
            : executed<float>(file, *key, settings, stop);
        if (!end || *end == LabEnd::stopped) {
            return end;
        }
    }
    return LabEnd::complete;
}

} // namespace flopsmith
