// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/measuring.h"

#include "core/protocol/measuring/best_peaks.h"
#include "core/study/measured_roofs.h"
#include "ui/jobs/part_times.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

Measuring::Measuring(QObject* parent)
    : QObject(parent)
{
    m_silence.setInterval(1000);
    connect(&m_silence, &QTimer::timeout, this, &Measuring::noteSilence);
}

Measuring::~Measuring() = default;

KnownResults& Measuring::known()
{
    return m_known[m_device.command];
}

void Measuring::useStore(const std::filesystem::path& file)
{
    m_store = std::make_unique<StoreThread>(file, [this](const Error& error) {
        QMetaObject::invokeMethod(
            this,
            [this, sentence = QString::fromStdString(error.message)] {
                Q_EMIT storeFailed(sentence);
            },
            Qt::QueuedConnection);
    });
}

// Takes over a plan, with what is known of it.
void Measuring::show(const std::vector<MeasuredPart>& plan, const Device& device)
{
    ++m_run;
    m_running = false;
    m_peaksOnly = false;
    m_silence.stop();
    m_plan = plan;
    m_own.assign(plan.size(), {});
    m_stored.assign(plan.size(), std::nullopt);
    m_device = device;
    m_peaks.reset();
    m_storedPeaks.reset();
    m_roofs.reset();
    m_storedDevice.clear();
    m_storedWarning.clear();
    takeKnown();
    m_times = m_own;
    Q_EMIT planChanged();
    Q_EMIT peaksChanged();
    Q_EMIT deviceTextChanged();
    askStore(std::nullopt);
}

void Measuring::start(const std::vector<MeasuredPart>& plan,
                      const Device& device,
                      double budgetSeconds)
{
    show(plan, device);
    if (device.command.empty()) { // there is nobody to ask
        Q_EMIT finished();
        return;
    }
    setRunning(true);
    Q_EMIT progressChanged(partsDone(), static_cast<int>(m_plan.size()));
    launch(budgetSeconds, m_plan, known());
}

void Measuring::measurePeaks(double budgetSeconds)
{
    cancel();
    ++m_run;
    if (!m_storedPeaks) {
        m_storedPeaks = known().peaks;
    }
    KnownResults others = known();
    others.peaks.reset();
    m_peaksOnly = true;
    setRunning(true);
    Q_EMIT progressChanged(0, 0);
    launch(budgetSeconds, {}, std::move(others));
}

// Parts without a time wait as long as somebody measures.
void Measuring::setRunning(bool on)
{
    m_running = on;
    m_peaksOnly = on && m_peaksOnly;
    on ? m_silence.start() : m_silence.stop();
    heard();
    const std::vector<PartTime> before = m_times;
    for (std::size_t i = 0; i < m_times.size(); ++i) {
        m_times[i] = shownTime(i);
    }
    if (m_times != before) {
        Q_EMIT planChanged();
    }
}

int Measuring::silentSeconds() const
{
    const auto seconds = static_cast<int>(m_sinceAnswer.elapsed() / 1000);
    return m_running && seconds >= m_patience ? seconds : 0;
}

void Measuring::noteSilence()
{
    if (silentSeconds() == 0) {
        return;
    }
    for (std::size_t i = 0; i < m_times.size(); ++i) {
        showTime(i);
    }
    Q_EMIT progressChanged(partsDone(), static_cast<int>(m_plan.size()));
}

void Measuring::recall(const std::vector<MeasuredPart>& plan, const Device& device)
{
    m_thread.cancel();
    show(plan, device);
}

void Measuring::takeKnown()
{
    if (m_device.command.empty()) {
        return; // an imported device, of which there is only what is stored
    }
    for (std::size_t i = 0; i < m_plan.size(); ++i) {
        if (const Measured* measured = known().find(questionOf(m_plan[i].operation, {}))) {
            m_own[i] = partTime({.stage = PartStage::measured, .measured = *measured});
        }
    }
    if (known().peaks) {
        showPeaks(*known().peaks, known().described);
    }
}

void Measuring::launch(double budgetSeconds,
                       const std::vector<MeasuredPart>& plan,
                       KnownResults known)
{
    const int run = m_run;
    m_thread.start({.device = m_device,
                    .plan = plan,
                    .options = {.budgetSeconds = budgetSeconds},
                    .known = std::move(known),
                    .observer = observer(run),
                    .finished = [this, run](const MeasuringOutcome& outcome) {
                        atHome(run, [this, outcome] { end(outcome); });
                    }});
}

