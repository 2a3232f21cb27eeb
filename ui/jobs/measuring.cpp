// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/measuring.h"

#include "core/study/measured_roofs.h"
#include "ui/jobs/part_times.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

Measuring::Measuring(QObject* parent)
    : QObject(parent)
{}

Measuring::~Measuring() = default;

KnownResults& Measuring::known()
{
    return m_known[m_device.command];
}

void Measuring::start(const std::vector<MeasuredPart>& plan,
                      const Device& device,
                      double budgetSeconds)
{
    ++m_run;
    m_plan = plan;
    m_times.assign(plan.size(), {});
    m_device = device;
    m_peaks.reset();
    m_roofs.reset();
    takeKnown();
    Q_EMIT planChanged();
    Q_EMIT peaksChanged();
    Q_EMIT deviceTextChanged();
    Q_EMIT progressChanged(partsDone(), static_cast<int>(m_plan.size()));
    launch(budgetSeconds);
}

void Measuring::takeKnown()
{
    for (std::size_t i = 0; i < m_plan.size(); ++i) {
        if (const Measured* measured = known().find(m_plan[i].operation, 0)) {
            m_times[i] = partTime({.stage = PartStage::measured, .measured = *measured});
        }
    }
    if (known().peaks) {
        showPeaks(*known().peaks);
    }
}

void Measuring::launch(double budgetSeconds)
{
    m_running = true;
    const int run = m_run;
    m_thread.start({.device = m_device,
                    .plan = m_plan,
                    .options = {.budgetSeconds = budgetSeconds},
                    .known = known(),
                    .observer = observer(run),
                    .finished = [this, run](const MeasuringOutcome& outcome) {
                        atHome(run, [this, outcome] { end(outcome); });
                    }});
}

// Runs `act` on this object's thread, unless the run it belongs to is over by then. The object
// outlives the measuring thread, and a call that is still queued when it dies is dropped by Qt.
template <class Act>
void Measuring::atHome(int run, Act act)
{
    QMetaObject::invokeMethod(
        this,
        [this, run, act = std::move(act)] {
            if (m_running && run == m_run) {
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
            .progress = {}};
}

void Measuring::takeDescribed(const Described& described)
{
    if (known().described != described) {
        known().described = described;
        Q_EMIT deviceTextChanged();
    }
}

void Measuring::takePeaks(const PeaksMeasured& peaks)
{
    const std::optional<MachineRoofs> before = m_roofs;
    known().peaks = peaks;
    showPeaks(peaks);
    if (m_roofs != before) {
        Q_EMIT peaksChanged();
    }
}

void Measuring::showPeaks(const PeaksMeasured& peaks)
{
    const std::optional<Described>& described = known().described;
    m_peaks = peaksOf(peaks);
    m_roofs = machineRoofs(
        peaks, m_device.name, described ? hardwareKindOf(*described) : HardwareKind::cpu);
}

void Measuring::take(int part, const PartResult& result)
{
    const auto index = static_cast<std::size_t>(part);
    if (result.measured) {
        known().keep(m_plan[index].operation, 0, *result.measured);
    }
    const PartTime time = partTime(result);
    if (m_times[index] == time) {
        return; // known from the start
    }
    m_times[index] = time;
    Q_EMIT partChanged(part);
    Q_EMIT progressChanged(partsDone(), static_cast<int>(m_plan.size()));
}

void Measuring::end(const MeasuringOutcome& outcome)
{
    m_running = false;
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
    m_running = false;
    m_thread.cancel();
    for (std::size_t i = 0; i < m_times.size(); ++i) {
        if (m_times[i].state == PartState::running) {
            m_times[i] = {};
            Q_EMIT partChanged(static_cast<int>(i));
        }
    }
    Q_EMIT finished();
}

void Measuring::forget(const Device& device)
{
    m_known.erase(device.command);
}

QString Measuring::deviceText() const
{
    const auto found = m_known.find(m_device.command);
    const bool answered = found != m_known.end() && found->second.described;
    return QString::fromStdString(answered ? found->second.described->device : m_device.name);
}

int Measuring::partsDone() const
{
    return static_cast<int>(std::count_if(m_times.begin(), m_times.end(), [](const PartTime& time) {
        return time.state != PartState::pending && time.state != PartState::running;
    }));
}

} // namespace flopsmith::ui
