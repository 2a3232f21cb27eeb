// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/measuring.h"

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

// Both threads use the file: the first failure is reported, and no later run uses it.
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

// Shows a plan with its known results, and looks up the stored ones.
void Measuring::show(const std::vector<MeasuredPart>& plan, const Device& device)
{
    ++m_run;
    m_running = false;
    m_peaksOnly = false;
    m_silence.stop();
    m_plan = plan;
    m_facts.choose(device);
    m_partTimes = PlanTimes(plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i) {
        if (const auto measured = m_facts.result(plan[i].operation)) {
            m_partTimes.take(i, {.stage = PartStage::measured, .measured = measured});
        }
    }
    readTimes();
    Q_EMIT planChanged();
    Q_EMIT peaksChanged();
    Q_EMIT deviceTextChanged();
    if (m_storeFile.empty()) {
        return;
    }
    m_store->recall(m_facts.device(), m_plan, [this, run = m_run](const StoredMeasuring& stored) {
        onGuiThread(run, [this, stored] {
            if (!m_facts.hasAnswered()) { // otherwise the machine that answered counts
                takeStored(stored);
            }
        });
    });
}

void Measuring::start(const std::vector<MeasuredPart>& plan,
                      const Device& device,
                      double budgetSeconds)
{
    show(plan, device);
    if (device.command.empty()) { // an imported device
        Q_EMIT finished();
        return;
    }
    setRunning(true);
    reportProgress();
    launch(budgetSeconds, m_facts.known());
}

void Measuring::measurePeaks(double budgetSeconds)
{
    cancel();
    ++m_run;
    KnownResults others = m_facts.known();
    others.peaks.reset();
    m_peaksOnly = true;
    setRunning(true);
    Q_EMIT progressChanged(0, 0);
    launch(budgetSeconds, std::move(others));
}

// Parts without a time are queued during a run and pending otherwise.
void Measuring::setRunning(bool on)
{
    m_running = on;
    m_peaksOnly = on && m_peaksOnly;
    on ? m_silence.start() : m_silence.stop();
    noteAnswer();
    const std::vector<PartTime> before = m_times;
    readTimes();
    if (m_times != before) {
        Q_EMIT planChanged();
    }
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
    reportProgress();
}

void Measuring::recall(const std::vector<MeasuredPart>& plan, const Device& device)
{
    m_thread.cancel();
    show(plan, device);
}

void Measuring::launch(double budgetSeconds, KnownResults known)
{
    const int run = m_run;
    m_thread.start({.device = m_facts.device(),
                    .plan = m_plan,
                    .peaksOnly = m_peaksOnly,
                    .options = {.budgetSeconds = budgetSeconds},
                    .known = std::move(known),
                    .store = m_storeFile,
                    .observer = observer(run),
                    .stored =
                        [this, run](const StoredMeasuring& stored) {
                            onGuiThread(run, [this, stored] { takeStored(stored); });
                        },
                    .storeFailed = storeFailure(),
                    .finished =
                        [this, run](const MeasuringOutcome& outcome) {
                            onGuiThread(run, [this, outcome] { end(outcome); });
                        }});
}

// Queues `act` to the GUI thread; it is dropped if its run was replaced or cancelled by then. This
// object outlives its threads, and Qt drops calls that are still queued when it is destroyed.
template <class Act>
void Measuring::onGuiThread(int run, Act act)
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
                    onGuiThread(run, [this, described] { takeDescribed(described); });
                },
            .peaks =
                [this, run](const PeaksMeasured& peaks) {
                    onGuiThread(run, [this, peaks] { takePeaks(peaks); });
                },
            .part =
                [this, run](int part, const PartResult& result) {
                    onGuiThread(run, [this, part, result] { take(part, result); });
                },
            .progress =
                [this, run](int part, const Progress&) {
                    onGuiThread(run, [this, part] { takeProgress(part); });
                }};
}

// Shows the part as running again if the device had been silent.
void Measuring::takeProgress(int part)
{
    const bool wasSilent = silentSeconds() > 0;
    noteAnswer();
    if (wasSilent) {
        showTime(static_cast<std::size_t>(part));
        reportProgress();
    }
}

void Measuring::takeDescribed(const Described& described)
{
    noteAnswer();
    if (m_facts.takeDescribed(described)) {
        Q_EMIT deviceTextChanged();
    }
}

void Measuring::takePeaks(const PeaksMeasured& peaks)
{
    noteAnswer();
    if (m_facts.takePeaks(peaks)) {
        Q_EMIT peaksChanged();
    }
}

void Measuring::take(int part, const PartResult& result)
{
    const auto index = static_cast<std::size_t>(part);
    noteAnswer();
    if (result.measured) {
        m_facts.known().keep(questionOf(m_plan[index].operation, {}), *result.measured);
    }
    if (m_partTimes.take(index, result)) {
        showTime(index);
        reportProgress();
    }
}

void Measuring::takeStored(const StoredMeasuring& stored)
{
    const bool newPeaks = m_facts.takeStored(stored);
    m_partTimes.takeStored(stored);
    showTimes();
    if (newPeaks) {
        Q_EMIT peaksChanged();
    }
    Q_EMIT deviceTextChanged();
}

void Measuring::lookForImports()
{
    if (m_storeFile.empty()) {
        return;
    }
    m_store->findImports([this](const std::vector<Device>& devices) {
        QMetaObject::invokeMethod(
            this, [this, devices] { Q_EMIT devicesImported(devices); }, Qt::QueuedConnection);
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
    ++m_run; // drops results that are still queued
    m_thread.cancel();
    m_partTimes.stop();
    setRunning(false);
    Q_EMIT finished();
}

} // namespace flopsmith::ui

#include "moc_measuring.cpp"
