// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_edit.h"
#include "ui/inspector/inspector.h"

#include <QMenu>
#include <QToolButton>

// The menu that chooses which of the equal blocks an edit changes.

namespace flopsmith::ui {
namespace {

int equalBlocks(const Model& model, int run)
{
    const Block& block = model.runs.at(static_cast<std::size_t>(run)).block;
    int blocks = 0;
    for (const BlockRun& other : model.runs) {
        blocks += other.block == block ? other.repeat : 0;
    }
    return blocks;
}

} // namespace

void Inspector::buildScopeButton()
{
    m_scope = new QToolButton(this);
    m_scope->setObjectName(QStringLiteral("inspector.scope"));
    m_scope->setAccessibleName(tr("Which blocks are edited"));
    m_scope->setPopupMode(QToolButton::InstantPopup);
    m_scope->setProperty("chip", true);
    m_scope->setFocusPolicy(Qt::StrongFocus);
    m_scope->setToolTip(tr("Which blocks a change of these parameters concerns"));
    auto* menu = new QMenu(m_scope);
    menu->setObjectName(QStringLiteral("inspector.scopeMenu"));
    menu->setAccessibleName(tr("Which blocks are edited"));
    m_scope->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &Inspector::fillScopeMenu);
}

void Inspector::showScope()
{
    const Selection selection = m_document.selection();
    const bool one = selection.isRun() && !selection.isSeveral(); // for several runs, exactly these
    m_scope->setVisible(one);
    if (!one) {
        return;
    }
    const Model& model = m_document.model();
    const int blocks = blocksIn(m_document.scenario(), {selection.run});
    const bool allEqual = m_document.editScope() == EditScope::allEqual;
    const QString text = allEqual ? tr("edit all %1 equal").arg(equalBlocks(model, selection.run))
        : blocks == 1             ? tr("edit this block")
        : m_isNarrow              ? tr("all %1").arg(blocks) // leaves the title its place
                                  : tr("edit all %1").arg(blocks);
    m_scope->setText(text + QStringLiteral(" ▾"));
}

void Inspector::fillScopeMenu()
{
    QMenu& menu = *m_scope->menu();
    menu.clear();
    const Model& model = m_document.model();
    const int run = m_document.selection().run;
    const int repeat = model.runs.at(static_cast<std::size_t>(run)).repeat;
    const int blocks = blocksIn(m_document.scenario(), {run});
    const bool allEqual = m_document.editScope() == EditScope::allEqual;
    const auto choice = [this, &menu](const QString& text, bool checked, EditScope scope) {
        QAction* action =
            menu.addAction(text, this, [this, scope] { m_document.setEditScope(scope); });
        action->setCheckable(true);
        action->setChecked(checked);
        return action;
    };
    choice(blocks == 1            ? tr("This block")
               : blocks == repeat ? tr("The %1 blocks of this run").arg(blocks)
                                  : tr("The %1 blocks of this run in all repeats").arg(blocks),
           !allEqual,
           EditScope::run);
    choice(tr("All %1 equal blocks of the stack").arg(equalBlocks(model, run)),
           allEqual,
           EditScope::allEqual)
        ->setEnabled(allEqual || equalBlocks(model, run) > blocks);
    if (repeat > 1) {
        menu.addSeparator();
        menu.addAction(blocks == repeat
                           ? tr("Only block %1 (splits it off)").arg(model.firstBlock(run) + 1)
                           : tr("Only the first block of each repeat (splits it off)"),
                       this,
                       [this] { splitOffFirstBlock(); });
    }
}

void Inspector::splitOffFirstBlock()
{
    m_document.setEditScope(EditScope::run);
    m_document.apply(tr("Split off a block"), [](DocumentState& state) {
        state.selection =
            Selection::ofRun(isolated(state.scenario, state.selection.run, Extent::firstBlock));
    });
}

} // namespace flopsmith::ui
