// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

QT_BEGIN_NAMESPACE
class QAction;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChartPages;
class ChartPanel;

/// One chart in the place of its page, or of the page and the panels above it. A double click on a
/// chart makes it as large as its page, with Ctrl as large as the window; so does an action, for the
/// chart with the focus. Esc, a double click, the action again or another page end it.
class LargeChart : public QObject
{
    Q_OBJECT

public:
    explicit LargeChart(ChartPages& pages);

    enum class Size { usual, page, window };

    Size size() const { return m_size; }
    void show(ChartPanel& panel, Size size);
    void end();

    /// "view.chart.page" and "view.chart.window", checked while a chart is so large.
    QList<QAction*> actions() const { return {m_page, m_window}; }

Q_SIGNALS:
    /// Whether the panels above the charts have to leave them their place.
    void windowNeeded(bool needed);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* addAction(const char* name, const QString& text, Size size);
    void toggle(ChartPanel& panel, Size size);
    ChartPanel* chosenPanel() const;
    void setSize(Size size);

    ChartPages& m_pages;
    QAction* m_page;
    QAction* m_window;
    Size m_size = Size::usual;
    QPointer<ChartPanel> m_panel;
    QList<QPointer<QWidget>> m_hidden; ///< what stood beside it
};

} // namespace flopsmith::ui
