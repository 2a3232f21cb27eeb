// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/measuring/window_measuring.h"

#include "ui/canvas/inside/inside_canvas.h"
#include "ui/canvas/inside/inside_page.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/claims_window.h"
#include "ui/chart_pages/comparison_tables.h"
#include "ui/chart_pages/curve_measuring.h"
#include "ui/measuring/devices_window.h"
#include "ui/measuring/measuring_control.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/headline/headline_strip.h"
#include "ui/window/settings/window_theme.h"
#include "ui/window/stack/stack_pages.h"

#include <QPushButton>

namespace flopsmith::ui {
namespace {

bool canMeasure(const MeasuringControl& control)
{
    const RunTimes& run = control.runTimes();
    return !control.device().command.empty() && run.unavailable.isEmpty() && !run.parts.empty();
}

} // namespace

WindowMeasuring::WindowMeasuring(Document& document,
                                 const Places& places,
                                 WindowTheme& theme,
                                 QWidget& window)
    : QObject(&window)
    , m_places(places)
    , m_theme(theme)
    , m_window(window)
    , m_control(new MeasuringControl(document, &window))
{
    connectBars();
    connectCharts();
    m_curves = new CurveMeasuring(document, places.charts.feed(), *m_control, &window);
    connectCurves();
    showTimes();
}

void WindowMeasuring::connectBars()
{
    HeadlineStrip& headline = m_places.headline;
    StatusLine& status = m_places.status;
    m_control->fillDeviceMenu(headline.deviceChip());
    connect(m_control, &MeasuringControl::deviceListRequested, this, [this] { showDevices(); });
    connect(m_control, &MeasuringControl::timesChanged, this, &WindowMeasuring::showTimes);
    connect(m_control, &MeasuringControl::progressed, &status, &StatusLine::setProgress);
    connect(m_control, &MeasuringControl::progressed, &headline, [&headline](int, int total) {
        headline.showMeasuring(total > 0);
    });
    connect(m_control, &MeasuringControl::unavailable, this, &WindowMeasuring::note);
    connect(m_control, &MeasuringControl::availableAgain, this, [this](const QString& sentence) {
        if (m_places.messages.sentence() == sentence) {
            m_places.messages.clear();
        }
    });
    connect(&status, &StatusLine::cancelled, m_control, &MeasuringControl::cancel);
    connect(&headline.measureButton(), &QPushButton::clicked, m_control, &MeasuringControl::toggle);
}

void WindowMeasuring::connectCharts()
{
    connect(m_control, &MeasuringControl::finished, this, [this] {
        m_places.charts.differences().timesMeasured();
        m_places.charts.feed().timesMeasured();
    });
    connect(
        &m_places.charts, &ChartPages::peaksRequested, m_control, &MeasuringControl::measurePeaks);
    connect(
        &m_places.charts, &ChartPages::measuringRequested, m_control, &MeasuringControl::toggle);
}

void WindowMeasuring::connectCurves()
{
    m_places.charts.addCurves(*m_curves);
    connect(m_curves, &CurveMeasuring::progressed, &m_places.status, &StatusLine::setProgress);
    connect(m_curves, &CurveMeasuring::unavailable, this, &WindowMeasuring::note);
    connect(&m_places.status, &StatusLine::cancelled, m_curves, &CurveMeasuring::cancel);
}

void WindowMeasuring::note(const QString& sentence)
{
    m_places.messages.show(MessageBar::Kind::note, sentence);
}

void WindowMeasuring::showTimes()
{
    ChartPages& charts = m_places.charts;
    const auto& run = m_control->runTimes();
    charts.setRunTimeWarning(m_control->deviceWarning());
    charts.offerMeasuringOn(canMeasure(*m_control) ? run.device : QString());
    m_places.headline.setDeviceWarning(m_control->deviceWarning());
    charts.feed().setRunTimes(run);
    charts.differences().compareTimesOn(m_control->device(), m_control->store());
    charts.feed().compareTimesOn(m_control->device(), m_control->store());
    m_places.stack.inside().canvas().setTimes(run.parts, run.times);
    charts.setPeaksBeaten(beatsPeaks(run));
}

ClaimsWindow& WindowMeasuring::showClaims()
{
    if (m_claims == nullptr) {
        m_claims = new ClaimsWindow(m_control->device(), &m_window);
        if (!m_control->store().empty()) {
            m_claims->useStore(m_control->store());
        }
        connect(&m_theme, &WindowTheme::changed, m_claims, &ClaimsWindow::updateIcons);
        connect(m_control, &MeasuringControl::deviceChanged, m_claims, [this] {
            m_claims->setDevice(m_control->device());
        });
        connect(m_claims, &ClaimsWindow::measuringStarted, m_control, &MeasuringControl::cancel);
        connect(m_claims, &ClaimsWindow::measuringStarted, m_curves, &CurveMeasuring::cancel);
        connect(m_control, &MeasuringControl::progressed, m_claims, [this](int, int total) {
            if (total > 0) {
                m_claims->cancel();
            }
        });
        Q_EMIT claimsOpened(m_claims->panel());
    }
    m_claims->show();
    m_claims->raise();
    m_claims->activateWindow();
    return *m_claims;
}

DevicesWindow& WindowMeasuring::showDevices()
{
    if (m_devices == nullptr) {
        m_devices = new DevicesWindow(&m_window);
        connect(&m_theme, &WindowTheme::changed, m_devices, &DevicesWindow::updateIcons);
        connect(m_devices, &DevicesWindow::devicesChanged, m_control, [this] {
            m_control->reloadDevices(m_places.headline.deviceChip());
        });
    } else if (!m_devices->isVisible()) {
        m_devices->refresh();
    }
    m_devices->show();
    m_devices->raise();
    m_devices->activateWindow();
    return *m_devices;
}

void WindowMeasuring::close()
{
    m_control->cancel();
    m_curves->cancel();
    if (m_claims != nullptr) {
        m_claims->close();
    }
    if (m_devices != nullptr) {
        m_devices->close();
    }
}

} // namespace flopsmith::ui

#include "moc_window_measuring.cpp"
