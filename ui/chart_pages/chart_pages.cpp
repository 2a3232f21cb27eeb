// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_pages.h"

#include "ui/chart_pages/chart_export_actions.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/chart_pages/chart_pickers.h"
#include "ui/chart_pages/comparison_tables.h"
#include "ui/chart_pages/design_offer.h"
#include "ui/chart_pages/design_pickers.h"
#include "ui/chart_pages/large_chart.h"
#include "ui/chart_pages/measure_offer.h"
#include "ui/chart_pages/scope_control.h"
#include "ui/theme/icons.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/panel_splitter.h"

#include <QApplication>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace flopsmith::ui {

ChartPages::ChartPages(Document& document, MessageBar& messages, QWidget* parent)
    : Pages(QStringLiteral("charts"), tr("Charts"), parent)
    , m_document(document)
    , m_messages(messages)
    , m_feed(new ChartFeed(document, this))
    , m_pickers(new ChartPickers(document, *m_feed, this))
    , m_study(new DesignPickers(document, *m_feed, this))
{
    addOverview();
    addBudgets();
    addWaterfall();
    addStudy();
    addScope();
    m_pickers->showChoices();
    connect(m_feed, &ChartFeed::updated, m_pickers, &ChartPickers::showChoices);
}

ChartPanel* ChartPages::addPanel(ChartId chart, const QString& name, QWidget* parent)
{
    auto* panel = new ChartPanel(name, chart, parent);
    m_feed->show(chart, panel->view());
    connect(m_feed, &ChartFeed::updated, panel, [this, panel, chart] {
        panel->setRemark(remarkOn(chart));
        panel->contentChanged();
    });
    m_panels.push_back(panel);
    return panel;
}

QString ChartPages::remarkOn(ChartId chart) const
{
    QStringList remarks;
    if (m_feed->choices().isOfPart(chart)) {
        remarks << fromUtf8(scopeText(m_document.model(), m_feed->choices().scope()));
    }
    if (m_feed->showsAlone(chart)) {
        remarks << tr("live design alone");
    }
    return remarks.join(QStringLiteral(", "));
}

// Visible on the pages whose charts can be of a part.
void ChartPages::addScope()
{
    m_scope = new ScopeControl(m_document, m_feed->choices(), this);
    addToStrip(m_scope);
    const auto show = [this] {
        m_scope->setVisible(std::ranges::any_of(m_panels, [this](const ChartPanel* panel) {
            return panel->chart() && chartKind(*panel->chart()).hasScope
                && page(current()).isAncestorOf(panel);
        }));
    };
    connect(&tabs(), &QTabBar::currentChanged, m_scope, show);
    show();
}

void ChartPages::addOverview()
{
    QSplitter* row = panelSplitter(QStringLiteral("lower"), Qt::Horizontal, this);
    addPanel(ChartId::share, QStringLiteral("share"), row);
    m_pickers->addToScaling(*addPanel(ChartId::scaling, QStringLiteral("scaling"), row));
    m_runTime = addPanel(ChartId::runtime, QStringLiteral("runTime"), row);
    m_offer = new MeasureOffer(m_runTime->view());
    connect(m_offer, &QPushButton::clicked, this, &ChartPages::measuringRequested);
    addWarning();
    addPeaksButton();
    row->setSizes({478, 406, 336});
    row->setStretchFactor(0, 5);
    row->setStretchFactor(1, 4);
    row->setStretchFactor(2, 4);
    addPage(tr("Overview"), row);
}

void ChartPages::addBudgets()
{
    QSplitter* row = panelSplitter(QStringLiteral("budgets"), Qt::Horizontal, this);
    addPanel(ChartId::memory, QStringLiteral("memory"), row);
    addPanel(ChartId::roofline, QStringLiteral("roofline"), row);
    addPanel(ChartId::mislead, QStringLiteral("mislead"), row);
    row->setSizes({330, 500, 390});
    row->setStretchFactor(0, 3);
    row->setStretchFactor(1, 5);
    row->setStretchFactor(2, 4);
    addPage(tr("Memory & roofline"), row, m_pickers->hardwareChip());
}

void ChartPages::addWaterfall()
{
    ChartPanel* panel = addPanel(ChartId::waterfall, QStringLiteral("waterfall"), this);
    m_pickers->addToWaterfall(*panel);
    addPage(tr("Waterfall"), panel);
}

