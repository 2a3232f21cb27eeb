// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/run_time_comparison.h"
#include "core/protocol/device/device.h"
#include "ui/jobs/measuring.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace flopsmith::ui {

/// The times of these parts; those that the measuring does not know are pending.
std::vector<PartTime> timesOf(const Measuring& measuring, std::span<const MeasuredPart> parts);

/// Measures one plan on several devices, each with its own Measuring, next to a main device that
/// its user measures. Devices of this machine would disturb each other: they wait until the main
/// device is done, if that is of this machine too, and then measure one after the other. Other
/// devices measure at the same time. A failure on one device does not affect the others.
class ComparedDevices : public QObject
{
    Q_OBJECT

public:
    explicit ComparedDevices(QObject* parent = nullptr);
    ~ComparedDevices() override;

    /// From now on results are stored in the file, and shown from there until they are measured
    /// again.
    void useStore(const std::filesystem::path& file);

    /// Devices that stay keep their results and go on; removed ones stop.
    void setDevices(const std::vector<Device>& devices);
    std::vector<Device> devices() const;

    /// Shows the known and stored times on devices that neither measure nor wait. Measures nothing.
    void recall(const std::vector<MeasuredPart>& plan);

    /// Measures the unknown parts of the plan within about `budgetSeconds` on each available
    /// device. With `machineIsBusy` devices of this machine wait for machineIsFree().
    void start(const std::vector<MeasuredPart>& plan, double budgetSeconds, bool machineIsBusy);
    void machineIsFree();

    /// Stops the running devices; waiting ones do not start.
    void cancel();

    /// Forgets the results, and that a device was unavailable.
    void forget();

    /// Whether any device is available, as far as known.
    bool hasReachable() const;

    /// Whether any device measures or waits for its turn.
    bool isRunning() const;

    /// Summed over the devices that measure, wait, or are done with the plan of the last start().
    int partsDone() const;
    int partsInAll() const;

    /// In the order of the devices.
    std::vector<DeviceTimes> times(std::span<const MeasuredPart> parts) const;

Q_SIGNALS:
    void timesChanged();

    /// A device is unavailable; times() has the sentence.
    void failed(const QString& device, const QString& sentence);

    /// No device measures or waits any more.
    void finished();

private:
    enum class Turn { none, waits, runs, done };

    struct Entry
    {
        Device device{};
        std::unique_ptr<Measuring> measuring{};
        QString failure{}; ///< why it is unavailable
        Turn turn = Turn::none;
    };

    std::unique_ptr<Entry> newEntry(const Device& device);
    void startNextHere();
    void run(Entry& entry);
    void takeEnd(Entry& entry);

    std::vector<std::unique_ptr<Entry>>
        m_entries; ///< by pointer, because signal handlers refer to them
    std::vector<MeasuredPart> m_plan;
    std::filesystem::path m_store; ///< empty: none is used
    double m_budgetSeconds = 0.0;
    bool m_machineIsBusy = false;
};

} // namespace flopsmith::ui