// Runs `act` on this object's thread, unless the run it belongs to was overtaken or cancelled by
// then. The object outlives its threads, and a call that is still queued when it dies is dropped by Qt.
template <class Act>
void Measuring::atHome(int run, Act act)
{
    QMetaObject::invokeMethod(
        this,
        [this, run, act = std::move(act)] {
            if (run == m_run) {
                act();
            }
        },
        Qt::QueuedConnection);
}

MeasuringObserver Measuring::observer(int run)
{
    return {.described =
                [this, run](const Described& described) {
                    atHome(run, [this, described] { takeDescribed(described); });
                },
            .peaks =
                [this, run](const PeaksMeasured& peaks) {
                    atHome(run, [this, peaks] { takePeaks(peaks); });
                },
            .part =
                [this, run](int part, const PartResult& result) {
                    atHome(run, [this, part, result] { take(part, result); });
                },
            .progress =
                [this, run](int part, const Progress&) {
                    atHome(run, [this, part] { takeProgress(part); });
                }};
}

// Whoever was silent is there again.
void Measuring::takeProgress(int part)
{
    const bool wasSilent = silentSeconds() > 0;
    heard();
    if (wasSilent) {
        showTime(static_cast<std::size_t>(part));
        Q_EMIT progressChanged(partsDone(), static_cast<int>(m_plan.size()));
    }
}

void Measuring::takeDescribed(const Described& described)
{
    heard();
    if (known().described != described) {
        known().described = described;
        m_storedPeaks.reset(); // perhaps those of another machine; askStore() looks again
        Q_EMIT deviceTextChanged();
    }
    askStore(described);
}

void Measuring::takePeaks(const PeaksMeasured& peaks)
{
    heard();
    if (m_store && known().described && known().peaks != peaks) {
        m_store->write([described = *known().described, peaks](MeasurementStore& store) {
            return store.keep(described, StoredPeaks{0, peaks, unixNow()});
        });
    }
    const std::optional<MachineRoofs> before = m_roofs;
    known().peaks = m_storedPeaks ? bestOf(*m_storedPeaks, peaks) : peaks;
    showPeaks(*known().peaks, known().described);
    if (m_roofs != before) {
        Q_EMIT peaksChanged();
    }
}

void Measuring::showPeaks(const PeaksMeasured& peaks, const std::optional<Described>& described)
{
    m_peaks = peaksOf(peaks);
    m_roofs = machineRoofs(
        peaks, m_device.name, described ? hardwareKindOf(*described) : HardwareKind::cpu);
}

void Measuring::take(int part, const PartResult& result)
{
    const auto index = static_cast<std::size_t>(part);
    heard();
    if (result.measured) {
        const MeasureRequest question = questionOf(m_plan[index].operation, {});
        known().keep(question, *result.measured);
        if (m_own[index].state == PartState::running) { // it is new
            keep(index, {question, *result.measured, unixNow()});
        }
    }
    const PartTime time = partTime(result);
    if (m_own[index] == time) {
        return; // known from the start
    }
    m_own[index] = time;
    showTime(index);
    Q_EMIT progressChanged(partsDone(), static_cast<int>(m_plan.size()));
}

// A time of this run of the program, else a stored one, which stays while it is measured again, and
// if it has settled and the new one has not.
PartTime Measuring::shownTime(std::size_t part) const
{
    const PartTime& own = m_own[part];
    const bool isWorse = own.state == PartState::notSettled && m_stored[part]
        && m_stored[part]->state == PartState::settled;
    if ((own.hasTime() && !isWorse) || !m_stored[part]) {
        return underway(own);
    }
    PartTime stored = *m_stored[part];
    if (own.state == PartState::failed) {
        stored.sentence = "Measured again, it failed: " + own.sentence;
    } else if (!own.sentence.empty()) {
        stored.sentence = own.sentence;
    }
    return stored;
}

// What stands for a part without a time while measuring runs.
PartTime Measuring::underway(PartTime time) const
{
    if (time.state == PartState::pending && m_running && !m_peaksOnly) {
        time.state = PartState::queued;
    } else if (time.state == PartState::running) {
        time.silentSeconds = silentSeconds();
    }
    return time;
}

void Measuring::showTime(std::size_t part)
{
    if (const PartTime time = shownTime(part); m_times[part] != time) {
        m_times[part] = time;
        Q_EMIT partChanged(static_cast<int>(part));
    }
}

