// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/present/part_time.h"
#include "core/protocol/device.h"
#include "core/protocol/measuring.h"
#include "ui/jobs/measuring_thread.h"

#include <QObject>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::ui {

/// Measures the parts of a model beside the window, one at a time, and tells as they arrive. What
/// was measured before on the same device is there at once. Starting anew overtakes what runs;
/// results of what was overtaken are dropped.
class Measuring : public QObject
{
    Q_OBJECT

public:
    explicit Measuring(QObject* parent = nullptr);
    ~Measuring() override;

    /// Measures `plan` within about `budgetSeconds`.
    void start(const std::vector<MeasuredPart>& plan, const Device& device, double budgetSeconds);

    /// Stops what runs: parts without a time go back to pending.
    void cancel();

    /// Drops what was measured on the device, so that the next start() measures it again.
    void forget(const Device& device);

    bool isRunning() const { return m_running; }

    /// Parallel to the plan of the last start().
    const std::vector<PartTime>& times() const { return m_times; }

    /// The plan of the last start().
    const std::vector<MeasuredPart>& plan() const { return m_plan; }

    /// Of the last start().
    const Device& device() const { return m_device; }

    /// Of the device of the last start(), once known.
    const std::optional<Peaks>& peaks() const { return m_peaks; }

    /// All roofs of that device, once known.
    const std::optional<MachineRoofs>& roofs() const { return m_roofs; }

    /// "Intel(R) Xeon(R) …, 2 cores", or the device's name as long as it has not answered.
    QString deviceText() const;

    /// Parts that have a time or have failed.
    int partsDone() const;

Q_SIGNALS:
    /// All of times() is new: a plan was started.
    void planChanged();
    void partChanged(int part);
    void peaksChanged();
    void deviceTextChanged();
    void progressChanged(int done, int of);

    /// The device cannot be asked at all; all parts without a time have failed. finished() follows.
    void failed(const QString& sentence);

    /// The run has ended, by itself or by cancel(); not when another start() overtook it.
    void finished();

private:
    void launch(double budgetSeconds);
    MeasuringObserver observer(int run);
    void takeKnown();
    void take(int part, const PartResult& result);
    void takePeaks(const PeaksMeasured& peaks);
    void showPeaks(const PeaksMeasured& peaks);
    void takeDescribed(const Described& described);
    void end(const MeasuringOutcome& outcome);
    KnownResults& known();

    template <class Act>
    void atHome(int run, Act act);

    std::vector<MeasuredPart> m_plan;
    std::vector<PartTime> m_times;
    Device m_device;
    std::optional<Peaks> m_peaks;
    std::optional<MachineRoofs> m_roofs;
    bool m_running = false;
    int m_run = 0; ///< numbers the runs, to tell results of overtaken ones
    std::map<std::vector<std::string>, KnownResults> m_known; ///< by command
    MeasuringThread m_thread; ///< last: it must end before anything it reports to
};

} // namespace flopsmith::ui
