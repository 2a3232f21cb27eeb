// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/actions/pattern_actions.h"

#include "ui/document/layer_limit.h"
#include "ui/document/pattern_edit.h"
#include "ui/document/scenario_edit.h"

#include <QAction>
#include <QKeySequence>
#include <QWidget>

#include <algorithm>

namespace flopsmith::ui {

PatternActions::PatternActions(Document& document, QWidget& canvas)
    : QObject(&canvas)
    , m_document(document)
    , m_canvas(canvas)
{
    m_group = added(QStringLiteral("group"), tr("Group blocks"), QKeySequence(tr("Ctrl+G")));
    m_ungroup =
        added(QStringLiteral("ungroup"), tr("Ungroup pattern"), QKeySequence(tr("Ctrl+Shift+G")));
    m_more =
        added(QStringLiteral("moreRepeats"), tr("One repeat more"), QKeySequence(Qt::Key_Plus));
    m_fewer =
        added(QStringLiteral("fewerRepeats"), tr("One repeat fewer"), QKeySequence(Qt::Key_Minus));
    m_everyNth = added(QStringLiteral("everyNth"), tr("Every n-th block…"), {});
    m_repeat = added(QStringLiteral("repeat"), tr("Repeat…"), {});
    m_group->setProperty("names", QStringList{tr("Make a pattern")}); // in lists of commands
    m_everyNth->setProperty("names", QStringList{tr("Pattern of blocks")});
    m_repeat->setProperty("disabledReason", tr("Only blocks can be repeated: select some first."));
    for (QAction* typed : {m_more, m_fewer}) {
        typed->setShortcutContext(Qt::WidgetShortcut);
        typed->setProperty("disabledReason",
                           tr("Select one run of blocks, or blocks of one pattern; one repeat "
                              "always stays."));
    }
    m_ungroup->setProperty("disabledReason", tr("Select blocks of a pattern first."));
    connect(m_group, &QAction::triggered, this, &PatternActions::groupSelected);
    connect(m_ungroup, &QAction::triggered, this, &PatternActions::ungroupSelected);
    connect(m_more, &QAction::triggered, this, [this] { changeSelected(1); });
    connect(m_fewer, &QAction::triggered, this, [this] { changeSelected(-1); });
    connect(m_everyNth, &QAction::triggered, this, [this] {
        Q_EMIT phraseRequested(QStringLiteral("every 4th "));
    });
    connect(m_repeat, &QAction::triggered, this, [this] {
        Q_EMIT phraseRequested(QStringLiteral("repeat 1"));
    });
    connect(&document, &Document::scenarioChanged, this, &PatternActions::updateEnabled);
    connect(&document, &Document::selectionChanged, this, &PatternActions::updateEnabled);
    updateEnabled();
}

QAction* PatternActions::added(const QString& name, const QString& title, const QKeySequence& keys)
{
    auto* action = new QAction(title, this);
    action->setObjectName(QStringLiteral("stack.") + name);
    action->setShortcut(keys);
    m_canvas.addAction(action);
    return action;
}

int PatternActions::selectedPattern() const
{
    return patternOfAll(m_document.scenario(), m_document.selection().runs());
}

// How often the selected pattern or run comes; 0 where that is not one number.
int PatternActions::selectedTimes() const
{
    const Model& model = m_document.model();
    if (const int pattern = selectedPattern(); pattern >= 0) {
        return model.patterns.at(static_cast<std::size_t>(pattern)).times;
    }
    const std::vector<int> runs = m_document.selection().runs();
    return runs.size() == 1 ? model.runs.at(static_cast<std::size_t>(runs.front())).repeat : 0;
}

void PatternActions::updateEnabled()
{
    const QString refusal =
        QString::fromStdString(whyNotGrouped(m_document.scenario(), m_document.selection().runs()));
    m_group->setEnabled(refusal.isEmpty());
    m_group->setProperty("disabledReason", refusal);
    m_ungroup->setEnabled(selectedPattern() >= 0);
    m_more->setEnabled(selectedTimes() > 0);
    m_fewer->setEnabled(selectedTimes() > 1);
    m_repeat->setEnabled(m_document.selection().isRun());
}

void PatternActions::groupSelected()
{
    m_document.apply(tr("Group blocks"), [this](DocumentState& state) {
        const std::vector<int> runs = m_document.selection().runs();
        state.selection = Selection::ofRun(groupRuns(state.scenario, runs));
    });
}

void PatternActions::ungroupSelected()
{
    m_document.apply(tr("Ungroup pattern"), [this](DocumentState& state) {
        ungroupRuns(state.scenario, selectedPattern());
    });
}

void PatternActions::changeSelected(int by)
{
    if (const int pattern = selectedPattern(); pattern >= 0) {
        changeTimes(pattern, by);
        return;
    }
    const int run = m_document.selection().run;
    if (const QString why = whyTooManyLayers(m_document.model(), by); !why.isEmpty()) {
        m_document.refuse(why);
        return;
    }
    const int repeat = selectedTimes() + by;
    m_document.apply(tr("Set repeat"), [run, repeat](DocumentState& state) {
        setRepeat(state.scenario, run, repeat);
    });
}

void PatternActions::changeTimes(int index, int by)
{
    const Pattern& pattern = m_document.model().patterns.at(static_cast<std::size_t>(index));
    const int times = std::max(1, pattern.times + by);
    Scenario changed = m_document.scenario();
    if (const Status set = setPatternTimes(changed, index, times); !set) {
        m_document.refuse(QString::fromStdString(set.error().message));
        return;
    }
    const bool taken = m_document.apply(tr("Set repeats of the pattern"),
                                        [&](DocumentState& state) { state.scenario = changed; });
    if (taken) {
        m_document.notify(tr("Pattern \u00D7 %1: the model has %2 blocks")
                              .arg(times)
                              .arg(changed.model.layers()));
    }
}

} // namespace flopsmith::ui

#include "moc_pattern_actions.cpp"
