// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/bar.h"
#include "ui/window/bars/bar_folding.h"

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class BarMenus;
class ChoiceChip;
class NumberChip;
class WorkloadChips;

/// The tool bar at the top: model, workload, precision and lens. If it is narrow, the menus are folded
/// into one button, then undo, redo and the theme button are hidden, which the menus contain too, and at
/// last the precision, which the inspector has.
class TopBar : public Bar
{
    Q_OBJECT

public:
    explicit TopBar(Document& document, QWidget* parent = nullptr);

    ChoiceChip& modelChip() { return *m_model; }
    ChoiceChip& lensChip() { return *m_lens; }
    QToolButton& themeButton() { return *m_theme; }

    QSize minimumSizeHint() const override;

    /// Adds a text button that opens a menu: "File", "Edit", "View".
    QMenu& addMenu(const QString& name, const QString& title);

    /// Shows undo and redo as icons.
    void setUndoActions(QAction& undo, QAction& redo);

    /// Redraws the icons in the colours of the current theme.
    void updateIcons();

    /// The number box of a workload parameter ("batch", "seq", "context"), or null.
    NumberChip* numberChip(const QString& key);

    /// The button that contains all menus if the bar is narrow.
    QToolButton& foldedMenus();

protected:
    bool event(QEvent* event) override;

private:
    void addModel(QHBoxLayout& line);
    void addPrecision(QHBoxLayout& line);
    void addLens(QHBoxLayout& line);
    void showScenario();
    void showLens();
    void showClassLocks();

    Document& m_document;
    QHBoxLayout* m_line;
    BarFolding m_folding;
    ChoiceChip* m_model = nullptr;
    WorkloadChips* m_workload = nullptr;
    ChoiceChip* m_precision = nullptr;
    ChoiceChip* m_lens = nullptr;
    QToolButton* m_undo = nullptr;
    QToolButton* m_redo = nullptr;
    QToolButton* m_theme = nullptr;
    BarMenus* m_menus = nullptr;
    QLabel* m_wordmark = nullptr;
};

} // namespace flopsmith::ui
