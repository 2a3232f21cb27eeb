// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/device/device.h"
#include "ui/document/document.h"
#include "ui/jobs/compared_devices.h"
#include "ui/jobs/measuring.h"
#include "ui/measuring/program_build.h"
#include "ui/measuring/run_times.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <filesystem>
#include <vector>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChoiceChip;

/// Run times of the document's scenario: shows the known ones and measures the others, on request
/// or once the document has not changed for a while. One device measures, and others may be
/// compared with it; the choice is kept in the settings.
class MeasuringControl : public QObject
{
    Q_OBJECT

public:
    /// Time without a change after which measuring starts by itself.
    static constexpr int kIdleMilliseconds = 400;

    explicit MeasuringControl(Document& document, QObject* parent = nullptr);

    /// From now on results are stored in the file, and shown from there until they are measured
    /// again; devices with imported results can be chosen.
    void useStore(const std::filesystem::path& file);
    const std::filesystem::path& store() const { return m_store; }

    const RunTimes& runTimes() const { return m_runTimes; }

    const Device& device() const { return m_device; }

    /// The compared devices that are in the list of devices.
    std::vector<Device> comparedDevices() const;

    /// "Intel(R) Xeon(R) …, 2 cores", or the device's name before it has answered.
    QString deviceDescription() const { return m_described; }

    /// An avoidable reason why the device is slow; empty if none is known.
    QString deviceWarning() const;

    /// Measures all parts again, or stops the current run.
    void toggle();

    /// Measures the device's peaks again, on which the lower bounds depend, and no parts.
    void measurePeaks();

    /// Measures the parts that are not known yet.
    void measure();
    void cancel();
    bool isMeasuring() const { return m_measuring.isRunning() || m_compared.isRunning(); }

    /// If measuring would take longer, it does not start by itself; its expected duration is shown
    /// instead.
    static constexpr double kAutomaticSeconds = 30.0;

    /// Whether measuring starts by itself once the document has not changed for a while. The choice
    /// is kept in the settings; measuring for the first time switches it on.
    bool isAutomatic() const { return m_automatic; }
    void setAutomatic(bool on);
    void chooseAutomatic(bool on);

    /// Fills the menu: devices, compared devices, the list of devices, and the automatic start.
    void fillDeviceMenu(ChoiceChip& chip);

    /// Reads the list of devices again. This CPU replaces a measuring device that was removed.
    void reloadDevices(ChoiceChip& chip);

Q_SIGNALS:
    void timesChanged();
    void deviceChanged();

    /// The user wants to see the list of devices.
    void deviceListRequested();

    /// Parts done of a total; 0 of 0 when nothing is measured.
    void progressed(int done, int total, const QString& text);

    /// The device or the store cannot be used; the reason.
    void unavailable(const QString& sentence);

    /// That reason no longer holds.
    void availableAgain(const QString& sentence);

    /// Measuring ended or was cancelled.
    void finished();

private:
    void connectMeasuring();
    void connectCompared();
    void addComparisons(QMenu& menu);
    void compareWith(const Device& device, bool on);
    void showChoice() const;
    void end();
    bool canAsk() const { return m_unavailable.isEmpty() && !isImported(); }
    void measureWhenIdle();
    bool isShort();
    void fillDeviceMenu();
    void takeImported(const std::vector<Device>& devices);
    bool isImported() const { return m_device.command.empty(); }
    void chooseDevice(const Device& device);
    void readScenario();
    void readTimes();
    void reportProgress();
    void restartIdleTimer();

    Document& m_document;
    RunTimes m_runTimes;
    std::vector<Device> m_devices; ///< that can be measured
    std::vector<Device> m_imported; ///< that have only stored results
    std::filesystem::path m_store; ///< empty: none is used
    ChoiceChip* m_chip = nullptr;
    Device m_device;
    QString m_described;
    QTimer m_idleTimer;
    bool m_automatic;
    QString m_tooLong; ///< why it did not start by itself; else empty
    QString m_unavailable; ///< why the device cannot be used; else empty
    QStringList m_comparedNames; ///< also of devices that are not in the list now
    ProgramBuild m_build; ///< of the program that measures on this CPU
    Measuring m_measuring;
    ComparedDevices m_compared;
};

} // namespace flopsmith::ui
