// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_pickers.h"

#include "core/parameter/parameter_table.h"
#include "core/study/variation/metric.h"
#include "ui/chart_pages/curve_measuring.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/lens_menu.h"
#include "ui/widgets/menu_heading.h"
#include "ui/widgets/values/parameter_editor.h"

#include <QApplication>
#include <QMenu>
#include <QToolButton>

namespace flopsmith::ui {

ChartPickers::ChartPickers(Document& document, ChartFeed& feed, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_feed(feed)
    , m_metric(new ChoiceChip(QStringLiteral("metric"), QString(), tr("What the curves show")))
    , m_axis(new ChoiceChip(QStringLiteral("axis"), tr("over"), tr("Over which parameter")))
    , m_hardware(new ChoiceChip(QStringLiteral("hardware"), tr("on"), tr("Memory and roofs of")))
    , m_from(new ChoiceChip(QStringLiteral("from"), tr("from"), tr("Lens to start from")))
    , m_to(new ChoiceChip(QStringLiteral("to"), tr("to"), tr("Lens to end at")))
{
    m_metric->setCharacters(9, 12);
    m_axis->setCharacters(7, 12);
    m_hardware->setCharacters(12, 28);
    m_from->setCharacters(6, 22);
    m_to->setCharacters(6, 22);
    fillMetricMenu();
    connect(&m_axis->choices(), &QMenu::aboutToShow, this, &ChartPickers::fillAxisMenu);
    connect(&m_hardware->choices(), &QMenu::aboutToShow, this, &ChartPickers::fillHardwareMenu);
    fillLensMenu(m_from->choices(), [this](LensId from) {
        m_feed.choices().setWaterfall(from, m_feed.choices().to());
    });
    fillLensMenu(m_to->choices(),
                 [this](LensId to) { m_feed.choices().setWaterfall(m_feed.choices().from(), to); });
    connect(&m_feed.choices(), &ChartChoices::changed, this, &ChartPickers::showChoices);
}

// The counted metrics, and below them those that need a device's figures. It is the device of
// memory and roofline and can be changed here too.
void ChartPickers::fillMetricMenu()
{
    QMenu& menu = m_metric->choices();
    const auto add = [this, &menu](const Metric& each) {
        QAction* action = submenuOf(menu, fromUtf8(metricGroup(each)))
                              .addAction(fromUtf8(each.title), this, [this, id = each.id] {
                                  m_feed.choices().setMetric(id);
                              });
        action->setToolTip(fromUtf8(each.help));
        return action;
    };
    for (const Metric& each : metrics(MetricNeeds::nothing)) {
        m_metricActions.emplace_back(each.id, add(each));
    }
    menu.addSeparator();
    menu.addMenu(&m_hardware->choices());
    for (const Metric& each : metrics(MetricNeeds::hardware)) {
        m_metricActions.emplace_back(each.id, add(each));
    }
    menu.setToolTipsVisible(true);
}

// Enables the metrics that the device has figures for, and that the scope has.
void ChartPickers::showMetrics()
{
    const MetricBasis basis = m_feed.metricBasis();
    m_hardware->choices().setTitle(tr("On %1").arg(m_feed.hardwareName()));
    for (const auto& [id, action] : m_metricActions) {
        const Status has = computable(id, basis);
        action->setEnabled(has.ok());
        action->setToolTip(
            fromUtf8(flopsmith::metric(id).help)
            + (has.ok() ? QString()
                   : !basis.on && flopsmith::metric(id).needs == MetricNeeds::hardware
                   ? tr("\nThe roofs of %1 are not measured yet.").arg(m_feed.hardwareName())
                   : QStringLiteral("\n") + QString::fromStdString(has.error().message)));
    }
}

void ChartPickers::addToScaling(ChartPanel& panel)
{
    panel.addPicker(m_metric);
    panel.addPicker(m_axis);
    m_scaling = &panel;
}

// Checked while the points are wanted; its menu chooses their quantity and budget.
void ChartPickers::addCurves(CurveMeasuring& curves)
{
    m_curves = new QToolButton(m_scaling);
    m_curves->setObjectName(QStringLiteral("panel.scaling.measure"));
    m_curves->setAccessibleName(tr("Measure the curves"));
    m_curves->setToolTip(tr("Measure the curves: time or achieved FLOP/s beside what is computed"));
    m_curves->setFocusPolicy(Qt::StrongFocus);
    m_curves->setPopupMode(QToolButton::InstantPopup);
    m_curves->setCheckable(true);
    auto* menu = new QMenu(m_curves);
    menu->setObjectName(QStringLiteral("panel.scaling.measure.menu"));
    menu->setAccessibleName(tr("Measure the curves"));
    curves.fillMenu(*menu);
    m_curves->setMenu(menu);
    connect(&curves, &CurveMeasuring::quantityChanged, m_curves, [this, &curves] {
        m_curves->setChecked(curves.quantity().has_value());
    });
    m_scaling->addPicker(m_curves);
    updateIcons();
}

void ChartPickers::updateIcons()
{
    if (m_curves != nullptr) {
        const Theme& theme = systemTheme();
        m_curves->setIcon(themedIcon(QStringLiteral("stopwatch"), theme.mutedText));
    }
}

void ChartPickers::addToWaterfall(ChartPanel& panel)
{
    panel.addPicker(m_from);
    panel.addPicker(m_to);
}

void ChartPickers::showChoices()
{
    m_metric->setValue(fromUtf8(flopsmith::metric(m_feed.choices().metric()).title));
    showMetrics();
    m_axis->setValue(m_feed.choices().axisInUse());
    m_hardware->setValue(m_feed.hardwareName());
    m_from->setValue(fromUtf8(lens(m_feed.choices().from()).title));
    m_to->setValue(fromUtf8(lens(m_feed.choices().to()).title));
}

// Every numeric parameter of the table, once, by its short key.
void ChartPickers::fillAxisMenu()
{
    QMenu& menu = m_axis->choices();
    clearMenu(menu);
    QStringList seen;
    for (const Parameter& parameter : allParameters(m_document.scenario())) {
        const QString key = fromUtf8(parameter.text.key);
        const bool isNumber =
            editorKind(parameter.value(m_document.scenario())) == EditorKind::slider;
        if (!isNumber || seen.contains(key) || !parameter.applies(m_document.scenario())) {
            continue;
        }
        seen << key;
        QMenu& group = submenuOf(menu, QString::fromStdString(parameter.group));
        QAction* action = group.addAction(
            fromUtf8(parameter.text.label), this, [this, key] { m_feed.choices().setAxis(key); });
        action->setToolTip(fromUtf8(parameter.text.help));
    }
}

// The measuring device comes first; its roofs are known once it has measured its peaks.
void ChartPickers::fillHardwareMenu()
{
    QMenu& menu = m_hardware->choices();
    clearMenu(menu);
    menu.addAction(tr("%1, as measured").arg(m_feed.runTimes().device), this, [this] {
        m_feed.choices().setHardware(ChartChoices::kMeasuredDevice);
    });
    menu.addSeparator();
    for (const Hardware& each : hardwareTable()) {
        const QString name = QString::fromStdString(each.name);
        QAction* action = submenuOf(menu, name.section(QLatin1Char(' '), 0, 0))
                              .addAction(name, this, [this, id = QString::fromStdString(each.id)] {
                                  m_feed.choices().setHardware(id);
                              });
        action->setToolTip(QString::fromStdString(each.bytesPerSecond.source));
    }
    menu.setToolTipsVisible(true);
}

} // namespace flopsmith::ui

#include "moc_chart_pickers.cpp"
