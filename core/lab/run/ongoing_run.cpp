// SPDX-License-Identifier: MIT
#include "core/lab/run/ongoing_run.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/lab/run/part_norms.h"
#include "core/lab/run/test_score.h"
#include "core/train/training_state.h"

#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

constexpr double kLogEvery = 0.5; ///< seconds

template <class S>
std::vector<TrainingBatch<S>> batchesAs(const std::vector<TrainingBatch<float>>& batches)
{
    std::vector<TrainingBatch<S>> result;
    for (const TrainingBatch<float>& batch : batches) {
        result.push_back(batchAs<S>(batch));
    }
    return result;
}

} // namespace

template <class S>
OngoingRun<S>::OngoingRun(const RunJob& job,
                          const RunSink& sink,
                          const Clock& clock,
                          PreparedRun<S> run)
    : m_job(job)
    , m_sink(sink)
    , m_clock(clock)
    , m_task(std::move(run.task))
    , m_cost(run.learner.cost)
    , m_trainer(run.learner.start, run.learner.executor, run.settings)
    , m_steps(run.steps)
    , m_parameters(run.parameters)
    , m_tests(batchesAs<S>(m_task->test()))
{
    for (const Calibration& each : run.learner.start.calibrations) {
        m_calibration[each.path] = each.factor;
    }
}

template <class S>
std::optional<LabView> OngoingRun<S>::view() const
{
    return m_branch ? std::optional(m_branch->view) : std::nullopt;
}

template <class S>
RunPart OngoingRun<S>::part() const
{
    return {m_job.number, view()};
}

template <class S>
std::string OngoingRun<S>::stateFile() const
{
    return m_job.state.empty() || !m_branch ? m_job.state : m_job.state + ".branch";
}

template <class S>
bool OngoingRun<S>::isEvaluated(std::int64_t step) const
{
    return step % plan().evaluateEvery == 0 || step == end();
}

template <class S>
Status OngoingRun<S>::begin()
{
    m_lastSave = m_clock();
    m_lastLog = m_lastSave;
    if (m_job.logged > 0 && resume(m_job.logged)) {
        m_logged = step();
        m_resumedAt = step();
        return m_sink.write(resumedLine(part(), step()));
    }
    FLOPSMITH_RETURN_IF_ERROR(
        m_sink.write(startLine(m_job.number, m_job.key, m_steps, m_parameters, m_calibration)));
    return evaluate();
}

// False if there is no state of this run, or the log does not reach it.
template <class S>
bool OngoingRun<S>::resume(std::int64_t logged)
{
    std::error_code ignored;
    if (m_job.state.empty() || !fs::exists(stateFile(), ignored)) {
        return false;
    }
    Result<SavedState<S>> saved = loadState<S>(stateFile(), m_trainer.tensors());
    if (!saved || saved->state.step > logged || saved->state.step > end()
        || !isOfRun(saved->metadata, plan(), m_job.key, view())) {
        return false;
    }
    m_spent = runCost(saved->metadata);
    return m_trainer.restore(std::move(saved->state)).ok();
}

template <class S>
Result<bool> OngoingRun<S>::takeStep(NormDetail detail)
{
    const TrainingBatch<S> batch = batchAs<S>(m_task->training(step() + 1));
    const double began = m_clock();
    const Result<StepReport> report =
        m_trainer.step(batch, isEvaluated(step() + 1) ? NormDetail::perTensor : detail);
    m_spent.seconds += m_clock() - began;
    if (!report) {
        return report.error();
    }
    record(*report);
    if (!report->changed || m_spent.smoothed > m_spent.first + kRunDivergence) {
        return false;
    }
    m_spent.flops += m_cost.flops(report->compared);
    m_sink.progress({.step = m_branch ? m_branch->start.step : step(),
                     .steps = m_steps,
                     .loss = m_spent.smoothed});
    m_parts.clear();
    if (!m_branch && !report->tensorNorms.empty()) {
        m_parts = partNorms(m_trainer.tensors(), report->tensorNorms);
    }
    return logDue();
}

template <class S>
void OngoingRun<S>::record(const StepReport& report)
{
    m_unlogged.losses.push_back(report.loss);
    m_unlogged.gradientNorms.push_back(report.gradientNorm);
    if (report.loadEntropy) {
        m_unlogged.balanceLosses.push_back(report.balanceLoss);
        m_unlogged.loadEntropies.push_back(*report.loadEntropy);
    }
    if (report.step == 1) {
        m_spent.first = report.loss;
        m_spent.smoothed = report.loss;
    }
    m_spent.smoothed = kRunSmoothing * m_spent.smoothed + (1.0 - kRunSmoothing) * report.loss;
}

