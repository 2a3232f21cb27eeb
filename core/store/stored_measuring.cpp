// SPDX-License-Identifier: MIT
#include "core/store/stored_measuring.h"

#include "core/protocol/measuring/best_peaks.h"

#include <algorithm>
#include <utility>

namespace flopsmith {
namespace {

// One run of measureWithStore().
class Run
{
public:
    Run(DeviceSession& session,
        std::span<const MeasuredPart> plan,
        const MeasuringOptions& options,
        const std::stop_token& stop,
        MeasurementStore* store,
        KnownResults& known,
        const MeasuringObserver& observer)
        : m_session(session)
        , m_plan(plan)
        , m_options(options)
        , m_stop(stop)
        , m_store(store)
        , m_observer(observer)
        , m_known(known)
        , m_running(plan.size(), false)
    {
        m_measuring.storedAt.resize(plan.size());
    }

    StoredMeasuring measuring(Reuse reuse)
    {
        if (m_store != nullptr && !describe()) {
            return std::move(m_measuring);
        }
        if (m_store != nullptr && reuse == Reuse::yes) {
            seed();
        }
        m_peaksAreNew = !m_known.peaks;
        m_measuring.outcome =
            measureParts(m_session, m_plan, m_options, m_stop, m_known, keepingObserver());
        for (std::size_t part = 0; part < m_plan.size(); ++part) {
            std::optional<Measured>& measured = m_measuring.outcome.parts[part].measured;
            if (measured) {
                measured = *m_known.find(questionOf(m_plan[part].operation, m_options));
            }
        }
        if (m_measuring.outcome.peaks) {
            m_measuring.outcome.peaks = best(*m_measuring.outcome.peaks);
        }
        return std::move(m_measuring);
    }

private:
    // Asks the device for its description. False if it fails, which ends the run.
    bool describe()
    {
        MeasuringOptions options = m_options;
        options.peaks = WithPeaks::no;
        MeasuringObserver observer;
        observer.silence = m_observer.silence;
        MeasuringOutcome who = measureParts(m_session, {}, options, m_stop, m_known, observer);
        if (!who.described) {
            PartResult each;
            if (who.unavailable) {
                each = {.stage = PartStage::failed, .sentence = who.unavailable->message};
            }
            who.parts.assign(m_plan.size(), each);
            for (std::size_t part = 0; part < m_plan.size(); ++part) {
                if (who.unavailable && m_observer.part) {
                    m_observer.part(static_cast<int>(part), each);
                }
            }
            m_measuring.outcome = std::move(who);
            return false;
        }
        const Result<StoredMachine> machine =
            m_store->seen(m_session.device(), *who.described, unixNow());
        if (!machine) {
            fail(machine.error());
        } else {
            m_measuring.machine = *machine;
        }
        return true;
    }

    void fail(const Error& error)
    {
        m_measuring.storeFailure = error;
        m_store = nullptr;
    }

    // What is known already is neither replaced nor marked as stored.
    void seed()
    {
        const auto stored = recalled(*m_store, *m_measuring.machine, m_plan, m_options);
        if (!stored) {
            fail(stored.error());
            return;
        }
        for (std::size_t part = 0; part < m_plan.size(); ++part) {
            const MeasureRequest question = questionOf(m_plan[part].operation, m_options);
            const std::optional<Measured>& measured = stored->outcome.parts[part].measured;
            if (measured && m_known.find(question) == nullptr && isGoodEnough(*measured)) {
                m_known.keep(question, *measured);
                m_measuring.storedAt[part] = stored->storedAt[part];
            }
        }
        if (m_options.peaks == WithPeaks::yes && !m_known.peaks) {
            m_known.peaks = stored->outcome.peaks;
            m_measuring.peaksStoredAt = stored->peaksStoredAt;
        }
    }

    // The best of these and the stored peaks.
    PeaksMeasured best(const PeaksMeasured& peaks)
    {
        if (m_store == nullptr) {
            return peaks;
        }
        const auto stored = m_store->findPeaks(*m_measuring.machine, m_options.threads);
        if (!stored) {
            fail(stored.error());
        }
        return stored && *stored ? bestOf((*stored)->peaks, peaks) : peaks;
    }

    // A stored result that did not settle is good enough if the part would not get more time now:
    // the same budget would give the same result. A part gets at least half of an equal share.
    bool isGoodEnough(const Measured& measured) const
    {
        const int parts = static_cast<int>(m_plan.size());
        return measured.settled
            || measured.elapsedSeconds
            >= 0.5 * budgetOfNext(m_options.budgetSeconds, 0.0, parts, parts);
    }

