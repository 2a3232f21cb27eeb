// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/shown_table_model.h"
#include "ui/charts/base/figure_view.h"
#include "ui/charts/chart_kinds.h"
#include "ui/document/throttle.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/table/figures_view.h"

#include <optional>

QT_BEGIN_NAMESPACE
class QLabel;
class QMenu;
class QStackedWidget;
class QTabBar;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A chart with its numbers as a table in a second tab, and a menu for exporting it.
class ChartPanel : public Panel
{
    Q_OBJECT

public:
    /// `name` is the prefix of the object names; the title is the chart's.
    ChartPanel(const QString& name, ChartId chart, QWidget* parent = nullptr);

    /// Of a chart that is no kind of the table.
    ChartPanel(const QString& name, const QString& title, QWidget* parent = nullptr);

    /// Nothing of a chart that is no kind of the table.
    std::optional<ChartId> chart() const { return m_chart; }

    FigureView& view() { return *m_view; }
    QTabBar& tabs() { return *m_tabs; }
    QMenu& menu() { return *m_menu; }
    ShownTableModel& table() { return *m_model; }

    /// Call when the figure has changed: a visible table is updated now, a hidden one when it is
    /// shown.
    void contentChanged();

    void updateIcons();

    /// A few muted words in the head on what the chart leaves out; hidden if empty.
    void setRemark(const QString& remark);

    /// Adds a widget to the head, before the menu's button.
    void addPicker(QWidget* picker);

Q_SIGNALS:
    /// Rows of the table were copied: "3 rows copied".
    void copied(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildTabs(const QString& name, const QString& title);
    void buildTable();
    void buildMenu(const QString& name, const QString& title);
    void fillTable();

    std::optional<ChartId> m_chart;
    FigureView* m_view;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_pages;
    FiguresView* m_table = nullptr; ///< created when it is first shown
    ShownTableModel* m_model;
    QToolButton* m_copy = nullptr; ///< of the table, while it is shown
    QToolButton* m_more = nullptr;
    QLabel* m_remark = nullptr; ///< created on first use
    QMenu* m_menu = nullptr;
    Throttle m_tableUpdate;
};

} // namespace flopsmith::ui