void ChartPages::addStudy()
{
    QSplitter* row = panelSplitter(QStringLiteral("designSpace"), Qt::Horizontal, this);
    ChartPanel* heat = addPanel(ChartId::heat, QStringLiteral("heat"), row);
    ChartPanel* pareto = addPanel(ChartId::pareto, QStringLiteral("pareto"), row);
    m_study->addTo(*heat, *pareto);
    for (ChartPanel* panel : {heat, pareto}) {
        new DesignOffer(m_document, panel->view()); // the view owns it
    }
    row->setSizes({610, 610});
    addPage(tr("Design space"), row, m_study->axes());
}

void ChartPages::addCompare(Document& document, Designs& designs)
{
    m_feed->showBeside(designs);
    QSplitter* row = panelSplitter(QStringLiteral("comparison"), Qt::Horizontal, this);
    addPanel(ChartId::compare, QStringLiteral("compare"), row);
    m_differences = new ComparisonTables(document, designs, row);
    connect(m_differences, &ComparisonTables::copied, this, [this](const QString& sentence) {
        m_messages.show(MessageBar::Kind::note, sentence);
    });
    row->setSizes({500, 720});
    row->setStretchFactor(row->indexOf(m_differences), 1);
    addPage(tr("Compare"), row);
    m_large = new LargeChart(*this);
}

QMenu& ChartPages::hardwareMenu()
{
    return m_pickers->hardwareChip()->choices();
}

void ChartPages::addCurves(CurveMeasuring& curves)
{
    m_pickers->addCurves(curves);
}

void ChartPages::addWarning()
{
    m_warning = new QToolButton(m_runTime);
    m_warning->setObjectName(QStringLiteral("panel.runTime.warning"));
    m_warning->setProperty("role", QStringLiteral("warning"));
    m_warning->setText(tr("slowed"));
    m_warning->setAccessibleName(m_warning->text());
    m_warning->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_warning->setFocusPolicy(Qt::StrongFocus);
    m_warning->hide();
    updateWarningIcon();
    m_runTime->addPicker(m_warning);
    connect(m_warning, &QToolButton::clicked, this, [this] {
        m_messages.show(MessageBar::Kind::note, m_warning->toolTip());
    });
}

void ChartPages::addPeaksButton()
{
    m_peaks = new QToolButton(m_runTime);
    m_peaks->setObjectName(QStringLiteral("panel.runTime.peaks"));
    m_peaks->setText(tr("Measure peaks again"));
    m_peaks->setAccessibleName(m_peaks->text());
    m_peaks->setToolTip(tr("A part took less time than the peaks of this device allow: they were "
                           "measured beside other programs."));
    m_peaks->setFocusPolicy(Qt::StrongFocus);
    m_peaks->hide();
    m_runTime->addPicker(m_peaks);
    connect(m_peaks, &QToolButton::clicked, this, &ChartPages::peaksRequested);
}

void ChartPages::setPeaksBeaten(bool beaten)
{
    m_peaks->setVisible(beaten);
}

void ChartPages::offerMeasuringOn(const QString& device)
{
    m_offer->offerOn(device);
}

void ChartPages::updateWarningIcon()
{
    const Theme& theme = systemTheme();
    m_warning->setIcon(themedIcon(QStringLiteral("warning"), theme.warning));
}

void ChartPages::setRunTimeWarning(const QString& sentence)
{
    m_warning->setToolTip(sentence);
    m_warning->setAccessibleDescription(sentence);
    m_warning->setVisible(!sentence.isEmpty());
}

void ChartPages::fillExportMenu(QMenu& menu)
{
    for (ChartPanel* panel : m_panels) {
        auto* actions = new ChartExportActions(*panel, m_messages);
        actions->fill(panel->menu(), panel->objectName() + QStringLiteral(".own."));
        QMenu* submenu = menu.addMenu(panel->accessibleName());
        submenu->setObjectName(panel->objectName() + QStringLiteral(".export"));
        submenu->setAccessibleName(tr("Export %1").arg(panel->accessibleName()));
        actions->fill(*submenu, panel->objectName() + QStringLiteral(".export."));
    }
}

void ChartPages::updateIcons()
{
    for (ChartPanel* panel : m_panels) {
        panel->updateIcons();
    }
    m_pickers->updateIcons();
    m_offer->updateIcon();
    updateWarningIcon();
}

} // namespace flopsmith::ui

#include "moc_chart_pages.cpp"