    MeasuringObserver keepingObserver()
    {
        MeasuringObserver observer = m_observer;
        observer.peaks = [this](const PeaksMeasured& peaks) {
            if (m_peaksAreNew) {
                keep(StoredPeaks{m_options.threads, peaks, unixNow()});
            }
            if (m_observer.peaks) {
                m_observer.peaks(best(peaks));
            }
        };
        observer.part = [this](int part, const PartResult& result) {
            const PartResult kept = takenPart(static_cast<std::size_t>(part), result);
            if (m_observer.part) {
                m_observer.part(part, kept);
            }
        };
        return observer;
    }

    // Only what was running before is new. With what its earlier measurements gave.
    PartResult takenPart(std::size_t part, const PartResult& result)
    {
        PartResult taken = result;
        if (result.measured && m_running[part]) {
            const MeasureRequest question = questionOf(m_plan[part].operation, m_options);
            const auto stands = kept(StoredResult{question, *result.measured, unixNow()});
            if (stands && result.measured->settled) {
                taken.measured = stands->measured;
                m_known.keep(question, stands->measured);
            }
        }
        m_running[part] = result.stage == PartStage::running;
        return taken;
    }

    std::optional<StoredResult> kept(const StoredResult& result)
    {
        if (m_store == nullptr || !m_known.described) {
            return std::nullopt;
        }
        const Result<StoredResult> stands = m_store->keep(*m_known.described, result);
        if (!stands) {
            fail(stands.error());
        }
        return stands ? std::optional(*stands) : std::nullopt;
    }

    void keep(const StoredPeaks& peaks)
    {
        if (m_store == nullptr || !m_known.described) {
            return;
        }
        if (const Status kept = m_store->keep(*m_known.described, peaks); !kept) {
            fail(kept.error());
        }
    }

    DeviceSession& m_session;
    std::span<const MeasuredPart> m_plan;
    const MeasuringOptions& m_options;
    const std::stop_token& m_stop;
    MeasurementStore* m_store;
    const MeasuringObserver& m_observer;
    KnownResults& m_known;
    std::vector<bool> m_running;
    bool m_peaksAreNew = true; // neither known before the run nor stored
    StoredMeasuring m_measuring;
};

Error nothingStored(const std::string& device)
{
    return {"there is no stored result for any of these operations on " + device};
}

} // namespace

StoredMeasuring measureWithStore(DeviceSession& session,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options,
                                 const std::stop_token& stop,
                                 MeasurementStore* store,
                                 Reuse reuse,
                                 const MeasuringObserver& observer)
{
    KnownResults known;
    return measureWithStore(session, plan, options, stop, store, reuse, known, observer);
}

StoredMeasuring measureWithStore(DeviceSession& session,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options,
                                 const std::stop_token& stop,
                                 MeasurementStore* store,
                                 Reuse reuse,
                                 KnownResults& known,
                                 const MeasuringObserver& observer)
{
    return Run(session, plan, options, stop, store, known, observer).measuring(reuse);
}

Result<StoredMeasuring> recalled(MeasurementStore& store,
                                 const StoredMachine& machine,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options)
{
    StoredMeasuring found{.machine = machine};
    found.outcome.described = machine.described;
    for (const MeasuredPart& part : plan) {
        FLOPSMITH_TRY(const auto stored, store.find(machine, questionOf(part.operation, options)));
        found.outcome.parts.push_back(
            stored ? PartResult{.stage = PartStage::measured, .measured = stored->measured}
                   : PartResult{.stage = PartStage::failed,
                                .sentence = "There is no stored result for this operation."});
        found.storedAt.push_back(stored ? std::optional(stored->taken) : std::nullopt);
    }
    FLOPSMITH_TRY(const auto peaks, store.findPeaks(machine, options.threads));
    if (peaks) {
        found.outcome.peaks = peaks->peaks;
        found.peaksStoredAt = peaks->taken;
    }
    const bool some = std::any_of(found.storedAt.begin(), found.storedAt.end(), [](const auto& at) {
        return at.has_value();
    });
    if (!some && !plan.empty()) {
        found.outcome.unavailable = nothingStored(machine.described.device);
    }
    return found;
}

Result<StoredMeasuring> recalled(MeasurementStore& store,
                                 const Device& device,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options)
{
    FLOPSMITH_TRY(const std::optional<StoredMachine> machine, store.machineOf(device));
    if (machine) {
        return recalled(store, *machine, plan, options);
    }
    StoredMeasuring nothing;
    nothing.outcome.unavailable = nothingStored("\"" + device.name + "\"");
    nothing.outcome.parts.assign(
        plan.size(),
        {.stage = PartStage::failed, .sentence = nothing.outcome.unavailable->message});
    nothing.storedAt.resize(plan.size());
    return nothing;
}

} // namespace flopsmith
