// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_panel.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table/table_copy.h"

#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kTablePause = 100; // milliseconds; faster changes cannot be read
constexpr int kTableTab = 1;

} // namespace

ChartPanel::ChartPanel(const QString& name, ChartId chart, QWidget* parent)
    : ChartPanel(name, Charts::tr(chartKind(chart).title), parent)
{
    m_chart = chart;
}

ChartPanel::ChartPanel(const QString& name, const QString& title, QWidget* parent)
    : Panel(name, title, parent)
    , m_view(new FigureView(title))
    , m_pages(new QStackedWidget(this))
    , m_model(new ShownTableModel(this))
    , m_tableUpdate([this] { fillTable(); }, kTablePause)
{
    m_view->setObjectName(name + QStringLiteral("View"));
    m_pages->setObjectName(QStringLiteral("panel.%1.pages").arg(name));
    m_pages->setAccessibleName(title);
    m_pages->addWidget(m_view);
    buildTabs(name, title);
    buildMenu(name, title);
    setBody(m_pages);
    updateIcons();
}

void ChartPanel::buildTabs(const QString& name, const QString& title)
{
    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("panel.%1.tabs").arg(name));
    m_tabs->setAccessibleName(tr("%1: chart or table").arg(title));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);
    m_tabs->addTab(title);
    m_tabs->addTab(tr("Table"));
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (m_table == nullptr) {
            buildTable();
        }
        m_pages->setCurrentIndex(tab);
        m_copy->setVisible(tab == kTableTab);
        contentChanged();
    });
    replaceTitle(m_tabs);
}

// When it is first looked at: a table is forty widgets.
void ChartPanel::buildTable()
{
    m_table = new FiguresView(objectName() + QStringLiteral(".table"), this);
    m_table->setAccessibleName(tr("Numbers of the chart"));
    m_table->setModel(m_model);
    m_pages->addWidget(m_table);
    auto* copying = new TableCopy(*m_table, m_table->objectName(), [this](const auto& rows) {
        return withRows(m_model->table(), rows);
    });
    connect(copying, &TableCopy::copied, this, &ChartPanel::copied);
    m_copy = copying->createButton(this);
    addPicker(m_copy);
}

void ChartPanel::buildMenu(const QString& name, const QString& title)
{
    m_more = new QToolButton(this);
    m_more->setObjectName(QStringLiteral("panel.%1.more").arg(name));
    m_more->setAccessibleName(tr("Export %1").arg(title));
    m_more->setToolTip(tr("Save or copy this chart"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_menu = new QMenu(title, m_more);
    m_menu->setObjectName(QStringLiteral("panel.%1.menu").arg(name));
    m_menu->setAccessibleName(tr("Export %1").arg(title));
    m_more->setMenu(m_menu);
    addToHead(m_more);
}

void ChartPanel::addPicker(QWidget* picker)
{
    addToHead(picker);
    if (m_copy != nullptr && picker != m_copy) {
        addToHead(m_copy);
    }
    addToHead(m_more); // stays last
}

void ChartPanel::setRemark(const QString& remark)
{
    if (m_remark == nullptr && remark.isEmpty()) {
        return;
    }
    if (m_remark == nullptr) {
        m_remark = new QLabel(this);
        m_remark->setObjectName(objectName() + QStringLiteral(".remark"));
        m_remark->setProperty("role", "muted");
        m_remark->setTextFormat(Qt::PlainText);
        addPicker(m_remark);
    }
    m_remark->setVisible(!remark.isEmpty());
    if (!remark.isEmpty()) {
        m_remark->setText(remark);
        m_remark->setAccessibleName(remark);
    }
}

void ChartPanel::contentChanged()
{
    if (m_tabs->currentIndex() == kTableTab && isVisible()) {
        m_tableUpdate.request();
    }
}

void ChartPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    contentChanged();
}

void ChartPanel::fillTable()
{
    const Figure* figure = m_view->figure();
    if (figure == nullptr) {
        return;
    }
    const int columns = m_model->columnCount();
    ChartTable shown = figure->shownTable();
    shown.table.caption =
        (figure->title() + QLatin1Char('\n') + figure->provenance.text()).toStdString();
    m_table->setAccessibleName(figure->title());
    m_model->show(std::move(shown));
    if (columns != m_model->columnCount()) {
        m_table->horizontalScrollBar()->setValue(0);
    }
    m_table->fitColumns();
}

void ChartPanel::updateIcons()
{
    const Theme& theme = systemTheme();
    m_more->setIcon(themedIcon(QStringLiteral("more"), theme.mutedText));
    m_view->setTheme(theme);
}

} // namespace flopsmith::ui

#include "moc_chart_panel.cpp"
