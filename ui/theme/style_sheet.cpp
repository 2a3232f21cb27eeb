// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <array>
#include <utility>

namespace flopsmith::ui {
namespace {

// @name stands for a colour of the theme. Sliders, combo boxes, spin boxes, line edits and check
// boxes have no rule here: ThemeStyle draws them.
constexpr const char* kSheet = R"(
QMainWindow, QDialog { background: @ground; }
QToolBar { background: @toolBar; border: none; border-bottom: 1px solid @panelBorder; spacing: 8px; padding: 6px 12px; }
QToolBar::separator { background: transparent; width: 10px; }
QStatusBar { background: @toolBar; border-top: 1px solid @panelBorder; color: @text; }
QStatusBar::item { border: none; }

QFrame[panel="true"] { background: @panel; border: 1px solid @panelBorder; border-radius: 8px; }
flopsmith--ui--ScopeControl { background: @field; border: 1px solid @fieldBorder; border-radius: 6px; }
flopsmith--ui--ScopeControl QToolButton { padding: 1px 10px; border-radius: 4px; color: @mutedText; }
flopsmith--ui--ScopeControl QToolButton:checked { font-weight: 600; color: @text; }
QFrame[chip="true"], QToolButton[chip="true"] { background: @field; border: 1px solid @fieldBorder; border-radius: 6px; }
QLabel { background: transparent; border: none; }
QLabel[role="title"] { font-weight: 600; color: @text; }
QLabel[role="section"] { font-weight: 500; color: @mutedText; }
QLabel[role="muted"] { color: @mutedText; }
QLabel[role="figure"] { font-weight: 600; color: @text; }
QLabel[role="positive"] { font-weight: 600; color: @positive; }
QLabel[role="warning"] { color: @warning; }
QLabel[role="error"] { color: @negative; }

QPushButton { background: @field; color: @text; border: 1px solid @fieldBorder; border-radius: 6px; padding: 5px 14px; }
QPushButton:hover { background: @fieldHover; }
QPushButton:pressed { background: @groove; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @mutedText; background: @field; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: @accentHover; border-color: @accentHover; }
QPushButton[primary="true"]:focus { border-color: @text; }
QPushButton[primary="true"]:disabled { background: @groove; border-color: @groove; color: @mutedText; }
QPushButton[large="true"] { padding: 11px 24px; }
QPushButton[flat="true"] { background: transparent; border-color: transparent; color: @accent; padding: 5px 8px; }
QPushButton[flush="true"] { padding: 5px 0; }
QPushButton[narrow="true"] { padding: 5px 9px; }
QPushButton[flat="true"]:hover { background: @fieldHover; }
QPushButton[flat="true"]:focus { border-color: @accent; }
QPushButton[flat="true"]:disabled { color: @mutedText; }

QToolButton { background: transparent; color: @text; border: 1px solid transparent; border-radius: 6px; padding: 4px 8px; }
QToolButton[role="warning"] { color: @warning; }
QToolButton:hover { background: @fieldHover; }
QToolButton:pressed, QToolButton:checked { background: @accentSoft; color: @accent; }
QToolButton:focus { border-color: @accent; }
QToolButton:disabled { color: @mutedText; }
QToolButton::menu-indicator { image: none; width: 0px; }

QTabWidget::pane { border: none; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @mutedText; border: none; border-bottom: 2px solid transparent; padding: 5px 1px 6px 1px; margin-right: 18px; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; font-weight: 600; border-bottom-color: @accent; }
QTabBar::tab:focus { color: @accent; background: @accentSoft; }
QTabBar QToolButton { padding: 0px; background: @field; }

QMenuBar { background: @toolBar; color: @text; }
QMenuBar::item { background: transparent; padding: 5px 10px; border-radius: 6px; }
QMenuBar::item:selected { background: @fieldHover; }
QMenu { background: @panel; color: @text; border: 1px solid @panelBorder; padding: 5px; }
QMenu::item { padding: 6px 22px 6px 12px; border-radius: 5px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @mutedText; }
QMenu::separator { height: 1px; background: @panelBorder; margin: 5px 8px; }
QToolTip { background: @panel; color: @text; border: 1px solid @panelBorder; padding: 6px 8px; }

QScrollArea { background: transparent; border: none; }
QAbstractScrollArea::corner { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: @groove; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @mutedText; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QComboBox QAbstractItemView, QListView, QTreeView, QTableView { background: @panel; color: @text; border: 1px solid @panelBorder; outline: none; selection-background-color: @accentSoft; selection-color: @text; }
QListView[flush="true"] { border: none; }
QTableView, QTreeView { border: none; gridline-color: @grid; alternate-background-color: @field; }
QHeaderView { background: @panel; }
QHeaderView::section { background: @panel; color: @mutedText; border: none; border-bottom: 1px solid @panelBorder; padding: 5px 8px; }
QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0px; height: 0px; }
QTableCornerButton::section { background: @panel; border: none; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: @panel; color: @text; border: none; }
QTextEdit[boxed="true"] { background: @field; border: 1px solid @fieldBorder; border-radius: 6px; }
QTextEdit[boxed="true"]:focus { border-color: @accent; }

QProgressBar { background: @groove; border: none; border-radius: 3px; max-height: 6px; color: transparent; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QSplitter::handle { background: transparent; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
)";

} // namespace

QString styleSheet(const Theme& theme)
{
    const QColor hover = theme.dark ? theme.accent.lighter(108) : theme.accent.darker(110);
    // Longer names first: @accent is a prefix of @accentSoft.
    const std::array<std::pair<const char*, QColor>, 18> colours{{
        {"@accentHover", hover},
        {"@accentSoft", theme.accentSoft},
        {"@onAccent", theme.onAccent},
        {"@accent", theme.accent},
        {"@panelBorder", theme.panelBorder},
        {"@panel", theme.panel},
        {"@fieldBorder", theme.fieldBorder},
        {"@fieldHover", theme.fieldHover},
        {"@field", theme.field},
        {"@mutedText", theme.mutedText},
        {"@text", theme.text},
        {"@ground", theme.ground},
        {"@toolBar", theme.toolBar},
        {"@groove", theme.groove},
        {"@grid", theme.grid},
        {"@positive", theme.positive},
        {"@warning", theme.warning},
        {"@negative", theme.negative},
    }};
    QString sheet = QString::fromLatin1(kSheet);
    for (const auto& entry : colours) {
        sheet.replace(QLatin1String(entry.first), entry.second.name());
    }
    return sheet;
}

} // namespace flopsmith::ui
