// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/present/time/part_time.h"
#include "core/protocol/device/device.h"
#include "core/protocol/measuring/measuring.h"
#include "ui/jobs/device_facts.h"
#include "ui/jobs/measuring_thread.h"
#include "ui/jobs/plan_times.h"
#include "ui/jobs/store_thread.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace flopsmith::ui {

/// Measures the parts of a model in the background, one at a time, and emits a signal for each
/// result. Results that the same device gave before are shown at once: those of this run of the
/// program, and, with a store, those of earlier runs, which are marked as stored and measured
/// again. A new start() replaces the current run, whose later results are dropped.
class Measuring : public QObject
{
    Q_OBJECT

public:
    explicit Measuring(QObject* parent = nullptr);
    ~Measuring() override;

    /// From now on results are stored in the file and looked up there.
    void useStore(const std::filesystem::path& file);
    bool hasStore() const { return m_store != nullptr; }

    /// Shows the known and stored times of the plan and measures nothing. Replaces the current run.
    void recall(const std::vector<MeasuredPart>& plan, const Device& device);

    /// Looks up the devices that have imported results; devicesImported() follows.
    void lookForImports();

    /// Measures `plan` within about `budgetSeconds`. For an imported device, shows what is stored.
    void start(const std::vector<MeasuredPart>& plan, const Device& device, double budgetSeconds);

    /// Measures only the peaks of the device of the last start() or recall() again. The higher
    /// value of each rate is kept.
    void measurePeaks(double budgetSeconds);
    bool isMeasuringPeaks() const { return m_running && m_peaksOnly; }

    /// Stops the current run: parts without a time are pending again.
    void cancel();

    /// Forgets the results of the device, so that the next start() measures it again.
    void forget(const Device& device) { m_facts.forget(device); }

    bool isRunning() const { return m_running; }

    /// Parallel to the plan of the last start().
    const std::vector<PartTime>& times() const { return m_times; }

    /// All that is known of a part of the plan; nothing while it has no time.
    std::optional<Measured> result(int part) const
    {
        return m_facts.result(m_plan[static_cast<std::size_t>(part)].operation);
    }

    /// The plan of the last start().
    const std::vector<MeasuredPart>& plan() const { return m_plan; }

    /// Of the last start().
    const Device& device() const { return m_facts.device(); }

    /// Of the device of the last start(), once known.
    const std::optional<Peaks>& peaks() const { return m_facts.peaks(); }

    /// All roofs of that device, once known.
    const std::optional<MachineRoofs>& roofs() const { return m_facts.roofs(); }

    /// "Intel(R) Xeon(R) …, 2 cores", or the device's name as long as it has not answered.
    QString deviceText() const { return QString::fromStdString(m_facts.text()); }

    /// An avoidable reason why the device's kernels are slow, as one sentence; empty if none is
    /// known.
    QString warning() const { return QString::fromStdString(m_facts.warning()); }

    /// Parts that have a time or have failed.
    int partsDone() const { return m_partTimes.done(); }

    /// Seconds since the last answer of the measuring device; 0 below the patience.
    int silentSeconds() const;

    /// Seconds without an answer that are normal: drawing weights and checking take some.
    void setPatience(int seconds) { m_patience = seconds; }

Q_SIGNALS:
    /// All of times() has changed: a plan was started, or measuring ended.
    void planChanged();
    void partChanged(int part);
    void peaksChanged();
    void deviceTextChanged();
    void progressChanged(int done, int of);

    /// The device cannot be asked at all; all parts without a time have failed. finished() follows.
    void failed(const QString& sentence);

    /// The devices with imported results, which can be chosen but not measured.
    void devicesImported(const std::vector<Device>& devices);

    /// The store has failed; no later run uses it.
    void storeFailed(const QString& sentence);

    /// The run has ended, by itself or by cancel(). Not emitted when another start() replaced it.
    void finished();

private:
    void show(const std::vector<MeasuredPart>& plan, const Device& device);
    void launch(double budgetSeconds, KnownResults known);
    MeasuringObserver observer(int run);
    void take(int part, const PartResult& result);
    void takeProgress(int part);
    void takePeaks(const PeaksMeasured& peaks);
    void takeDescribed(const Described& described);
    void takeStored(const StoredMeasuring& stored);
    std::function<void(const Error&)> storeFailure();
    void end(const MeasuringOutcome& outcome);
    void setRunning(bool on);
    void noteAnswer() { m_sinceAnswer.restart(); }
    void noteSilence();
    void reportProgress() { Q_EMIT progressChanged(partsDone(), static_cast<int>(m_plan.size())); }
    DeviceActivity activity() const { return {m_running && !m_peaksOnly, silentSeconds()}; }
    void readTimes();
    void showTime(std::size_t part);
    void showTimes();

    template <class Act>
    void onGuiThread(int run, Act act);

    std::vector<MeasuredPart> m_plan;
    PlanTimes m_partTimes;
    std::vector<PartTime> m_times; ///< as shown
    DeviceFacts m_facts;
    bool m_running = false;
    bool m_peaksOnly = false; ///< the current run measures no parts
    QElapsedTimer m_sinceAnswer; ///< since the last answer of the device
    int m_patience = 5; ///< seconds
    QTimer m_silence; ///< checks for it every second during a run
    int m_run = 0; ///< number of the current run; results of earlier ones are dropped
    std::filesystem::path m_storeFile; ///< empty: none is used, or it has failed
    // Last, so that the threads end before the members that they report to.
    std::unique_ptr<StoreThread> m_store;
    MeasuringThread m_thread;
};

} // namespace flopsmith::ui
