// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/scope_control.h"

#include "ui/chart_pages/chart_choices.h"
#include "ui/document/document.h"
#include "ui/theme/utf8.h"

#include <QAction>
#include <QActionGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace flopsmith::ui {

ScopeControl::ScopeControl(const Document& document, ChartChoices& choices, QWidget* parent)
    : QFrame(parent)
    , m_document(document)
    , m_choices(choices)
{
    setObjectName(QStringLiteral("scope"));
    setAccessibleName(tr("What the charts are of"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(2);
    new QActionGroup(this); // exclusive
    addButton(ScopeKind::model, tr("Charts of the &whole model"), tr("whole model"));
    addButton(ScopeKind::block, tr("Charts of the &block"), tr("block"));
    addButton(ScopeKind::ffn, tr("Charts of this &FFN"), tr("this FFN"));
    action(ScopeKind::model).setChecked(true);
    connect(&document, &Document::selectionChanged, this, &ScopeControl::follow);
    connect(&document, &Document::scenarioChanged, this, &ScopeControl::follow);
    follow();
}

QAction& ScopeControl::action(ScopeKind kind) const
{
    return *m_actions.at(static_cast<std::size_t>(kind));
}

void ScopeControl::addButton(ScopeKind kind, const QString& text, const QString& brief)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QStringLiteral("view.scope.") + fromUtf8(enumName(kind)));
    action->setIconText(brief); // on the button
    action->setCheckable(true);
    findChild<QActionGroup*>()->addAction(action);
    connect(action, &QAction::triggered, this, [this, kind] { choose(kind); });
    m_actions.at(static_cast<std::size_t>(kind)) = action;
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("scope.") + fromUtf8(enumName(kind)));
    button->setDefaultAction(action);
    button->setAccessibleName(tr("Charts of: %1").arg(brief));
    button->setFocusPolicy(Qt::StrongFocus);
    layout()->addWidget(button);
}

void ScopeControl::choose(ScopeKind kind)
{
    m_scope.kind = kind;
    follow();
}

void ScopeControl::follow()
{
    if (m_document.selection().isRun()) {
        m_scope.run = m_document.selection().run;
    }
    const Model& model = m_document.model();
    for (const ScopeKind kind : {ScopeKind::block, ScopeKind::ffn}) {
        const PartScope scope{.kind = kind, .run = m_scope.run};
        action(kind).setToolTip(hasScope(model, scope)
                                    ? tr("Shares, curves, run times and designs of %1 alone")
                                          .arg(fromUtf8(scopeText(model, scope)))
                                    : tr("This block has no FFN"));
    }
    m_choices.setScope(m_scope);
}

} // namespace flopsmith::ui

#include "moc_scope_control.cpp"
