// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/measuring.h"

#include "core/protocol/measuring/best_peaks.h"
#include "core/study/measured_roofs.h"
#include "ui/jobs/part_times.h"

#include <QMetaObject>

#include <utility>

namespace flopsmith::ui {

Measuring::Measuring(QObject* parent)
    : QObject(parent)
{
    m_silence.setInterval(1000);
    connect(&m_silence, &QTimer::timeout, this, &Measuring::noteSilence);
}

Measuring::~Measuring() = default;

void Measuring::useStore(const std::filesystem::path& file)
{
    m_storeFile = file;
    m_store = std::make_unique<StoreThread>(file, storeFailure());
}

// Both threads read the file: the first failure is told, and then neither uses it.
std::function<void(const Error&)> Measuring::storeFailure()
{
    return [this](const Error& error) {
        QMetaObject::invokeMethod(
            this,
            [this, sentence = QString::fromStdString(error.message)] {
                if (!std::exchange(m_storeFile, {}).empty()) {
                    Q_EMIT storeFailed(sentence);
                }
            },
            Qt::QueuedConnection);
    };
}

// Takes over a plan, with what is known of it.
void Measuring::show(const std::vector<MeasuredPart>& plan, const Device& device)
{
    ++m_run;
    m_running = false;
    m_peaksOnly = false;
    m_silence.stop();
    m_plan = plan;
    m_partTimes = PlanTimes(plan.size());
    m_device = device;
    m_peaks.reset();
    m_roofs.reset();
    m_storedDescribed.reset();
    m_hasAnswered = false;
    takeKnown();
    readTimes();
    Q_EMIT planChanged();
    Q_EMIT peaksChanged();
    Q_EMIT deviceTextChanged();
    askStore();
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
    launch(budgetSeconds, known());
}

void Measuring::measurePeaks(double budgetSeconds)
{
    cancel();
    ++m_run;
    KnownResults others = known();
    others.peaks.reset();
    m_peaksOnly = true;
    setRunning(true);
    Q_EMIT progressChanged(0, 0);
    launch(budgetSeconds, std::move(others));
}

// Parts without a time wait as long as somebody measures.
void Measuring::setRunning(bool on)
{
    m_running = on;
    m_peaksOnly = on && m_peaksOnly;
    on ? m_silence.start() : m_silence.stop();
    heard();
    const std::vector<PartTime> before = m_times;
    readTimes();
    if (m_times != before) {
        Q_EMIT planChanged();
    }
}

DeviceActivity Measuring::activity() const
{
    return {.measuresParts = m_running && !m_peaksOnly, .silentSeconds = silentSeconds()};
}

void Measuring::readTimes()
{
    m_times.clear();
    for (std::size_t i = 0; i < m_plan.size(); ++i) {
        m_times.push_back(m_partTimes.shown(i, activity()));
    }
}

void Measuring::showTime(std::size_t part)
{
    if (const PartTime time = m_partTimes.shown(part, activity()); m_times[part] != time) {
        m_times[part] = time;
        Q_EMIT partChanged(static_cast<int>(part));
    }
}

void Measuring::showTimes()
{
    for (std::size_t i = 0; i < m_times.size(); ++i) {
        showTime(i);
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
    showTimes();
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
            m_partTimes.take(i, {.stage = PartStage::measured, .measured = *measured});
        }
    }
    if (known().peaks) {
        showPeaks(*known().peaks, known().described);
    }
}

void Measuring::launch(double budgetSeconds, KnownResults known)
{
    const int run = m_run;
    m_thread.start({.device = m_device,
                    .plan = m_plan,
                    .peaksOnly = m_peaksOnly,
                    .options = {.budgetSeconds = budgetSeconds},
                    .known = std::move(known),
                    .store = m_storeFile,
                    .observer = observer(run),
                    .stored =
                        [this, run](const StoredMeasuring& stored) {
                            atHome(run, [this, stored] { takeStored(stored); });
                        },
                    .storeFailed = storeFailure(),
                    .finished =
                        [this, run](const MeasuringOutcome& outcome) {
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
    m_hasAnswered = true;
    if (known().described != described) {
        known().described = described;
        Q_EMIT deviceTextChanged();
    }
}

void Measuring::takePeaks(const PeaksMeasured& peaks)
{
    heard();
    const std::optional<MachineRoofs> before = m_roofs;
    known().peaks = m_peaksOnly && known().peaks ? bestOf(*known().peaks, peaks) : peaks;
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
        known().keep(questionOf(m_plan[index].operation, {}), *result.measured);
    }
    if (m_partTimes.take(index, result)) {
        showTime(index);
        Q_EMIT progressChanged(partsDone(), static_cast<int>(m_plan.size()));
    }
}

// What the store has of the plan on the machine that the device was last, until the device itself
// has answered: the measuring thread then tells what the store has of that machine.
void Measuring::askStore()
{
    if (m_storeFile.empty()) {
        return;
    }
    m_store->read(
        [this, run = m_run, plan = m_plan, device = m_device](MeasurementStore& store) -> Status {
            const Result<StoredMeasuring> stored = recalled(store, device, plan, {});
            if (!stored) {
                return stored.error();
            }
            atHome(run, [this, stored = *stored] {
                if (!m_hasAnswered) {
                    takeStored(stored);
                }
            });
            return Done{};
        });
}

void Measuring::takeStored(const StoredMeasuring& stored)
{
    m_storedDescribed = stored.outcome.described;
    if (m_storedDescribed && stored.machine && stored.machine->isImported()) {
        m_storedDescribed->device += " of " + stored.machine->origin;
    }
    m_partTimes.takeStored(stored);
    showTimes();
    if (stored.outcome.peaks && !m_peaks) {
        showPeaks(*stored.outcome.peaks, stored.outcome.described);
        Q_EMIT peaksChanged();
    }
    Q_EMIT deviceTextChanged();
}

void Measuring::lookForImports()
{
    if (m_storeFile.empty()) {
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
    m_partTimes.stop();
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

// As the device has said in this run of the program, or else as the store knows it.
const Described* Measuring::described() const
{
    const auto found = m_known.find(m_device.command);
    if (found != m_known.end() && found->second.described) {
        return &*found->second.described;
    }
    return m_storedDescribed ? &*m_storedDescribed : nullptr;
}

QString Measuring::deviceText() const
{
    const Described* device = described();
    return QString::fromStdString(device != nullptr ? device->device : m_device.name);
}

QString Measuring::warning() const
{
    const Described* device = described();
    return device != nullptr ? QString::fromStdString(device->environment.warning) : QString();
}

} // namespace flopsmith::ui
