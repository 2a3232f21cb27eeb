// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/measure_button.h"
#include "ui/widgets/values/parameter_editor.h"

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChoiceChip;
class NumberChip;

/// The window's first line: which model, for which work, counted how, measured where. Where it is
/// narrow, the menus fold into one button, then undo and redo and the theme's button go, which the
/// menus have too.
class TopBar : public Bar
{
    Q_OBJECT

public:
    explicit TopBar(Document& document, QWidget* parent = nullptr);

    ChoiceChip& modelChip() { return *m_model; }
    ChoiceChip& deviceChip() { return *m_device; }

    /// What slows the device down, as the tool tip of its chip; empty: nothing is known.
    void setDeviceWarning(const QString& warning);
    MeasureButton& measureButton() { return *m_measure; }
    QToolButton& themeButton() { return *m_theme; }

    QSize minimumSizeHint() const override;

    /// A text button that opens a menu: "File", "Edit", "View".
    QMenu& addMenu(const QString& name, const QString& title);

    /// Shows undo and redo as icons.
    void setUndoActions(QAction& undo, QAction& redo);

    /// Whether the button stops what runs or starts measuring.
    void showMeasuring(bool running);

    /// Draws the icons for the present theme.
    void updateIcons();

    /// The number box of a workload parameter ("batch", "seq", "context"), or null.
    NumberChip* numberChip(const QString& key);

    /// The button that has all menus where there is no room for them.
    QToolButton& foldedMenus() { return *m_folded; }

protected:
    bool event(QEvent* event) override;

private:
    /// What is left out, each with all before it.
    enum class Fold { nothing, wordmark, menus, undo, theme };

    struct Number
    {
        Parameter parameter;
        NumberChip* chip;
    };

    void addModel(QHBoxLayout& line);
    void addWorkload(QHBoxLayout& line);
    void addNumber(QHBoxLayout& line, const Parameter& parameter);
    void addLens(QHBoxLayout& line);
    void addDevice(QHBoxLayout& line);
    void showScenario();
    void showLens();
    void addFoldedMenus(QHBoxLayout& line);
    bool isShownAt(Fold fold, const QWidget& widget) const;
    int widthAt(Fold fold) const;
    void fit();
    void showMeasureTip();

    Document& m_document;
    EditBurst m_burst;
    ChoiceChip* m_model = nullptr;
    ChoiceChip* m_phase = nullptr;
    ChoiceChip* m_lens = nullptr;
    ChoiceChip* m_device = nullptr;
    QToolButton* m_undo = nullptr;
    QToolButton* m_redo = nullptr;
    MeasureButton* m_measure = nullptr;
    QToolButton* m_theme = nullptr;
    QHBoxLayout* m_menus = nullptr;
    QLabel* m_wordmark = nullptr;
    QToolButton* m_folded = nullptr;
    std::vector<QToolButton*> m_menuButtons;
    Fold m_fold = Fold::nothing;
    std::vector<Number> m_numbers;
    bool m_running = false;
};

} // namespace flopsmith::ui
