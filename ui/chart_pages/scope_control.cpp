// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/scope_control.h"

#include "ui/chart_pages/chart_feed.h"
#include "ui/theme/utf8.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace flopsmith::ui {

ScopeControl::ScopeControl(const Document& document, ChartFeed& feed, QWidget* parent)
    : QFrame(parent)
    , m_document(document)
    , m_feed(feed)
{
    setObjectName(QStringLiteral("scope"));
    setAccessibleName(tr("What the charts are of"));
    setProperty("segments", true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(2);
    new QButtonGroup(this); // exclusive
    addButton(ScopeKind::model, tr("whole model"));
    addButton(ScopeKind::block, tr("block"));
    addButton(ScopeKind::ffn, tr("this FFN"));
    button(ScopeKind::model).setChecked(true);
    connect(&document, &Document::selectionChanged, this, &ScopeControl::follow);
    connect(&document, &Document::scenarioChanged, this, &ScopeControl::follow);
    follow();
}

void ScopeControl::addButton(ScopeKind kind, const QString& text)
{
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("scope.") + fromUtf8(enumName(kind)));
    button->setText(text);
    button->setAccessibleName(tr("Charts of: %1").arg(text));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    findChild<QButtonGroup*>()->addButton(button);
    layout()->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, kind] { choose(kind); });
    m_buttons.at(static_cast<std::size_t>(kind)) = button;
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
        button(kind).setToolTip(hasScope(model, scope)
                                    ? tr("Shares, curves, run times and designs of %1 alone")
                                          .arg(fromUtf8(scopeText(model, scope)))
                                    : tr("This block has no FFN"));
    }
    m_feed.setScope(m_scope);
}

} // namespace flopsmith::ui

#include "moc_scope_control.cpp"
