// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChartPages;
class ChartPanel;
class ClaimsWindow;
class CurveMeasuring;
class DevicesWindow;
class Document;
class HeadlineStrip;
class MeasuringControl;
class MessageBar;
class StackPages;
class StatusLine;
class WindowTheme;

/// Measuring in the window: what measures the parts and the curves, connected with what starts it,
/// shows its progress and shows its times, and the windows of claims and of devices.
class WindowMeasuring : public QObject
{
    Q_OBJECT

public:
    /// Where times and progress are shown.
    struct Places
    {
        HeadlineStrip& headline;
        MessageBar& messages;
        StatusLine& status;
        StackPages& stack;
        ChartPages& charts;
    };

    WindowMeasuring(Document& document, const Places& places, WindowTheme& theme, QWidget& window);

    MeasuringControl& control() { return *m_control; }
    CurveMeasuring& curves() { return *m_curves; }

    /// Opens the claims window, or brings it to the front.
    ClaimsWindow& showClaims();

    /// Opens the devices window, or brings it to the front.
    DevicesWindow& showDevices();

    /// Cancels what is measured and closes both windows.
    void close();

Q_SIGNALS:
    /// The claims window was made, with this chart.
    void claimsOpened(ChartPanel& panel);

private:
    void connectBars();
    void connectCharts();
    void connectCurves();
    void showTimes();
    void note(const QString& sentence);

    Places m_places;
    WindowTheme& m_theme;
    QWidget& m_window;
    MeasuringControl* m_control;
    CurveMeasuring* m_curves = nullptr;
    ClaimsWindow* m_claims = nullptr; ///< created on first use
    DevicesWindow* m_devices = nullptr; ///< likewise
};

} // namespace flopsmith::ui
