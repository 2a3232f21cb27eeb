// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/actions/mute_actions.h"

#include "core/present/stack/mute_sentence.h"
#include "ui/document/scenario_edit.h"

#include <QAction>
#include <QWidget>

namespace flopsmith::ui {
namespace {

// What the sentence about muting calls a part.
QString mutedPartName(BlockPart::Kind part)
{
    switch (part) {
    case BlockPart::Kind::mixer: return MuteActions::tr("Mixer");
    case BlockPart::Kind::cross: return MuteActions::tr("Cross-attention");
    default: return MuteActions::tr("FFN");
    }
}

// How many blocks an edit that moves none has changed.
int changedBlocks(const Model& before, const Model& after)
{
    int changed = 0;
    for (std::size_t run = 0; run < before.runs.size(); ++run) {
        changed += before.runs[run] == after.runs[run] ? 0 : before.runs[run].repeat;
    }
    return changed;
}

} // namespace

MuteActions::MuteActions(Document& document, QWidget& canvas)
    : QObject(&canvas)
    , m_document(document)
    , m_canvas(canvas)
    , m_ffn(added(QStringLiteral("stack.muteFfn"),
                  tr("Mute FF&N"),
                  QKeySequence(tr("H")),
                  BlockPart::Kind::ffn,
                  tr("The selection has no FFN: select blocks that have one.")))
    , m_mixer(added(QStringLiteral("stack.muteMixer"),
                    tr("Mute mi&xer"),
                    QKeySequence(tr("Shift+H")),
                    BlockPart::Kind::mixer,
                    tr("The selection has no mixer: select blocks that have one.")))
    , m_cross(added(QStringLiteral("stack.muteCross"),
                    tr("Mute cross-attention"),
                    {},
                    BlockPart::Kind::cross,
                    tr("The selection has no cross-attention.")))
{
    connect(&document, &Document::scenarioChanged, this, qOverload<>(&MuteActions::update));
    connect(&document, &Document::selectionChanged, this, qOverload<>(&MuteActions::update));
    update();
}

QAction* MuteActions::added(const QString& name,
                            const QString& text,
                            const QKeySequence& keys,
                            BlockPart::Kind part,
                            const QString& disabledReason)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    action->setCheckable(true);
    action->setProperty("disabledReason", disabledReason);
    m_canvas.addAction(action);
    connect(action, &QAction::triggered, this, [this, part] { toggle(part); });
    return action;
}

void MuteActions::toggle(BlockPart::Kind part)
{
    const Model before = m_document.model();
    const std::optional<Count> cost = m_document.costSummary().flops;
    const std::vector<int> runs = m_document.selection().runs();
    const bool muted = !isMuted(m_document.scenario(), runs, part);
    const QString name = mutedPartName(part);
    const bool taken = m_document.apply(
        (muted ? tr("Mute %1") : tr("Unmute %1")).arg(name),
        [&runs, part](DocumentState& state) { toggleMuted(state.scenario, runs, part); });
    update(); // a refused change leaves the check mark as it was
    if (taken) {
        const std::string partName = name.toStdString();
        m_document.notify(QString::fromStdString(
            muteSentence({.part = partName,
                          .blocks = changedBlocks(before, m_document.model()),
                          .muted = muted,
                          .before = cost,
                          .after = m_document.costSummary().flops},
                         m_document.lens())));
    }
}

void MuteActions::update()
{
    update(*m_ffn, BlockPart::Kind::ffn);
    update(*m_mixer, BlockPart::Kind::mixer);
    update(*m_cross, BlockPart::Kind::cross);
}

void MuteActions::update(QAction& action, BlockPart::Kind part)
{
    const std::vector<int> runs = m_document.selection().runs();
    action.setEnabled(canMute(m_document.scenario(), runs, part));
    action.setChecked(isMuted(m_document.scenario(), runs, part));
}

} // namespace flopsmith::ui

#include "moc_mute_actions.cpp"
