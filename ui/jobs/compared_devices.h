// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/run_time_comparison.h"
#include "core/protocol/device/device.h"
#include "ui/jobs/measuring.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace flopsmith::ui {

/// The times of these parts as far as the measuring knows them; the others are pending.
std::vector<PartTime> timesOf(const Measuring& measuring, std::span<const MeasuredPart> parts);

/// Measures one plan on several devices, each with a Measuring of its own, beside a main device
/// that somebody else measures. Those of this machine would disturb each other: they wait until the
/// main one is done, if it is of this machine too, and measure one after the other. All others
/// measure at the same time. What goes wrong on one device concerns no other.
class ComparedDevices : public QObject
{
    Q_OBJECT

public:
    explicit ComparedDevices(QObject* parent = nullptr);
    ~ComparedDevices() override;

    /// From now on results are kept in the file, and shown from there until they are measured again.
    void useStore(const std::filesystem::path& file);

    /// Those that stay keep what they measured and go on; the others stop.
    void setDevices(const std::vector<Device>& devices);
    std::vector<Device> devices() const;

    /// Shows what is known and stored of the plan, where nothing runs or waits, and measures nothing.
    void recall(const std::vector<MeasuredPart>& plan);

    /// Measures what is not known of the plan yet, within about `budgetSeconds` on each device that
    /// has not said that it cannot be asked. With `machineIsBusy` those of this machine wait for
    /// machineIsFree().
    void start(const std::vector<MeasuredPart>& plan, double budgetSeconds, bool machineIsBusy);
    void machineIsFree();

    /// Stops what runs, and what waits does not start.
    void cancel();

    /// Drops what was measured, and that a device could not be asked.
    void forget();

    /// Some device has not said that it cannot be asked.
    bool hasReachable() const;

    /// Something runs, or waits for its turn.
    bool isRunning() const;

    /// Of the devices that run, wait, or are done with the plan of the last start().
    int partsDone() const;
    int partsInAll() const;

    /// In the order of the devices.
    std::vector<DeviceTimes> times(std::span<const MeasuredPart> parts) const;

Q_SIGNALS:
    void timesChanged();

    /// One of them cannot be asked; times() has the sentence.
    void failed(const QString& device, const QString& sentence);

    /// Nothing runs or waits any more.
    void finished();

private:
    enum class Turn { none, waits, runs, done };

    struct Entry
    {
        Device device{};
        std::unique_ptr<Measuring> measuring{};
        QString failure{}; ///< why it cannot be asked
        Turn turn = Turn::none;
    };

    std::unique_ptr<Entry> newEntry(const Device& device);
    void startNextHere();
    void run(Entry& entry);
    void takeEnd(Entry& entry);

    std::vector<std::unique_ptr<Entry>> m_entries; ///< each stays where it is: signals name it
    std::vector<MeasuredPart> m_plan;
    std::filesystem::path m_store; ///< empty: none is used
    double m_budgetSeconds = 0.0;
    bool m_machineIsBusy = false;
};

} // namespace flopsmith::ui
