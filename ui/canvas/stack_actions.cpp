// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_actions.h"

#include "ui/theme/utf8.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

namespace flopsmith::ui {

StackActions::StackActions(Document& document, QWidget& canvas)
    : QObject(&canvas)
    , m_document(document)
    , m_canvas(canvas)
{
    m_duplicate = added(QStringLiteral("duplicate"), tr("D&uplicate"), QKeySequence(tr("Ctrl+D")));
    m_split = added(QStringLiteral("split"), tr("&Split in two"), {});
    m_join = added(QStringLiteral("join"), tr("&Join equal blocks"), {});
    m_moveUp = added(QStringLiteral("moveUp"), tr("Move u&p"), QKeySequence(tr("Alt+Up")));
    m_moveDown = added(QStringLiteral("moveDown"), tr("Move do&wn"), QKeySequence(tr("Alt+Down")));
    m_remove = added(QStringLiteral("remove"), tr("De&lete"), QKeySequence::Delete);
    m_remove->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connectActions();
    connect(&document, &Document::scenarioChanged, this, &StackActions::updateEnabled);
    connect(&document, &Document::selectionChanged, this, &StackActions::updateEnabled);
    updateEnabled();
}

QAction* StackActions::added(const QString& name, const QString& title, const QKeySequence& keys)
{
    auto* action = new QAction(title, this);
    action->setObjectName(QStringLiteral("stack.") + name);
    action->setShortcut(keys);
    m_canvas.addAction(action);
    return action;
}

void StackActions::change(const QString& title, int (*edit)(Scenario&, int))
{
    m_document.apply(title, [this, edit](DocumentState& state) {
        state.selection = Selection::ofRun(edit(state.scenario, run()));
    });
}

void StackActions::connectActions()
{
    connect(m_duplicate, &QAction::triggered, this, [this] {
        change(tr("Duplicate blocks"), duplicateRun);
    });
    connect(m_split, &QAction::triggered, this, [this] { change(tr("Split blocks"), splitRun); });
    connect(m_join, &QAction::triggered, this, [this] {
        change(tr("Join equal blocks"), joinEqualRuns);
    });
    connect(m_remove, &QAction::triggered, this, [this] {
        change(tr("Delete blocks"), [](Scenario& scenario, int at) {
            removeRun(scenario, at);
            return at;
        });
    });
    connect(m_moveUp, &QAction::triggered, this, [this] {
        change(tr("Move blocks up"), [](Scenario& s, int at) { return moveRun(s, at, -1); });
    });
    connect(m_moveDown, &QAction::triggered, this, [this] {
        change(tr("Move blocks down"), [](Scenario& s, int at) { return moveRun(s, at, 1); });
    });
}

void StackActions::updateEnabled()
{
    const Scenario& scenario = m_document.scenario();
    const bool isRun = m_document.selection().isRun();
    m_duplicate->setEnabled(isRun);
    m_split->setEnabled(isRun && canSplitRun(scenario, run()));
    m_join->setEnabled(hasEqualNeighbours(scenario));
    m_remove->setEnabled(isRun && canRemoveRun(scenario));
    m_moveUp->setEnabled(isRun && canMoveRun(scenario, run(), -1));
    m_moveDown->setEnabled(isRun && canMoveRun(scenario, run(), 1));
}

void StackActions::addEntries(QMenu& menu, const QString& title, PaletteKind kind, Extent extent)
{
    QMenu* submenu = menu.addMenu(title);
    submenu->setEnabled(m_document.selection().isRun());
    for (const PaletteEntry& entry : paletteEntries()) {
        if (entry.kind == kind && canApply(m_document.scenario(), entry, run())) {
            submenu->addAction(entry.title, this, [this, &entry, extent] {
                applyEntry(m_document, entry, run(), extent);
            });
        }
    }
}

void StackActions::addStageRemovals(QMenu& menu)
{
    if (!m_document.selection().isRun() || !canRemoveStage(m_document.scenario(), run())) {
        return;
    }
    const auto& block = m_document.model().runs.at(static_cast<std::size_t>(run())).block;
    QMenu* submenu = menu.addMenu(tr("&Remove stage"));
    int index = 0;
    for (const FfnStage& stage : std::get<ComposedFfn>(block.ffn).stages) {
        const QString title = fromUtf8(info(stage.spec).title);
        submenu->addAction(title, this, [this, title, index] {
            m_document.apply(tr("Remove stage %1").arg(title), [this, index](DocumentState& state) {
                removeStage(state.scenario, run(), index);
            });
        });
        ++index;
    }
}

void StackActions::addCrossRemoval(QMenu& menu)
{
    if (!m_document.selection().isRun() || !canRemoveCross(m_document.scenario(), run())) {
        return;
    }
    const auto& block = m_document.model().runs.at(static_cast<std::size_t>(run())).block;
    const QString title = tr("Remove %1").arg(fromUtf8(info(block.cross).title));
    menu.addAction(title, this, [this, title] {
        m_document.apply(title,
                         [this](DocumentState& state) { removeCross(state.scenario, run()); });
    });
}

void StackActions::fill(QMenu& menu)
{
    addEntries(menu, tr("Replace &mixer by"), PaletteKind::mixer, Extent::wholeRun);
    addEntries(menu, tr("Replace &FFN by"), PaletteKind::ffn, Extent::wholeRun);
    if (m_document.selection().isRun() && canSplitRun(m_document.scenario(), run())) {
        const int first = m_document.model().firstBlock(run()) + 1;
        addEntries(menu,
                   tr("Replace FFN of &block %1 only by").arg(first),
                   PaletteKind::ffn,
                   Extent::firstBlock);
    }
    addEntries(menu, tr("Add s&tage"), PaletteKind::stage, Extent::wholeRun);
    addStageRemovals(menu);
    addCrossRemoval(menu);
    menu.addSeparator();
    menu.addActions({m_duplicate, m_split, m_join});
    menu.addSeparator();
    menu.addActions({m_moveUp, m_moveDown});
    menu.addSeparator();
    menu.addAction(m_remove);
}

} // namespace flopsmith::ui
