// SPDX-License-Identifier: MIT
#include "core/protocol/measuring/measuring.h"

#include "core/count/lens.h"
#include "core/model/model_cost.h"
#include "core/protocol/process/host_turn.h"
#include "core/protocol/wire/wire.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace flopsmith {
namespace {

constexpr double kMinPartSeconds = 0.1;
constexpr double kMinShare = 0.5; // of an equal one
constexpr double kPeaksShare = 0.15;
constexpr double kMaxPeaksSeconds = 1.5;
constexpr double kSlowFlopsPerSecond = 1e9;
constexpr double kSlowBytesPerSecond = 1e8;
constexpr double kRuns = 4.0; // warm-up, one sample, and as much again
constexpr double kLongestSeconds = 1e6;
constexpr double kLongestPreparing = 1800.0; // seconds, whatever a device says

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string keyOf(MeasureRequest question)
{
    question.id = 0;
    question.budgetSeconds = MeasureRequest{}.budgetSeconds;
    return lineOf(Request(std::move(question)));
}

// One run of measureParts().
class Run
{
public:
    Run(DeviceSession& session,
        std::span<const MeasuredPart> plan,
        const MeasuringOptions& options,
        const std::stop_token& stop,
        KnownResults& known,
        const MeasuringObserver& observer)
        : m_session(session)
        , m_plan(plan)
        , m_options(options)
        , m_stop(stop)
        , m_known(known)
        , m_observer(observer)
    {
        m_outcome.parts.resize(plan.size());
    }

    MeasuringOutcome outcome()
    {
        takeKnown();
        if (describe() && takeTurn() && findPeaks()) {
            measureAll();
        }
        return std::move(m_outcome);
    }

private:
    using Reply = DeviceSession::Reply;
    using WorkerFailure = DeviceSession::WorkerFailure;

    // Twice, if the program fails the first time.
    Reply askTwice(const Request& request, Milliseconds time, int part)
    {
        const auto progress = [&](const Progress& report) {
            if (m_observer.progress && part >= 0) {
                m_observer.progress(part, report);
            }
        };
        Reply reply = m_session.ask(request, time, m_stop, progress);
        const auto* failure = std::get_if<WorkerFailure>(&reply);
        if (failure != nullptr && !failure->unavailable) {
            const bool silent = failure->silent;
            if (silent && m_observer.silence) {
                m_observer.silence(failure->sentence);
            }
            reply = m_session.ask(request, time, m_stop, progress);
            failure = std::get_if<WorkerFailure>(&reply);
            m_outcome.silent = silent && failure != nullptr && failure->silent;
        }
        m_outcome.cancelled = std::holds_alternative<DeviceSession::Cancelled>(reply);
        return reply;
    }

    void report(int part, PartResult result)
    {
        PartResult& mine = m_outcome.parts[static_cast<std::size_t>(part)];
        mine = std::move(result);
        if (m_observer.part) {
            m_observer.part(part, mine);
        }
    }

    void takeKnown()
    {
        for (int part = 0; part < static_cast<int>(m_plan.size()); ++part) {
            if (const Measured* known = m_known.find(questionOf(operation(part), m_options))) {
                report(part, {.stage = PartStage::measured, .measured = *known});
            }
        }
    }

    const Operation& operation(int part) const
    {
        return m_plan[static_cast<std::size_t>(part)].operation;
    }

    bool describe()
    {
        if (!m_known.described) {
            // Describing needs no computation, so a device that hangs is given up early.
            const Milliseconds time = std::min(m_options.patience, kDescribePatience);
            const Reply reply = askTwice(DescribeRequest{}, time, -1);
            if (m_outcome.cancelled) {
                return false;
            }
            const auto* answer = std::get_if<Answer>(&reply);
            const auto* described = answer ? std::get_if<Described>(answer) : nullptr;
            if (described == nullptr) {
                giveUp(sentenceOf(reply));
                return false;
            }
            m_known.described = *described;
        }
        m_outcome.described = m_known.described;
        if (m_observer.described) {
            m_observer.described(*m_known.described);
        }
        return true;
    }

    // Waits until no other measurement runs on the host, if anything is to be measured. False if
    // stopped.
    bool takeTurn()
    {
        const bool wantsPeaks = m_options.peaks == WithPeaks::yes && !m_known.peaks;
        if (waiting() > 0 || wantsPeaks) {
            m_turn = HostTurn::take(m_known.described->environment.hostId, m_stop);
            m_start = std::chrono::steady_clock::now();
            m_outcome.cancelled = !m_turn;
        }
        return !m_outcome.cancelled;
    }

    // Peaks that cannot be had are no reason not to measure. False if cancelled.
    bool findPeaks()
    {
        if (m_options.peaks == WithPeaks::yes && !m_known.peaks) {
            PeaksRequest request{.threads = m_options.threads};
            request.budgetSeconds = m_options.peaksSeconds > 0.0
                ? m_options.peaksSeconds
                : std::min(kMaxPeaksSeconds, kPeaksShare * m_options.budgetSeconds);
            // The budget again for work that it does not limit: allocating, warming up.
            const Milliseconds budget(static_cast<std::int64_t>(2000.0 * request.budgetSeconds));
            const Reply reply = askTwice(request, m_options.patience + budget, -1);
            const auto* answer = std::get_if<Answer>(&reply);
            if (const auto* peaks = answer ? std::get_if<PeaksMeasured>(answer) : nullptr) {
                m_known.peaks = *peaks;
            } else if (!m_outcome.cancelled) {
                m_outcome.noPeaks = sentenceOf(reply);
            }
            if (m_outcome.silent) {
                failWaiting(m_outcome.noPeaks);
            }
        }
        if (m_options.peaks == WithPeaks::yes && m_known.peaks && !m_outcome.cancelled) {
            m_outcome.peaks = m_known.peaks;
            if (m_observer.peaks) {
                m_observer.peaks(*m_known.peaks);
            }
        }
        return !m_outcome.cancelled;
    }

