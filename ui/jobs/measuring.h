// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/present/part_time.h"
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

/// Measures the parts of a model beside the window, one at a time, and tells as they arrive. What
/// was measured before on the same device is there at once: in this run of the program, or, with a
/// store, in any earlier one; the latter is marked as stored and measured again. Starting anew
/// overtakes what runs; results of what was overtaken are dropped.
class Measuring : public QObject
{
    Q_OBJECT

public:
    explicit Measuring(QObject* parent = nullptr);
    ~Measuring() override;

    /// From now on results are kept in the file, and looked up there.
    void useStore(const std::filesystem::path& file);
    bool hasStore() const { return m_store != nullptr; }

    /// Shows what is known and stored of the plan and measures nothing. Overtakes what runs.
    void recall(const std::vector<MeasuredPart>& plan, const Device& device);

    /// Looks which devices have imported results; devicesImported() tells.
    void lookForImports();

    /// Of an imported device only shows what is stored. Else measures `plan` within about `budgetSeconds`.
    void start(const std::vector<MeasuredPart>& plan, const Device& device, double budgetSeconds);

    /// Measures the peaks of the device of the last start() or recall() anew, and nothing else. Of each
    /// rate the higher one counts, as before.
    void measurePeaks(double budgetSeconds);
    bool isMeasuringPeaks() const { return m_running && m_peaksOnly; }

    /// Stops what runs: parts without a time go back to pending.
    void cancel();

    /// Drops what was measured on the device, so that the next start() measures it again.
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

    /// What slows the device's kernels down and need not, one sentence, as it or the store said; empty
    /// if nothing is known.
    QString warning() const { return QString::fromStdString(m_facts.warning()); }

    /// Parts that have a time or have failed.
    int partsDone() const { return m_partTimes.done(); }

    /// For how long the device that measures has said nothing; 0 for less than is worth a word.
    int silentSeconds() const;

    /// Seconds of silence that are no news: drawing weights and checking take some.
    void setPatience(int seconds) { m_patience = seconds; }

Q_SIGNALS:
    /// All of times() is new: a plan was started, or nobody measures any more.
    void planChanged();
    void partChanged(int part);
    void peaksChanged();
    void deviceTextChanged();
    void progressChanged(int done, int of);

    /// The device cannot be asked at all; all parts without a time have failed. finished() follows.
    void failed(const QString& sentence);

    /// What can be chosen beside the devices that can be asked.
    void devicesImported(const std::vector<Device>& devices);

    /// The store cannot be used, and is not any more.
    void storeFailed(const QString& sentence);

    /// The run has ended, by itself or by cancel(); not when another start() overtook it.
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
    std::vector<PartTime> m_times; ///< what is shown of them
    DeviceFacts m_facts;
    bool m_running = false;
    bool m_peaksOnly = false; ///< what runs does not come to the parts
    QElapsedTimer m_sinceAnswer; ///< since the device last said something
    int m_patience = 5; ///< seconds
    QTimer m_silence; ///< looks for it every second while measuring runs
    int m_run = 0; ///< numbers the runs, to tell results of overtaken ones
    std::filesystem::path m_storeFile; ///< empty: none is used, or it has failed
    // Last: they must end before anything that they report to.
    std::unique_ptr<StoreThread> m_store;
    MeasuringThread m_thread;
};

} // namespace flopsmith::ui
