// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/actions/stack_actions.h"

#include "core/ffn/composed.h"
#include "core/note/notes_through.h"
#include "ui/document/pattern_edit.h"
#include "ui/theme/utf8.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

#include <algorithm>

namespace flopsmith::ui {
namespace {

// What lists of commands say while an action is disabled.
void giveReason(QAction& action, const QString& sentence)
{
    action.setProperty("disabledReason", sentence);
}

} // namespace

StackActions::StackActions(Document& document, QWidget& canvas)
    : QObject(&canvas)
    , m_document(document)
    , m_canvas(canvas)
    , m_clipboard(new BlockClipboard(document, canvas))
    , m_patterns(new PatternActions(document, canvas))
{
    m_insert = added(QStringLiteral("insert"), tr("&Insert block behind…"), QKeySequence(tr("A")));
    m_insertInto = added(
        QStringLiteral("insertInto"), tr("Insert into the pattern…"), QKeySequence(tr("Shift+A")));
    m_replace = added(QStringLiteral("replace"), tr("Replace by…"), QKeySequence(tr("R")));
    for (QAction* letter : {m_insert, m_insertInto, m_replace}) {
        letter->setShortcutContext(Qt::WidgetShortcut); // elsewhere letters are typed
    }
    m_duplicate = added(QStringLiteral("duplicate"), tr("D&uplicate"), QKeySequence(tr("Ctrl+D")));
    m_split = added(QStringLiteral("split"), tr("&Split in two"), {});
    m_join = added(QStringLiteral("join"), tr("&Join equal blocks"), {});
    m_moveUp = added(QStringLiteral("moveUp"), tr("Move u&p"), QKeySequence(tr("Alt+Up")));
    m_moveDown = added(QStringLiteral("moveDown"), tr("Move do&wn"), QKeySequence(tr("Alt+Down")));
    m_pickUp =
        added(QStringLiteral("pickUp"), tr("Pick up and move by keys"), QKeySequence(tr("M")));
    m_remove = added(QStringLiteral("remove"), tr("De&lete"), QKeySequence::Delete);
    m_find = added(QStringLiteral("find"), tr("Find in the stack…"), QKeySequence(tr("Ctrl+F")));
    m_findNext = added(QStringLiteral("findNext"), tr("Find next"), QKeySequence(Qt::Key_F3));
    m_findPrevious = added(
        QStringLiteral("findPrevious"), tr("Find previous"), QKeySequence(Qt::SHIFT | Qt::Key_F3));
    m_mute = new MuteActions(document, canvas);
    m_inside = added(
        QStringLiteral("inside"), tr("Look inside the block"), QKeySequence(tr("Ctrl+Return")));
    m_selectAll =
        added(QStringLiteral("selectAll"), tr("Select &all blocks"), QKeySequence(tr("Ctrl+A")));
    m_note = added(QStringLiteral("note"), tr("Add note…"), QKeySequence(tr("N")));
    m_noteOnStack = added(QStringLiteral("noteOnStack"),
                          tr("Add note on the whole stack…"),
                          QKeySequence(tr("Shift+N")));
    for (QAction* ofText : {m_remove,
                            m_selectAll,
                            m_inside,
                            m_pickUp,
                            m_note,
                            m_noteOnStack}) { // keys that a line edit may have, too
        ofText->setShortcutContext(Qt::WidgetShortcut);
    }
    giveReasons();
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

void StackActions::giveReasons()
{
    giveReason(*m_pickUp, tr("Only blocks can be picked up: select some first."));
    giveReason(*m_insert, tr("Blocks are inserted behind blocks: select some first."));
    giveReason(*m_insertInto,
               tr("Blocks are inserted into a pattern whose blocks are all selected: click its "
                  "badge."));
    giveReason(*m_replace,
               tr("Only blocks have a mixer and an FFN to replace: select some first."));
    giveReason(*m_duplicate, tr("Only blocks can be duplicated: select some first."));
    giveReason(*m_split, tr("Only a run of several equal blocks can be split: select one first."));
    giveReason(*m_join, tr("No neighbouring blocks are equal."));
    giveReason(*m_inside, tr("Only blocks can be opened: select some first."));
}

void StackActions::change(const QString& title, int (*edit)(Scenario&, int))
{
    m_document.apply(title, [this, edit](DocumentState& state) {
        state.selection = Selection::ofRun(edit(state.scenario, run()));
    });
}

// The edit returns the runs to select.
void StackActions::changeRuns(
    const QString& title,
    const std::function<std::vector<int>(Scenario&, const std::vector<int>&)>& edit)
{
    m_document.apply(title, [this, &edit](DocumentState& state) {
        const std::vector<int> runs = edit(state.scenario, m_document.selection().runs());
        state.selection = Selection::ofRuns(runs, runs.front());
    });
}

void StackActions::connectActions()
{
    connect(m_insert, &QAction::triggered, this, &StackActions::insertionRequested);
    connect(m_insertInto, &QAction::triggered, this, &StackActions::insertionIntoRequested);
    connect(m_replace, &QAction::triggered, this, &StackActions::replacementRequested);
    connect(m_note, &QAction::triggered, this, [this] { Q_EMIT noteRequested(false); });
    connect(m_noteOnStack, &QAction::triggered, this, [this] { Q_EMIT noteRequested(true); });
    connect(m_find, &QAction::triggered, this, &StackActions::findRequested);
    connect(m_findNext, &QAction::triggered, this, [this] { Q_EMIT findStepRequested(1); });
    connect(m_findPrevious, &QAction::triggered, this, [this] { Q_EMIT findStepRequested(-1); });
    connect(m_duplicate, &QAction::triggered, this, [this] {
        changeRuns(tr("Duplicate blocks"), duplicateRuns);
    });
    connect(m_split, &QAction::triggered, this, [this] { change(tr("Split blocks"), splitRun); });
    connect(m_join, &QAction::triggered, this, [this] {
        change(tr("Join equal blocks"), joinEqualRuns);
    });
    connect(m_remove, &QAction::triggered, this, [this] {
        m_document.apply(tr("Delete blocks"), [](DocumentState& state) {
            const std::vector<int> runs = state.selection.runs();
            state.notes = notesWithoutRuns(state.notes, state.scenario.model, runs);
            removeRuns(state.scenario, runs);
            state.selection = Selection::ofRun(runs.front());
        });
    });
    connect(m_moveUp, &QAction::triggered, this, [this] { move(tr("Move blocks up"), -1); });
    connect(m_moveDown, &QAction::triggered, this, [this] { move(tr("Move blocks down"), 1); });
    connect(m_selectAll, &QAction::triggered, this, [this] {
        m_document.select(m_document.selection().all(m_document.model()));
    });
}

// The run that was current stays it.
void StackActions::move(const QString& title, int by)
{
    m_document.apply(title, [this, by](DocumentState& state) {
        const std::vector<int> runs = m_document.selection().runs();
        const std::vector<int> moved = moveRuns(state.scenario, runs, by);
        const auto current = std::find(runs.begin(), runs.end(), run()) - runs.begin();
        state.selection = Selection::ofRuns(moved, moved[static_cast<std::size_t>(current)]);
    });
}

bool StackActions::isOneRun() const
{
    return m_document.selection().isRun() && !m_document.selection().isSeveral();
}

void StackActions::updateEnabled()
{
    const Scenario& scenario = m_document.scenario();
    const bool isRun = m_document.selection().isRun();
    for (QAction* onRuns : {m_insert, m_replace, m_inside, m_pickUp}) {
        onRuns->setEnabled(isRun);
    }
    m_insertInto->setEnabled(wholePattern(scenario, m_document.selection().runs()) >= 0);
    const std::vector<int> runs = m_document.selection().runs();
    m_duplicate->setEnabled(!runs.empty());
    m_split->setEnabled(isOneRun() && canSplitRun(scenario, runs.front()));
    m_join->setEnabled(hasEqualNeighbours(scenario));
    m_remove->setEnabled(canRemoveRuns(scenario, runs));
    giveReason(*m_remove,
               isRun ? tr("A model needs blocks: one run of them always stays.")
                     : tr("Only blocks can be deleted: select some first."));
    m_moveUp->setEnabled(canMoveRuns(scenario, runs, -1));
    m_moveDown->setEnabled(canMoveRuns(scenario, runs, 1));
    const QString refusal = areNeighbours(scenario, runs)
        ? QString()
        : tr("Other blocks stand between the selected ones: only neighbours move together.");
    const auto explain = [&refusal](QAction& action, const QString& atEnd) {
        action.setToolTip(refusal);
        giveReason(action, refusal.isEmpty() ? atEnd : refusal);
    };
    explain(*m_moveUp, tr("Only blocks can be moved, and these are the first of their stack."));
    explain(*m_moveDown, tr("Only blocks can be moved, and these are the last of their stack."));
}

void StackActions::addEntries(QMenu& menu, const QString& title, PaletteKind kind, Extent extent)
{
    QMenu* submenu = menu.addMenu(title);
    const std::vector<int> runs = m_document.selection().runs();
    submenu->setEnabled(!runs.empty());
    for (const PaletteEntry& entry : paletteEntries()) {
        if (entry.kind == kind && canApply(m_document.scenario(), entry, runs)) {
            QAction* action = submenu->addAction(entry.title, this, [this, &entry, extent] {
                if (extent == Extent::firstBlock) {
                    applyEntry(m_document, entry, run(), extent);
                } else {
                    applyEntry(m_document, entry);
                }
            });
            action->setProperty("names", entry.names); // for lists of commands
            action->setProperty("fits", true);
        }
    }
}

void StackActions::addStageRemovals(QMenu& menu)
{
    if (!isOneRun() || !canRemoveStage(m_document.scenario(), run())) {
        return;
    }
    const auto& block = m_document.model().runs.at(static_cast<std::size_t>(run())).block;
    QMenu* submenu = menu.addMenu(tr("&Remove stage"));
    int index = 0;
    for (const FfnStage& stage : get<ComposedFfn>(block.ffn).stages) {
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
    if (!isOneRun() || !canRemoveCross(m_document.scenario(), run())) {
        return;
    }
    const auto& block = m_document.model().runs.at(static_cast<std::size_t>(run())).block;
    const QString title = tr("Remove %1").arg(fromUtf8(info(block.cross).title));
    menu.addAction(title, this, [this, title] {
        m_document.apply(title,
                         [this](DocumentState& state) { removeCross(state.scenario, run()); });
    });
}

void StackActions::addReplacements(QMenu& menu)
{
    menu.addAction(m_replace);
    addEntries(menu, tr("Replace &mixer by"), PaletteKind::mixer, Extent::wholeRun);
    addEntries(menu, tr("Replace &FFN by"), PaletteKind::ffn, Extent::wholeRun);
    if (isOneRun() && canSplitRun(m_document.scenario(), run())) {
        const int first = m_document.model().firstBlock(run()) + 1;
        addEntries(menu,
                   tr("Replace FFN of &block %1 only by").arg(first),
                   PaletteKind::ffn,
                   Extent::firstBlock);
    }
    menu.addSeparator();
    addEntries(menu, tr("Add s&tage"), PaletteKind::stage, Extent::wholeRun);
    addStageRemovals(menu);
    addCrossRemoval(menu);
}

void StackActions::fill(QMenu& menu)
{
    const auto below = [&menu](const char* name, const QString& text) -> QMenu& {
        QMenu* made = menu.addMenu(text);
        made->setObjectName(QStringLiteral("stack.%1.menu").arg(QLatin1String(name)));
        made->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        made->setToolTipsVisible(true); // why something cannot be done
        return *made;
    };
    addReplacements(below("parts", tr("&Mixer, FFN and stages")));
    menu.addAction(m_insert);
    if (m_insertInto->isEnabled()) {
        menu.addAction(m_insertInto);
    }
    menu.addAction(m_inside);
    menu.addSeparator();
    QMenu& arrange = below("arrange", tr("A&rrange"));
    arrange.addActions({m_duplicate, m_split, m_join});
    arrange.addSeparator();
    arrange.addActions({m_moveUp, m_moveDown, m_pickUp});
    below("patterns", tr("&Patterns")).addActions(m_patterns->actions());
    below("clipboard", tr("&Copy and paste")).addActions(m_clipboard->actions());
    below("mute", tr("M&ute")).addActions({&muteFfn(), &muteMixer(), &muteCross()});
    below("notes", tr("&Notes")).addActions({m_note, m_noteOnStack});
    below("find", tr("&Find and select"))
        .addActions({m_find, m_findNext, m_findPrevious, m_selectAll});
    menu.addSeparator();
    menu.addAction(m_remove);
    menu.setToolTipsVisible(true); // why selected blocks do not move
}

} // namespace flopsmith::ui

#include "moc_stack_actions.cpp"
