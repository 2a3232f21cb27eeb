// SPDX-License-Identifier: MIT
#include "core/lab/run/training_run.h"

#include "core/lab/run/flushed_denormals.h"
#include "core/lab/run/ongoing_run.h"
#include "core/lab/run/prepared_run.h"
#include "core/lab/run/step_timing.h"

#include <utility>

namespace flopsmith {
namespace {

/// The order in which a run is trained: up to each branch, the branch, and on to the end.
template <class S>
class RunCourse
{
public:
    RunCourse(const RunJob& job,
              const RunSink& sink,
              const Clock& clock,
              PreparedRun<S> run,
              const std::stop_token& stop,
              RunControl* control)
        : m_job(job)
        , m_run(job, sink, clock, std::move(run))
        , m_stop(stop)
        , m_control(control)
        , m_singles(control != nullptr ? control->join() : 0)
    {}

    Result<LabEnd> follow()
    {
        FLOPSMITH_RETURN_IF_ERROR(m_run.begin());
        Result<Course> course = trainBranches();
        if (course && *course == Course::reached) {
            course = trainTo(m_run.steps());
        }
        if (!course) {
            return course.error();
        }
        if (*course == Course::stopped) {
            return LabEnd::stopped;
        }
        const Status done = m_run.finish(endOf(*course));
        return done ? Result<LabEnd>(LabEnd::complete) : done.error();
    }

private:
    enum class Course { reached, stopped, diverged };

    static RunEnd endOf(Course course)
    {
        return course == Course::reached ? RunEnd::finished : RunEnd::diverged;
    }

    Result<Course> trainTo(std::int64_t last)
    {
        while (m_run.step() < last) {
            FLOPSMITH_TRY(const bool mayStep, awaitStep());
            if (!mayStep) {
                const Status saved = m_run.save();
                return saved ? Result<Course>(Course::stopped) : saved.error();
            }
            const bool isSingle = m_control != nullptr && m_control->state().paused;
            FLOPSMITH_TRY(const bool goesOn,
                          m_run.takeStep(isSingle ? NormDetail::perTensor : NormDetail::total));
            if (!goesOn) {
                return Course::diverged;
            }
        }
        return Course::reached;
    }

    // False to stop. What was learned so far is logged and saved before it waits.
    Result<bool> awaitStep()
    {
        if (m_control == nullptr) {
            return !m_stop.stop_requested();
        }
        if (m_control->holds(m_singles)) {
            FLOPSMITH_RETURN_IF_ERROR(m_run.save());
        }
        return m_control->awaitStep(m_singles, m_stop);
    }

    // Up to the last branch, and all of them.
    Result<Course> trainBranches()
    {
        for (const JobBranch& branch : m_job.branches) {
            Schedule schedule = m_run.schedule();
            schedule.steps = branch.steps;
            const std::int64_t from = branch.steps - schedule.cooldownSteps();
            const bool isDone = branch.done && from <= m_run.resumedAt();
            if (isDone || from < m_run.step() || branch.steps >= m_run.steps()) {
                continue;
            }
            Result<Course> course = trainTo(from);
            if (course && *course == Course::reached) {
                course = coolDown(branch, schedule);
            }
            if (!course || *course != Course::reached) {
                return course;
            }
        }
        return Course::reached;
    }

    // From here to the end of a branch, and back. A branch that diverges does not end its run.
    Result<Course> coolDown(const JobBranch& branch, const Schedule& schedule)
    {
        const Status begun = m_run.enterBranch(branch, schedule);
        Result<Course> course = begun ? trainTo(branch.steps) : begun.error();
        if (!course || *course == Course::stopped) {
            return course;
        }
        const Status left = m_run.leaveBranch(endOf(*course));
        return left ? Result<Course>(Course::reached) : left.error();
    }

    const RunJob& m_job;
    OngoingRun<S> m_run;
    std::stop_token m_stop;
    RunControl* m_control;
    std::int64_t m_singles; ///< single steps that it took
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
    FLOPSMITH_TRY(PreparedRun<S> run, preparedRun<S>(job.plan, job.key, engine, teachers));
    return job.timedSteps > 0
        ? timeSteps(job, run, sink, clock, stop)
        : RunCourse<S>(job, sink, clock, std::move(run), stop, control).follow();
}

} // namespace

Result<LabEnd> trainRun(const RunJob& job,
                        const Engines& engines,
                        const RunSink& sink,
                        const Clock& clock,
                        const std::stop_token& stop,
                        RunControl* control)
{
    const FlushedDenormals flushed;
    return job.plan.precision == LabPrecision::float64
        ? trained<double>(job, engines.float64, engines.float32, sink, clock, stop, control)
        : trained<float>(job, engines.float32, engines.float32, sink, clock, stop, control);
}

} // namespace flopsmith