    void measureAll()
    {
        const int parts = waiting();
        int left = parts;
        for (int part = 0; left > 0 && !m_outcome.cancelled && !m_outcome.silent; ++part) {
            if (m_outcome.parts[static_cast<std::size_t>(part)].stage == PartStage::waiting) {
                measure(
                    part,
                    budgetOfNext(m_options.budgetSeconds, secondsSince(m_start), left--, parts));
            }
        }
    }

    int waiting() const
    {
        return static_cast<int>(
            std::count_if(m_outcome.parts.begin(), m_outcome.parts.end(), [](const auto& part) {
                return part.stage == PartStage::waiting;
            }));
    }

    Milliseconds patienceWithParts() const
    {
        const double seconds = std::min(m_known.described->preparingSeconds, kLongestPreparing);
        return std::max(m_options.patience,
                        Milliseconds(static_cast<std::int64_t>(1000.0 * seconds)));
    }

    void measure(int part, double budgetSeconds)
    {
        report(part, {.stage = PartStage::running});
        MeasureRequest request = questionOf(operation(part), m_options);
        request.budgetSeconds = budgetSeconds;
        const Reply reply = askTwice(
            request, longestTime(request.operation, budgetSeconds, patienceWithParts()), part);
        if (m_outcome.cancelled) {
            report(part, {});
            return;
        }
        const auto* answer = std::get_if<Answer>(&reply);
        if (const auto* measured = answer ? std::get_if<Measured>(answer) : nullptr) {
            m_known.keep(request, *measured);
            report(part, {.stage = PartStage::measured, .measured = *measured});
            return;
        }
        const auto* failure = answer ? std::get_if<Failure>(answer) : nullptr;
        report(part,
               {.stage = PartStage::failed,
                .code = failure ? failure->code : FailureCode::failed,
                .sentence = sentenceOf(reply),
                .workerFailed = std::holds_alternative<WorkerFailure>(reply)});
        if (m_outcome.silent) {
            failWaiting(sentenceOf(reply));
        }
    }

    std::string sentenceOf(const Reply& reply) const
    {
        if (const auto* failure = std::get_if<WorkerFailure>(&reply)) {
            return failure->sentence;
        }
        const auto* answer = std::get_if<Answer>(&reply);
        const auto* failure = answer ? std::get_if<Failure>(answer) : nullptr;
        return failure
            ? failure->sentence
            : "The device \"" + m_session.device().name + "\" gave an unexpected answer.";
    }

    void giveUp(const std::string& sentence)
    {
        m_outcome.unavailable = Error{sentence};
        failWaiting(sentence);
    }

    void failWaiting(const std::string& sentence)
    {
        for (int part = 0; part < static_cast<int>(m_plan.size()); ++part) {
            if (m_outcome.parts[static_cast<std::size_t>(part)].stage == PartStage::waiting) {
                report(part,
                       {.stage = PartStage::failed,
                        .sentence = sentence,
                        .workerFailed = m_outcome.silent});
            }
        }
    }

    DeviceSession& m_session;
    std::span<const MeasuredPart> m_plan;
    const MeasuringOptions& m_options;
    const std::stop_token& m_stop;
    KnownResults& m_known;
    const MeasuringObserver& m_observer;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    MeasuringOutcome m_outcome;
    std::optional<HostTurn> m_turn;
};

} // namespace

const Measured* KnownResults::find(const MeasureRequest& question) const
{
    const auto found = m_measured.find(keyOf(question));
    return found == m_measured.end() ? nullptr : &found->second;
}

void KnownResults::keep(const MeasureRequest& question, const Measured& measured)
{
    m_measured.insert_or_assign(keyOf(question), measured);
}

MeasureRequest questionOf(const Operation& operation, const MeasuringOptions& options)
{
    return {.operation = operation,
            .precision = options.precision,
            .cache = options.cache,
            .threads = options.threads};
}

double budgetOfNext(double budgetSeconds, double spentSeconds, int left, int parts)
{
    const double share = (budgetSeconds - spentSeconds) / std::max(left, 1);
    const double fairShare = budgetSeconds / std::max(parts, 1);
    return std::max({kMinPartSeconds, kMinShare * fairShare, share});
}

Milliseconds longestTime(const Operation& operation, double budgetSeconds, Milliseconds patience)
{
    const Cost<Count> total = costTree(operation).total();
    const double flops = toDouble(priced(LensId::exact, total.count));
    const double moved =
        toDouble(bytes(total.traffic, Precision{}).total() + 4 * total.parameters.trainable);
    const double seconds =
        budgetSeconds + kRuns * (flops / kSlowFlopsPerSecond + moved / kSlowBytesPerSecond);
    return patience
        + Milliseconds(static_cast<std::int64_t>(1000.0 * std::min(seconds, kLongestSeconds)));
}

MeasuringOutcome measureParts(DeviceSession& session,
                              std::span<const MeasuredPart> plan,
                              const MeasuringOptions& options,
                              const std::stop_token& stop,
                              KnownResults& known,
                              const MeasuringObserver& observer)
{
    return Run(session, plan, options, stop, known, observer).outcome();
}

} // namespace flopsmith
