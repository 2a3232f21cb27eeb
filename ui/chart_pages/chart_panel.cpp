// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_panel.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

namespace flopsmith::ui {
namespace {

constexpr int kTablePause = 100; // milliseconds; faster changes cannot be read
constexpr int kTableTab = 1;
constexpr int kRowHeight = 24;
constexpr int kCellPadding = 24;

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
    , m_tableUpdate([this] { fillTable(); }, kTablePause)
{
    m_view->setObjectName(name + QStringLiteral("View"));
    m_pages->setObjectName(QStringLiteral("panel.%1.pages").arg(name));
    m_pages->setAccessibleName(title);
    m_pages->addWidget(m_view);
    buildTable(name);
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
        m_pages->setCurrentIndex(tab);
        contentChanged();
    });
    replaceTitle(m_tabs);
}

void ChartPanel::buildTable(const QString& name)
{
    m_model = new ShownTableModel(this);
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("panel.%1.table").arg(name));
    m_table->setAccessibleName(tr("Numbers of the chart"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(scaledToType(kRowHeight, *this));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_pages->addWidget(m_table);
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
    m_model->show(textTable(figure->table()));
    // Qt's ResizeToContents lays out every cell of a column at every change.
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const int width = fontMetrics().horizontalAdvance(m_model->longestText(column));
        if (m_table->columnWidth(column) < width + kCellPadding) {
            m_table->setColumnWidth(column, width + kCellPadding);
        }
    }
}

void ChartPanel::updateIcons()
{
    const Theme& theme = systemTheme();
    m_more->setIcon(themedIcon(QStringLiteral("more"), theme.mutedText));
    m_view->setTheme(theme);
}

} // namespace flopsmith::ui

#include "moc_chart_panel.cpp"
