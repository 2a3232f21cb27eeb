// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/inspector/shown_parameters.h"
#include "ui/widgets/values/parameter_editor.h"

#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QGridLayout;
class QMenu;
class QScrollArea;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class FfnFoot;
class MoreLine;
class TieLine;

/// Sliders, boxes and combo boxes for the parameters of the selected part, generated from the
/// parameter table. For several runs it shows their common parameters, and a dash where values
/// differ. When values change, the controls are updated; they are rebuilt only when other
/// parameters are shown.
class Inspector : public QWidget
{
    Q_OBJECT

public:
    explicit Inspector(Document& document, QWidget* parent = nullptr);

    /// "Blocks 7 – 12 · UltraEfficientSparse", or "3 runs · 7 blocks".
    QString title() const;

    /// The button that chooses which blocks are edited; the window puts it into the panel's head.
    QToolButton& scopeButton() { return *m_scope; }

    /// Whether all parameters are shown in their groups, or at most eight, which matter most.
    bool showsAll() const { return m_showsAll; }
    void setShowsAll(bool all);

    FfnFoot& foot() { return *m_foot; }

    const std::vector<ParameterEditor*>& editors() const { return m_editors; }

    /// Shows the actions for the row of an editor: tie, lock or free its parameter.
    void openRowMenu(ParameterEditor& editor, const QPoint& globalPlace);

    /// How often the controls were rebuilt; for tests.
    int rebuilds() const { return m_rebuilds; }

Q_SIGNALS:
    void titleChanged(const QString& title);

    /// The controls were rebuilt.
    void rebuilt();

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildRowMenu();
    void addClassActions(QMenu& menu, const Parameter& parameter);
    ParameterEditor* editorOf(const QWidget* control) const;
    QWidget* boxOf(const Parameter& parameter) const;
    void openMenuOfFocus();
    void buildScopeButton();
    void refresh();
    bool isNarrow() const;
    void rebuild(const std::vector<Parameter>& parameters);
    void showMore(const std::vector<Parameter>& all, const std::vector<Parameter>& shown);
    int addHeading(QGridLayout& grid, int line, const Parameter& first, QWidget& parent);
    int addGroup(QGridLayout& grid, int line, const std::vector<Parameter>& group, QWidget& parent);
    int addChoices(QGridLayout& grid,
                   int line,
                   const std::vector<Parameter>& choices,
                   QWidget& parent);
    void addFlags(QGridLayout& grid,
                  int line,
                  const std::vector<Parameter>& flags,
                  QWidget& parent);
    void showScope();
    void fillScopeMenu();
    void splitOffFirstBlock();

    Document& m_document;
    EditBurst m_burst;
    QScrollArea* m_scroll = nullptr;
    MoreLine* m_more = nullptr;
    bool m_showsAll = true;
    QToolButton* m_scope = nullptr;
    FfnFoot* m_foot = nullptr;
    TieLine* m_tieLine = nullptr;
    std::vector<ParameterEditor*> m_editors;
    std::vector<std::size_t> m_editedParameter; ///< per editor, the index of its parameter
    QStringList m_structure;
    bool m_isNarrow = false; ///< as it was built
    QString m_title;
    int m_rebuilds = 0;
};

} // namespace flopsmith::ui