// What the store has of the plan on the machine that the device was last, or is as described.
void Measuring::askStore(const std::optional<Described>& described)
{
    if (!m_store) {
        return;
    }
    const auto look = [this, run = m_run, plan = m_plan, device = m_device, described](
                          MeasurementStore& store) -> Status {
        if (described) {
            const Result<StoredMachine> machine = store.seen(device, *described, unixNow());
            if (!machine) {
                return machine.error();
            }
        }
        const Result<StoredMeasuring> stored = recalled(store, device, plan, {});
        if (!stored) {
            return stored.error();
        }
        atHome(run, [this, stored = *stored] { takeStored(stored); });
        return Done{};
    };
    if (described) {
        m_store->write(look);
    } else {
        m_store->read(look);
    }
}

void Measuring::takeStored(const StoredMeasuring& stored)
{
    const auto& described = stored.outcome.described;
    m_storedDevice = described ? described->device : "";
    m_storedWarning = described ? described->environment.warning : "";
    if (stored.machine && stored.machine->isImported()) {
        m_storedDevice += " of " + stored.machine->origin;
    }
    for (std::size_t i = 0; i < m_plan.size(); ++i) {
        m_stored[i].reset();
        if (const auto storedAt = stored.storedAt[i]) {
            m_stored[i] = partTime(stored.outcome.parts[i]);
            m_stored[i]->storedAt = storedAt;
        }
        showTime(i);
    }
    m_storedPeaks = stored.outcome.peaks;
    if (m_storedPeaks && !m_peaks) {
        showPeaks(*m_storedPeaks, described);
        Q_EMIT peaksChanged();
    }
    Q_EMIT deviceTextChanged();
}

void Measuring::keep(std::size_t part, const StoredResult& result)
{
    if (!m_store || !known().described) {
        return;
    }
    m_store->write([this, run = m_run, described = *known().described, part, result](
                       MeasurementStore& store) -> Status {
        const Result<StoredResult> stands = store.keep(described, result);
        if (!stands) {
            return stands.error();
        }
        if (result.measured.settled) {
            atHome(run, [this, part, stands = *stands] { takeRepeated(part, stands); });
        }
        return Done{};
    });
}

// A new result with what its earlier measurements gave; the stored one that was shown is among them.
void Measuring::takeRepeated(std::size_t part, const StoredResult& result)
{
    known().keep(result.question, result.measured);
    m_own[part] = partTime({.stage = PartStage::measured, .measured = result.measured});
    m_stored[part].reset();
    showTime(part);
}

void Measuring::lookForImports()
{
    if (!m_store) {
        return;
    }
    m_store->read([this](MeasurementStore& store) -> Status {
        const Result<std::vector<ImportedDevice>> imported = store.importedDevices();
        if (!imported) {
            return imported.error();
        }
        std::vector<Device> devices;
        for (const ImportedDevice& each : *imported) {
            devices.push_back(each.device);
        }
        QMetaObject::invokeMethod(
            this, [this, devices] { Q_EMIT devicesImported(devices); }, Qt::QueuedConnection);
        return Done{};
    });
}

void Measuring::end(const MeasuringOutcome& outcome)
{
    setRunning(false);
    if (outcome.unavailable) {
        Q_EMIT failed(QString::fromStdString(outcome.unavailable->message));
    }
    Q_EMIT finished();
}

void Measuring::cancel()
{
    if (!m_running) {
        return;
    }
    ++m_run; // what is still on its way is not wanted any more
    m_thread.cancel();
    for (PartTime& time : m_own) {
        time = time.state == PartState::running ? PartTime{} : time;
    }
    setRunning(false);
    Q_EMIT finished();
}

void Measuring::forget(const Device& device)
{
    m_known.erase(device.command);
}

std::optional<Measured> Measuring::result(int part) const
{
    const auto results = m_known.find(m_device.command);
    const Measured* found = results == m_known.end()
        ? nullptr
        : results->second.find(questionOf(m_plan[static_cast<std::size_t>(part)].operation, {}));
    return found != nullptr ? std::optional(*found) : std::nullopt;
}

QString Measuring::deviceText() const
{
    const auto found = m_known.find(m_device.command);
    const bool answered = found != m_known.end() && found->second.described;
    return QString::fromStdString(answered                     ? found->second.described->device
                                      : m_storedDevice.empty() ? m_device.name
                                                               : m_storedDevice);
}

QString Measuring::warning() const
{
    const auto found = m_known.find(m_device.command);
    const bool answered = found != m_known.end() && found->second.described;
    return QString::fromStdString(answered ? found->second.described->environment.warning
                                           : m_storedWarning);
}

int Measuring::partsDone() const
{
    return static_cast<int>(std::count_if(m_own.begin(), m_own.end(), [](const PartTime& time) {
        return time.state != PartState::pending && time.state != PartState::running;
    }));
}

} // namespace flopsmith::ui
