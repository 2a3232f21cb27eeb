// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QScrollArea>

QT_BEGIN_NAMESPACE
class QSplitter;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChartPages;
class CostPage;
class Designs;
class Document;
class ExercisePanel;
class HistoryPanel;
class Inspector;
class MessageBar;
class Palette;
class PaletteRail;
class Panel;
class StackPages;
class StackView;
class StatusLine;

/// The panels of the design: palette, stack and parameters above, with the history or an exercise
/// beside them; charts below.
class DesignPanels : public QScrollArea
{
    Q_OBJECT

public:
    DesignPanels(Document& document, Designs& designs, MessageBar& messages, QWidget* parent);

    /// Shows in the status line what a drag would do, and why something cannot be dropped.
    void tellDrags(StatusLine& status);

    Palette& palette() { return *m_palette; }
    StackPages& stackPages() { return *m_stackPages; }
    StackView& stack();
    Inspector& inspector() { return *m_inspector; }
    HistoryPanel& history() { return *m_history; }
    ExercisePanel& exercise() { return *m_exercise; }
    ChartPages& charts() { return *m_charts; }
    CostPage& costs() { return *m_costs; }

    /// In tab order.
    QList<QWidget*> parts() const;

    /// Whether the palette has a place of its own, or folds to a rail.
    PaletteRail& paletteRail() { return *m_paletteRail; }

    /// Opens the history, which takes its place from the stack: that can scroll, and the parameters
    /// cannot.
    void openHistory(bool open);

    /// The page of charts and how the stack is shown, as they were last time.
    void restore();
    void store();

private:
    void addUpperPanels(QSplitter& row);
    void addStackHead();

    Document& m_document;
    // ui::Panel, because Panel is a shape of QFrame.
    ui::Panel* m_palettePanel = nullptr;
    QWidget* m_palettePlace = nullptr;
    PaletteRail* m_paletteRail = nullptr;
    Palette* m_palette = nullptr;
    ui::Panel* m_stackPanel = nullptr;
    StackPages* m_stackPages = nullptr;
    ui::Panel* m_inspectorPanel = nullptr;
    Inspector* m_inspector = nullptr;
    HistoryPanel* m_history = nullptr;
    ExercisePanel* m_exercise = nullptr;
    ChartPages* m_charts = nullptr;
    CostPage* m_costs = nullptr; ///< a page of the charts
};

} // namespace flopsmith::ui