template <class S>
Result<bool> OngoingRun<S>::logDue()
{
    Status done = m_parts.empty() ? Status(Done{}) : logParts();
    if (done && isEvaluated(step())) {
        done = evaluate();
    }
    const double now = m_clock();
    if (done && step() < end() && now - m_lastSave >= m_job.saveEvery) {
        done = save();
    } else if (done && now - m_lastLog >= kLogEvery) {
        done = logSteps();
        m_lastLog = now;
    }
    return done ? Result<bool>(true) : done.error();
}

template <class S>
Status OngoingRun<S>::logSteps()
{
    return logSteps(step());
}

template <class S>
Status OngoingRun<S>::logSteps(std::int64_t last)
{
    if (m_unlogged.count() == 0) {
        return Done{};
    }
    const Status done = m_sink.write(stepsLine(part(), last, m_unlogged));
    m_unlogged = {};
    m_logged = last;
    return done;
}

// After the steps that they belong to.
template <class S>
Status OngoingRun<S>::logParts()
{
    FLOPSMITH_RETURN_IF_ERROR(logSteps());
    return m_sink.write(partsLine(m_job.number, step(), m_parts));
}

template <class S>
Status OngoingRun<S>::evaluate()
{
    FLOPSMITH_RETURN_IF_ERROR(logSteps());
    FLOPSMITH_TRY(const TestScore score, testScore<S>(m_trainer, m_tests, info(plan().task).score));
    const LoggedPoint point{.step = step(),
                            .flops = toDouble(m_spent.flops),
                            .seconds = m_spent.seconds,
                            .loss = score.loss,
                            .score = score.score};
    return m_sink.write(pointLine(part(), point, m_spent.flops));
}

template <class S>
Status OngoingRun<S>::save()
{
    if (m_job.state.empty()) {
        return logSteps();
    }
    FLOPSMITH_RETURN_IF_ERROR(logSteps());
    m_lastSave = m_clock();
    return saveTo(stateFile());
}

template <class S>
Status OngoingRun<S>::enterBranch(const JobBranch& branch, const Schedule& schedule)
{
    FLOPSMITH_RETURN_IF_ERROR(save());
    m_branch = Branch{.view = branch.view,
                      .steps = branch.steps,
                      .start = m_trainer.state(),
                      .spent = m_spent,
                      .schedule = m_trainer.settings().schedule};
    m_trainer.setSchedule(schedule);
    const Status begun = beginBranch(branch);
    const bool isTooShort = m_branch->start.step == branch.steps; // to cool down
    return begun && isTooShort ? evaluate() : begun;
}

template <class S>
Status OngoingRun<S>::beginBranch(const JobBranch& branch)
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

template <class S>
Status OngoingRun<S>::leaveBranch(RunEnd end)
{
    const Status ended = logEnd(end);
    if (ended) { // else the state is what remains
        std::error_code ignored;
        fs::remove(stateFile(), ignored);
    }
    Branch branch = std::move(*m_branch);
    m_branch.reset();
    m_logged = branch.start.step;
    m_spent = branch.spent;
    m_trainer.setSchedule(branch.schedule);
    return ended ? m_trainer.restore(std::move(branch.start)) : ended;
}

// The step that was not finite is logged, though it changed nothing.
template <class S>
Status OngoingRun<S>::logEnd(RunEnd end)
{
    const std::int64_t unchanged = m_logged + m_unlogged.count() - step();
    const Status done = logSteps(step() + (end == RunEnd::diverged ? unchanged : 0));
    return done ? m_sink.write(endLine(part(), end, step())) : done;
}

template <class S>
Status OngoingRun<S>::finish(RunEnd end)
{
    const bool isWanted = !m_job.model.empty() && m_job.key.seed > 0;
    Status done = Done{};
    if (end == RunEnd::finished && isWanted && !m_task->symbols().empty()) {
        done = saveModel();
    }
    if (done) {
        done = logEnd(end);
    }
    if (done) { // else the state is what remains
        std::error_code ignored;
        fs::remove(m_job.state, ignored);
    }
    return done;
}

template <class S>
Status OngoingRun<S>::saveModel()
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
template <class S>
Status OngoingRun<S>::saveTo(const std::string& path) const
{
    SafetensorsMetadata metadata = runMetadata(plan(), m_job.key, m_spent, view());
    if (const std::vector<std::string> symbols = m_task->symbols(); !symbols.empty()) {
        metadata["symbols"] = jsonText(Json(symbols));
    }
    return saveState<S>(path, m_trainer.tensors(), m_trainer.state(), metadata);
}

template class OngoingRun<float>;
template class OngoingRun<double>;

} // namespace flopsmith
