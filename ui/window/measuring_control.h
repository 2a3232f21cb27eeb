// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/device.h"
#include "ui/document/document.h"
#include "ui/jobs/measuring.h"
#include "ui/window/chart_feed.h"

#include <QObject>
#include <QTimer>

namespace flopsmith::ui {

class ChoiceChip;

/// Run times of the document: what is known of the present scenario, and measuring what is not,
/// when it is asked for or when the hand has come to rest.
class MeasuringControl : public QObject
{
    Q_OBJECT

public:
    /// Milliseconds without a change after which measuring starts by itself.
    static constexpr int kRest = 400;

    explicit MeasuringControl(Document& document, QObject* parent = nullptr);

    const RunTimes& runTimes() const { return m_runTimes; }

    const Device& device() const { return m_device; }

    /// "Intel(R) Xeon(R) …, 2 cores" once the device has said so, before that its name.
    QString deviceDescription() const { return m_described; }

    /// Measures all parts anew; if that is going on, stops it.
    void toggle();

    /// Measures the parts that are not known yet.
    void measure();
    void cancel();
    bool isMeasuring() const { return m_measuring.isRunning(); }

    bool isAutomatic() const { return m_automatic; }
    void setAutomatic(bool on);

    /// Devices, the way to their list, and the automatic start, as choices.
    void fillDeviceMenu(ChoiceChip& chip);

    /// Reads the list of devices anew. One that is gone measures no more; this CPU takes its place.
    void reloadDevices(ChoiceChip& chip);

Q_SIGNALS:
    void timesChanged();
    void deviceChanged();

    /// The list of devices is wanted on the screen.
    void deviceListRequested();

    /// Parts done of a total; 0 of 0 when nothing is being measured.
    void progressed(int done, int total, const QString& text);

    /// Nothing can be measured there; the reason.
    void unavailable(const QString& sentence);

    /// All that could be measured is, or it was cancelled.
    void finished();

private:
    void connectMeasuring();
    void chooseDevice(ChoiceChip& chip, const Device& device);
    void readScenario();
    void readTimes();
    void tellProgress();
    void restartRest();

    Document& m_document;
    RunTimes m_runTimes;
    std::vector<Device> m_devices;
    Device m_device;
    QString m_described;
    QTimer m_rest;
    bool m_automatic;
    bool m_reachable = true; ///< false once the device has said that it cannot be asked
    Measuring m_measuring;
};

} // namespace flopsmith::ui
