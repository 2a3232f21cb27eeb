// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/variation/part_scope.h"

#include <QFrame>
#include <QList>

#include <array>

QT_BEGIN_NAMESPACE
class QAction;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChartChoices;
class Document;

/// Chooses whether shares, curves, run times and the design space are of the whole model, of the
/// selected block, or of its FFN. It follows the selection; while no block is selected, the block
/// that was selected last is meant.
class ScopeControl : public QFrame
{
    Q_OBJECT

public:
    ScopeControl(const Document& document, ChartChoices& choices, QWidget* parent);

    /// "view.scope.model", "view.scope.block", "view.scope.ffn", for menus and the command palette.
    QList<QAction*> actions() const { return {m_actions.begin(), m_actions.end()}; }

private:
    void addButton(ScopeKind kind, const QString& text, const QString& brief);
    QAction& action(ScopeKind kind) const;
    void choose(ScopeKind kind);
    void follow();

    const Document& m_document;
    ChartChoices& m_choices;
    std::array<QAction*, 3> m_actions{};
    PartScope m_scope;
};

} // namespace flopsmith::ui
